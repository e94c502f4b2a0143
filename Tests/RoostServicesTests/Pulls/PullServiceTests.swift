import Foundation
import RoostServices
import Testing

/// Accounts, demand, and who hears of what.
@Suite(.timeLimit(.minutes(2))) struct PullServiceTests {
    /// Runs the background work until the body is through.
    private func running(_ bench: PullBench, _ body: () async throws -> Void) async throws {
        let work = Task { await bench.pulls.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        try result.get()
    }

    @Test func `every ten minutes for the counts, every minute while somebody looks`() async throws {
        try await withPulls { bench in
            await bench.refresh()
            for (wait, count) in [(60.0, 1), (539, 1), (1, 2)] {
                bench.clock.advance(wait)
                await bench.pulls.refreshDue()
                #expect(bench.gitHub.requests == count, "after \(wait)")
            }
            bench.pulls.want(bench.user)
            for (wait, count) in [(59.0, 2), (1, 3)] {
                bench.clock.advance(wait)
                await bench.pulls.refreshDue()
                #expect(bench.gitHub.requests == count, "after \(wait), watched")
            }
            bench.clock.advance(91)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 3)
        }
    }

    @Test func `a budget that runs out slows it down`() async throws {
        try await withPulls { bench in
            bench.gitHub.turn(graphQL: { query, _ in
                let fields = PullScript.aliases(query).map { #""\#($0.alias)":\#(PullScript.page([]))"# }
                return PullScript.answer(fields).replacing("4812", with: "30")
            })
            await bench.refresh()
            bench.pulls.want(bench.user)
            // One refresh of 24 points is left for the half hour until the reset.
            #expect(bench.source?.nextTryAt == bench.clock.now + 1_800)
        }
    }

    @Test func `a failure is tried again later and later, and a click goes before`() async throws {
        try await withPulls { bench in
            bench.gitHub.fail(.networkUnavailable)
            await bench.refresh()
            let next = try #require(bench.source?.nextTryAt)
            let wait = next.timeIntervalSince(bench.clock.now)
            #expect((12...18).contains(wait))
            #expect(bench.source?.loading == .failed(.networkUnavailable))
            bench.clock.advance(2)
            #expect(bench.pulls.retry(for: bench.user) == .started)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.asked.graphQL.count == 2 && bench.gitHub.asked.priorities.last == .click)
        }
    }

    @Test func `a wait that GitHub asked for is kept, by clicks too`() async throws {
        try await withPulls { bench in
            let reset = bench.clock.now + 1_200
            bench.gitHub.fail(.rateLimited(resetDate: reset))
            await bench.refresh()
            #expect(bench.pulls.retry(for: bench.user) == .mustWait(until: reset))
            bench.clock.advance(1_199)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.gitHub.recover()
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2 && bench.source?.error == nil)
        }
    }

    @Test func `what another part was told to wait for is kept here too`() async throws {
        try await withPulls { bench in
            let until = bench.clock.now + 100
            bench.gitHub.block("graphql", until: until)
            #expect(bench.pulls.retry(for: bench.user) == .started)
            bench.pulls.accountsChanged()
            #expect(bench.pulls.retry(for: bench.user) == .mustWait(until: until))
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 0 && bench.source?.nextTryAt == until)
            #expect(bench.source?.error == nil && bench.source?.loading == .loading)
            bench.clock.advance(100)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
        }
    }

    @Test func `a new account is refreshed at once, beside the others`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            await bench.refresh()
            let work = PullScript()
            work.set(.asked, PullFixture.node(1, title: "At work", PullFixture.asks("ada")))
            bench.accounts.connect(5, to: work, for: bench.user, host: "git.example.org")
            await bench.pulls.refreshDue()
            let turn = try #require(bench.inbox.sections.first)
            #expect(
                turn.items.count == 2 && Set(turn.items.map(\.key.host)) == ["github.com", "git.example.org"])
            #expect(bench.inbox.sources.map(\.host) == ["github.com", "git.example.org"])
            #expect(bench.gitHub.requests == 1 && work.requests == 1)
        }
    }

    @Test func `one pull request through two accounts stands once, with the reasons there are`() async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, PullFixture.node(1, PullFixture.asks("hedy")))
            let second = PullScript()
            second.set(.mentions, PullFixture.node(1, PullFixture.asks("ada")))
            bench.accounts.connect(5, to: second, for: bench.user)
            await bench.refresh()
            let mentions = try #require(bench.inbox.sections.first { $0.id == "mentions" })
            #expect(mentions.items.count == 1 && mentions.items.first?.accountId == 5)
            #expect(bench.inbox.waiting == 1)
        }
    }

    @Test func `a disconnected account and all that is its own vanish at once`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            await bench.refresh()
            #expect(bench.inbox.waiting == 1)
            bench.accounts.disconnect(1)
            #expect(bench.inbox.sources.isEmpty && bench.inbox.sections.isEmpty && bench.inbox.waiting == 0)
            let before = bench.feed.version(of: [Topic.waiting(bench.user)])
            bench.pulls.accountsChanged()
            #expect(bench.feed.version(of: [Topic.waiting(bench.user)]) > before)
        }
    }

    @Test func `after a long refresh a click has to wait four times as long`() async throws {
        try await withPulls { bench in
            bench.gitHub.turn(graphQL: { query, variables in
                bench.clock.advance(4)
                return bench.gitHub.table(query, variables)
            })
            await bench.pulls.refreshDue()
            #expect(bench.source?.error == nil && bench.gitHub.requests == 1)
            _ = bench.pulls.retry(for: bench.user)
            bench.clock.advance(15)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2)
        }
    }

    @Test func `after a long refresh that failed a click is served at once`() async throws {
        try await withPulls { bench in
            bench.gitHub.turn(graphQL: { _, _ in
                bench.clock.advance(4)
                return PullScript.answer([])
            })
            await bench.pulls.refreshDue()
            #expect(bench.source?.error != nil && bench.gitHub.requests == 1)
            _ = bench.pulls.retry(for: bench.user)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2)
        }
    }

    @Test func `a session that expired stays listed with its words, without its pull requests`() async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            await bench.refresh()
            bench.accounts.change(1) { account in
                account.state = .unauthenticated
                account.error = .unauthorized
            }
            let source = try #require(bench.source)
            #expect(source.error == .unauthorized && source.authentication == .unauthenticated)
            #expect(
                source.loading == .failed(.unauthorized) && source.updatedAt == nil && source.nextTryAt == nil
            )
            #expect(bench.inbox.waiting == 0 && bench.numbers("turn").isEmpty)
            bench.clock.advance(3_600)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.accounts.change(1) { account in
                account.state = .authenticated
                account.error = nil
            }
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2 && bench.source?.error == nil)
            #expect(bench.numbers("turn") == [1])
        }
    }

    @Test(arguments: [false, true])
    func `what comes for an account that was disconnected meanwhile is dropped`(isRemoved: Bool) async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            bench.gitHub.turn(graphQL: { query, variables in
                if isRemoved {
                    bench.accounts.disconnect(1)
                } else {
                    bench.accounts.change(1) { $0.state = .unauthenticated }
                }
                bench.pulls.accountsChanged()
                return bench.gitHub.table(query, variables)
            })
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.accounts.connect(1, to: bench.gitHub, for: bench.user)
            #expect(bench.inbox.waiting == 0 && bench.source?.updatedAt == nil)
            bench.gitHub.recover()
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2 && bench.inbox.waiting == 1)
        }
    }

    @Test func `what comes for a token that was replaced meanwhile is dropped, and the new one is asked`()
        async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            let fresh = PullScript()
            bench.gitHub.turn(graphQL: { query, variables in
                bench.accounts.connect(1, to: fresh, for: bench.user)
                bench.pulls.accountsChanged()
                return bench.gitHub.table(query, variables)
            })
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1 && fresh.requests == 1)
            #expect(bench.source?.updatedAt != nil && bench.inbox.waiting == 0)
        }
    }

    @Test func `another token forgets the failures of the one before`() async throws {
        try await withPulls { bench in
            bench.gitHub.fail(.rateLimited(resetDate: bench.clock.now + 1_200))
            await bench.refresh()
            let fresh = PullScript()
            bench.accounts.connect(1, to: fresh, for: bench.user)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(fresh.requests == 1 && bench.source?.error == nil)
        }
    }

    @Test func `connected again with another token, it is refreshed at once`() async throws {
        try await withPulls { bench in
            await bench.refresh()
            let fresh = PullScript()
            bench.accounts.connect(1, to: fresh, for: bench.user)
            await bench.pulls.refreshDue()
            #expect(fresh.requests == 0)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(fresh.requests == 1)
        }
    }

    @Test func `teams that become known later are taken over`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(teams: nil)
            let both = PullFixture.asks(team: "roost/core").replacing(
                "]}", with: #",{"requestedReviewer":{"__typename":"Team","combinedSlug":"roost/docs"}}]}"#)
            bench.gitHub.set(.asked, PullFixture.node(1, both))
            await bench.refresh()
            #expect(bench.item(1)?.reasons.count == 2)
            bench.gitHub.set(teams: ["roost/core"])
            bench.pulls.accountsChanged()
            #expect(bench.item(1)?.reasons == [.askedThroughTeam("roost/core")])
        }
    }

    @Test func `the figure is told when it changes, the inbox with every refresh`() async throws {
        try await withPulls { bench in
            let versions = {
                (
                    bench.feed.version(of: [Topic.pulls(bench.user)]),
                    bench.feed.version(of: [Topic.waiting(bench.user)])
                )
            }
            await bench.refresh()
            let first = versions()
            bench.clock.advance(60)
            await bench.refresh()
            let second = versions()
            #expect(second.0 > first.0 && second.1 == first.1)
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            bench.clock.advance(60)
            await bench.refresh()
            #expect(versions().1 > second.1)
            #expect(bench.feed.version(of: [Topic.pulls(bench.other), Topic.waiting(bench.other)]) == 0)
        }
    }

    @Test func `another user sees nothing of it`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            await bench.refresh()
            let inbox = bench.pulls.inbox(of: bench.other)
            #expect(
                inbox.sections.isEmpty && inbox.sources.isEmpty && inbox.hidden.isEmpty && inbox.waiting == 0)
            let refused = await refusal {
                try await bench.pulls.mark(PullFixture.key(1), .muted, for: bench.other)
            }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `of a user who is gone nothing is kept`() async throws {
        try await withPulls { bench in
            _ = try await bench.pulls.addSection(name: "A", query: "x", for: bench.user)
            bench.pulls.forget(bench.user)
            #expect(bench.pulls.ownSections(of: bench.user).isEmpty)
            try await bench.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            let again = try await bench.restarted()
            #expect(again.ownSections(of: bench.user).isEmpty)
        }
    }

    @Test func `the background work refreshes by itself, hears clicks, and ends when it is told to`()
        async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.asked, PullFixture.node(1, PullFixture.asks("ada")))
            try await running(bench) {
                try await wait(for: "the first refresh") { bench.pulls.waiting(for: bench.user) == 1 }
                bench.gitHub.set(.asked)
                bench.clock.advance(2)
                #expect(bench.pulls.retry(for: bench.user) == .started)
                try await wait(for: "the second refresh") { bench.pulls.waiting(for: bench.user) == 0 }
                bench.accounts.disconnect(1)
                try await wait(for: "the account's end") { bench.inbox.sources.isEmpty }
            }
        }
    }

    @Test func `a refresh is made once, however many ask for it`() async throws {
        try await withPulls { bench in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { await bench.refresh() } }
            }
            #expect(bench.gitHub.requests <= 20)
            let before = bench.gitHub.requests
            try await running(bench) {
                for _ in 0..<50 { _ = bench.pulls.retry(for: bench.user) }
                bench.clock.advance(2)
                _ = bench.pulls.retry(for: bench.user)
                try await wait(for: "the refresh") { bench.gitHub.requests > before }
            }
            #expect(bench.gitHub.requests <= before + 2)
        }
    }
}
