import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct PullServiceTests {
    /// Runs the background work during the body.
    private func running(_ fixture: PullServiceFixture, _ body: () async throws -> Void) async throws {
        let work = Task { await fixture.pulls.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        try result.get()
    }

    @Test
    func `the inbox refreshes every ten minutes for the counts, every minute while someone is watching`()
        async throws
    {
        try await withPulls { fixture in
            await fixture.refresh()
            for (wait, count) in [(60.0, 1), (539, 1), (1, 2)] {
                fixture.clock.advance(wait)
                await fixture.pulls.refreshDue()
                #expect(fixture.gitHub.requests == count, "after \(wait)")
            }
            fixture.pulls.watch(fixture.user)
            for (wait, count) in [(59.0, 2), (1, 3)] {
                fixture.clock.advance(wait)
                await fixture.pulls.refreshDue()
                #expect(fixture.gitHub.requests == count, "after \(wait), watched")
            }
            fixture.clock.advance(91)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 3)
        }
    }

    /// Answers with an empty inbox and this many points left.
    private func leave(_ remaining: Int, _ fixture: PullServiceFixture) {
        fixture.gitHub.turn(graphQL: { query, _ in
            let fields = PullScript.aliases(query).map { #""\#($0.alias)":\#(PullScript.page([]))"# }
            return PullScript.answer(fields).replacing("4812", with: "\(remaining)")
        })
    }

    @Test func `a budget that runs low slows the refresh down, and the source says so`() async throws {
        try await withPulls { fixture async throws in
            let reset = fixture.clock.now + 1_800
            // 22 refreshes fit above the reserved fifth, at fifteen points, the cost of the first one.
            leave(1_330, fixture)
            await fixture.refresh()
            fixture.pulls.watch(fixture.user)
            #expect(try await fixture.source?.pace == .slowed(until: reset))
            let next = try #require(try await fixture.source?.nextTryAt)
            #expect(next > fixture.clock.now + 80 && next < fixture.clock.now + 84)
        }
    }

    @Test func `the last fifth of the budget is not used in the background, but a click still uses it`()
        async throws
    {
        try await withPulls { fixture async throws in
            let reset = fixture.clock.now + 1_800
            leave(990, fixture)
            await fixture.refresh()
            fixture.pulls.watch(fixture.user)
            #expect(try await fixture.source?.pace == .paused(until: reset))
            #expect(try await fixture.source?.nextTryAt == reset + 1)
            #expect(try await fixture.source?.error == nil)
            for _ in 1...29 {
                fixture.clock.advance(60)
                fixture.pulls.watch(fixture.user)
                await fixture.pulls.refreshDue()
            }
            #expect(fixture.gitHub.requests == 1)
            #expect(fixture.pulls.retry(for: fixture.user) == .started)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
            fixture.gitHub.recover()
            fixture.clock.advance(61)
            fixture.pulls.watch(fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 3)
            #expect(try await fixture.source?.pace == .normal)
        }
    }

    @Test func `a paused refresh stays paused after a failure, until the reset, but a click still works`()
        async throws
    {
        try await withPulls { fixture async throws in
            let reset = fixture.clock.now + 1_800
            // Less than the cost of a refresh is left above the reserved fifth.
            leave(1_010, fixture)
            await fixture.refresh()
            #expect(try await fixture.source?.pace == .paused(until: reset))
            fixture.gitHub.fail(.networkUnavailable)
            for count in 2...3 {
                #expect(fixture.pulls.retry(for: fixture.user) == .started)
                fixture.clock.advance(60)
                await fixture.pulls.refreshDue()
                #expect(fixture.gitHub.requests == count)
                for _ in 1...9 {
                    #expect(try await fixture.source?.error == .networkUnavailable)
                    #expect(try await fixture.source?.pace == .paused(until: reset))
                    #expect(try await fixture.source?.nextTryAt == reset + 1)
                    fixture.clock.advance(60)
                    fixture.pulls.watch(fixture.user)
                    await fixture.pulls.refreshDue()
                }
                #expect(fixture.gitHub.requests == count)
            }
            fixture.gitHub.recover()
            fixture.clock.advance(601)
            fixture.pulls.watch(fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 4)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `budget used by other programs is noticed before the next request`() async throws {
        try await withPulls { fixture async throws in
            await fixture.refresh()
            let reset = fixture.clock.now + 1_200
            fixture.gitHub.set(
                budget: RateBudget(resource: "graphql", limit: 5_000, remaining: 800, resetAt: reset))
            fixture.clock.advance(60)
            fixture.pulls.watch(fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            #expect(try await fixture.source?.pace == .paused(until: reset))
            #expect(try await fixture.source?.nextTryAt == reset + 1)
        }
    }

    @Test func `a wait that another part of Roost received applies here too`() async throws {
        try await withPulls { fixture async throws in
            let until = fixture.clock.now + 100
            fixture.gitHub.block("graphql", until: until)
            #expect(fixture.pulls.retry(for: fixture.user) == .started)
            fixture.pulls.accountsChanged()
            #expect(fixture.pulls.retry(for: fixture.user) == .mustWait(until: until))
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 0)
            #expect(try await fixture.source?.nextTryAt == until)
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.source?.loading == .loading)
            fixture.clock.advance(100)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
        }
    }

    @Test func `a click before another part of Roost met the limit gets its error`() async throws {
        try await withPulls { fixture async throws in
            await fixture.refresh()
            fixture.clock.advance(60)
            #expect(fixture.pulls.retry(for: fixture.user) == .started)
            let until = fixture.clock.now + 1_200
            fixture.gitHub.block("graphql", until: until)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            #expect(try await fixture.source?.error == .rateLimited(resetDate: until))
            #expect(fixture.pulls.retry(for: fixture.user) == .mustWait(until: until))
            fixture.clock.advance(1_200)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `a new account is refreshed at once, next to the others`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            let work = PullScript()
            work.set(.reviewRequested, PullFixture.node(1, title: "At work", PullFixture.asks("ada")))
            fixture.accounts.connect(5, to: work, for: fixture.user, host: "git.example.org")
            await fixture.pulls.refreshDue()
            let turn = try #require(try await fixture.inbox.sections.first)
            #expect(
                turn.items.count == 2 && Set(turn.items.map(\.key.host)) == ["github.com", "git.example.org"])
            #expect(try await fixture.inbox.sources.map(\.host) == ["github.com", "git.example.org"])
            #expect(fixture.gitHub.requests == 1 && work.requests == 1)
        }
    }

    @Test func `one pull request seen through two accounts is listed once, with all reasons`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.mentions, PullFixture.node(1, PullFixture.asks("hedy")))
            let second = PullScript()
            second.set(.mentions, PullFixture.node(1, PullFixture.asks("ada")))
            fixture.accounts.connect(5, to: second, for: fixture.user)
            await fixture.refresh()
            let mentions = try #require(try await fixture.inbox.sections.first { $0.id == "mentions" })
            #expect(mentions.items.count == 1 && mentions.items.first?.accountId == 5)
            #expect(try await fixture.inbox.waiting == 1)
        }
    }

    @Test func `a disconnected account disappears at once with everything that only it found`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(try await fixture.inbox.waiting == 1)
            fixture.accounts.disconnect(1)
            #expect(try await fixture.inbox.sources.isEmpty)
            #expect(try await fixture.inbox.sections.isEmpty)
            #expect(try await fixture.inbox.waiting == 0)
            let before = fixture.feed.version(of: [Topic.waiting(fixture.user)])
            fixture.pulls.accountsChanged()
            #expect(fixture.feed.version(of: [Topic.waiting(fixture.user)]) > before)
        }
    }

    @Test func `after a long refresh the next click has to wait four times as long`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { query, variables in
                fixture.clock.advance(4)
                return fixture.gitHub.table(query, variables)
            })
            await fixture.pulls.refreshDue()
            #expect(try await fixture.source?.error == nil && fixture.gitHub.requests == 1)
            _ = fixture.pulls.retry(for: fixture.user)
            fixture.clock.advance(15)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
        }
    }

    @Test func `after a long refresh that failed a click is served at once`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { _, _ in
                fixture.clock.advance(4)
                return PullScript.answer([])
            })
            await fixture.pulls.refreshDue()
            #expect(try await fixture.source?.error != nil && fixture.gitHub.requests == 1)
            _ = fixture.pulls.retry(for: fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
        }
    }

    @Test func `an account whose session expired stays listed with its message, without its pull requests`()
        async throws
    {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            fixture.accounts.change(1) { account in
                account.state = .unauthenticated
                account.error = .unauthorized
            }
            let source = try #require(try await fixture.source)
            #expect(source.error == .unauthorized && source.authentication == .unauthenticated)
            #expect(
                source.loading == .failed(.unauthorized) && source.updatedAt == nil && source.nextTryAt == nil
            )
            #expect(try await fixture.inbox.waiting == 0)
            #expect(try await fixture.numbers("turn").isEmpty)
            fixture.clock.advance(3_600)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            fixture.accounts.change(1) { account in
                account.state = .authenticated
                account.error = nil
            }
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.numbers("turn") == [1])
        }
    }

    @Test(arguments: [false, true])
    func `an answer for an account that has been disconnected is dropped`(isRemoved: Bool) async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            fixture.gitHub.turn(graphQL: { query, variables in
                if isRemoved {
                    fixture.accounts.disconnect(1)
                } else {
                    fixture.accounts.change(1) { $0.state = .unauthenticated }
                }
                fixture.pulls.accountsChanged()
                return fixture.gitHub.table(query, variables)
            })
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            fixture.accounts.connect(1, to: fixture.gitHub, for: fixture.user)
            #expect(try await fixture.inbox.waiting == 0)
            #expect(try await fixture.source?.updatedAt == nil)
            fixture.gitHub.recover()
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
            #expect(try await fixture.inbox.waiting == 1)
        }
    }

    @Test func `an answer for a replaced token is dropped, and the new token is used`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            let fresh = PullScript()
            fixture.gitHub.turn(graphQL: { query, variables in
                fixture.accounts.connect(1, to: fresh, for: fixture.user)
                fixture.pulls.accountsChanged()
                return fixture.gitHub.table(query, variables)
            })
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1 && fresh.requests == 1)
            #expect(try await fixture.source?.updatedAt != nil)
            #expect(try await fixture.inbox.waiting == 0)
        }
    }

    @Test func `a new token starts without the failures of the old one`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.fail(.rateLimited(resetDate: fixture.clock.now + 1_200))
            await fixture.refresh()
            let fresh = PullScript()
            fixture.accounts.connect(1, to: fresh, for: fixture.user)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fresh.requests == 1)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `an account that is connected again with another token is refreshed at once`() async throws {
        try await withPulls { fixture in
            await fixture.refresh()
            let fresh = PullScript()
            fixture.accounts.connect(1, to: fresh, for: fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fresh.requests == 0)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fresh.requests == 1)
        }
    }

    @Test func `teams that become known later are used`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(teams: nil)
            let reviewers = PullFixture.asks(team: "roost/core").replacing(
                "]}", with: #",{"requestedReviewer":{"__typename":"Team","combinedSlug":"roost/docs"}}]}"#)
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, reviewers))
            await fixture.refresh()
            #expect(try await fixture.item(1)?.reasons.count == 2)
            fixture.gitHub.set(teams: ["roost/core"])
            fixture.pulls.accountsChanged()
            #expect(try await fixture.item(1)?.reasons == [.askedThroughTeam("roost/core")])
        }
    }

    @Test func `the count is published when it changes, the inbox with every refresh`() async throws {
        try await withPulls { fixture in
            let versions = {
                (
                    fixture.feed.version(of: [Topic.pulls(fixture.user)]),
                    fixture.feed.version(of: [Topic.waiting(fixture.user)])
                )
            }
            await fixture.refresh()
            let first = versions()
            fixture.clock.advance(60)
            await fixture.refresh()
            let second = versions()
            #expect(second.0 > first.0 && second.1 == first.1)
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(versions().1 > second.1)
            #expect(
                fixture.feed.version(of: [Topic.pulls(fixture.other), Topic.waiting(fixture.other)]) == 0)
        }
    }

    @Test func `another user sees nothing of it`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            let inbox = try await fixture.pulls.inbox(of: fixture.other)
            #expect(
                inbox.sections.isEmpty && inbox.sources.isEmpty && inbox.hidden.isEmpty && inbox.waiting == 0)
            let refused = await refusal {
                try await fixture.pulls.mark(PullFixture.key(1), .muted, for: fixture.other)
            }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `nothing is kept of a deleted user`() async throws {
        try await withPulls { fixture in
            _ = try await fixture.pulls.addSection(name: "A", query: "x", for: fixture.user)
            try await fixture.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            fixture.pulls.forget(fixture.user)
            #expect(try await fixture.pulls.settings(of: fixture.user) == InboxSettings())
            #expect(fixture.pulls.lastWaiting(for: fixture.user) == nil)
        }
    }

    @Test
    func `the background work refreshes automatically, reacts to clicks, and ends when it is cancelled`()
        async throws
    {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            try await running(fixture) {
                try await wait(for: "the first refresh") {
                    try await fixture.pulls.waiting(for: fixture.user) == 1
                }
                fixture.gitHub.set(.reviewRequested)
                fixture.clock.advance(2)
                #expect(fixture.pulls.retry(for: fixture.user) == .started)
                try await wait(for: "the second refresh") {
                    try await fixture.pulls.waiting(for: fixture.user) == 0
                }
                fixture.accounts.disconnect(1)
                try await wait(for: "the account's removal") { try await fixture.inbox.sources.isEmpty }
            }
        }
    }
}
