import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct PullRefreshSourceTests {
    @Test func `one search request and one for details fill every section`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(
                .reviewRequested, PullFixture.node(1, PullFixture.asks("ada")),
                PullFixture.node(2, PullFixture.asks(team: "roost/core")))
            fixture.gitHub.set(
                .yours, PullFixture.node(3, author: "ada", #""statusCheckRollup":{"state":"FAILURE"}"#))
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            fixture.gitHub.set(.assigned, PullFixture.node(6))
            fixture.gitHub.set(
                .reviewed,
                PullFixture.node(
                    5, #""headRefOid":"new""#,
                    #""viewerLatestReview":{"state":"APPROVED","submittedAt":"2026-11-05T10:00:00Z","commit":{"oid":"old"}}"#
                ))
            await fixture.refresh()
            #expect(fixture.gitHub.requests == 1)
            #expect(fixture.gitHub.asked.nodes.count == 1)
            #expect(try await Set(fixture.numbers("turn")) == [1, 2, 3, 6])
            #expect(try await fixture.item(6)?.reasons == [.assigned])
            #expect(try await fixture.numbers("teams") == [2])
            #expect(try await fixture.numbers("yours") == [3])
            #expect(try await fixture.numbers("mentions") == [4])
            #expect(try await fixture.numbers("changed") == [5])
            #expect(try await fixture.inbox.waiting == 4)
            #expect(
                try await fixture.inbox.sections.map(\.id) == [
                    "turn", "teams", "changed", "yours", "mentions",
                ])
            #expect(try await fixture.item(2)?.reasons == [.askedThroughTeam("roost/core")])
            #expect(try await fixture.item(1)?.pull.isRequestedDirectly == true)
        }
    }

    @Test func `the source reports the time of its refresh, its budget and its status`() async throws {
        try await withPulls { fixture in
            #expect(try await fixture.source?.loading == .loading)
            #expect(try await fixture.source?.updatedAt == nil)
            await fixture.refresh()
            let source = try #require(try await fixture.source)
            #expect(
                source.loading == .loaded(fixture.clock.now) && source.error == nil && !source.hasLessDetail)
            #expect(source.budget?.remaining == 4_812 && source.budget?.limit == 5_000)
            #expect(
                source.authentication == .authenticated && source.host == "github.com"
                    && source.login == "ada")
            #expect(source.nextTryAt == fixture.clock.now + 600)
        }
    }

    @Test func `a malformed item is skipped and counted once, however many searches found it`() async throws {
        try await withPulls { fixture async throws in
            let malformed = PullFixture.node(0)
            fixture.gitHub.set(.reviewRequested, malformed, PullFixture.node(1, PullFixture.asks("ada")))
            fixture.gitHub.set(.mentions, malformed)
            await fixture.refresh()
            #expect(try await fixture.numbers("turn") == [1])
            #expect(try await fixture.source?.refused == 1)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `further pages are fetched only for searches that have them`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { query, variables in
                let fields = PullScript.aliases(query).map { alias, variable in
                    let cursor = variables["a\(variable.dropFirst())"].flatMap { Int($0) } ?? 0
                    guard alias == "mentions" else { return #""\#(alias)":\#(PullScript.page([]))"# }
                    let nodes = ((cursor * 50 + 1)...(cursor * 50 + 50)).map { PullFixture.node($0) }
                    let next = cursor < 2 ? "\(cursor + 1)" : nil
                    return #""mentions":\#(PullScript.page(nodes, total: 150, next: next))"#
                }
                return PullScript.answer(fields)
            })
            await fixture.refresh()
            let requests = fixture.gitHub.asked.graphQL
            #expect(requests.count == 3)
            #expect(try await fixture.numbers("mentions").count == 150)
            #expect(PullScript.aliases(requests[1].query).map(\.alias) == ["mentions"])
            #expect(try await fixture.inbox.sections.first { $0.id == "mentions" }?.isCut == false)
        }
    }

    @Test func `more than a thousand results are cut, and the section says so`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.turn(graphQL: { query, variables in
                let fields = PullScript.aliases(query).map { alias, variable in
                    let cursor = variables["a\(variable.dropFirst())"].flatMap { Int($0) } ?? 0
                    guard alias == "yours" else { return #""\#(alias)":\#(PullScript.page([]))"# }
                    let nodes = ((cursor * 50 + 1)...(cursor * 50 + 50)).map {
                        PullFixture.node($0, author: "ada")
                    }
                    return #""yours":\#(PullScript.page(nodes, total: 2345, next: "\(cursor + 1)"))"#
                }
                return PullScript.answer(fields)
            })
            await fixture.refresh()
            let section = try #require(try await fixture.inbox.sections.first { $0.id == "yours" })
            #expect(section.items.count == 1_000 && section.isCut && section.total == 2_345)
            #expect(fixture.gitHub.requests == 20)
        }
    }

    @Test func `a page that repeats itself forever ends the search`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { query, _ in
                PullScript.answer(
                    PullScript.aliases(query).map { alias, _ in
                        #""\#(alias)":\#(PullScript.page([PullFixture.node(1)], total: 9, next: "same"))"#
                    })
            })
            await fixture.refresh()
            #expect(fixture.gitHub.requests <= 3)
            #expect(try await fixture.numbers("mentions") == [1])
        }
    }

    @Test func `an own query that GitHub cannot parse leaves the other sections intact, and reports why`()
        async throws
    {
        try await withPulls { fixture in
            let section = try await fixture.pulls.addSection(name: "Odd", query: "is:odd", for: fixture.user)
            let valid = try await fixture.pulls.addSection(
                name: "Bugs", query: "is:pr label:bug", for: fixture.user)
            fixture.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            let gitHub = fixture.gitHub
            fixture.gitHub.turn(graphQL: { query, variables in
                guard query.contains("own\(section.id):") else { return gitHub.table(query, variables) }
                return
                    #"{"data":null,"errors":[{"message":"The search is odd","path":["own\#(section.id)"]}]}"#
            })
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            await fixture.refresh()
            #expect(try await fixture.numbers("mentions") == [4])
            #expect(try await fixture.numbers("own-\(valid.id)") == [8])
            let odd = try await fixture.inbox.sections.first { $0.id == "own-\(section.id)" }
            #expect(odd?.problem == "The search is odd" && odd?.items.isEmpty == true)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `null nodes next to errors do not affect the others`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { query, _ in
                let fields = PullScript.aliases(query).map { alias, _ in
                    #""\#(alias)":\#(PullScript.page(["null", PullFixture.node(1)]))"#
                }
                return PullScript.answer(
                    fields, errors: #"[{"type":"FORBIDDEN","message":"SAML","path":["asked","nodes",0]}]"#)
            })
            await fixture.refresh()
            #expect(try await fixture.numbers("mentions") == [1])
            #expect(try await fixture.source?.refused == 1)
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.source?.hiddenByGitHub == 1)
            #expect(fixture.log.lines.contains { $0.contains("incomplete") && $0.contains("FORBIDDEN SAML") })
        }
    }

    @Test func `a section that failed alone keeps its items, and the source reports that it is incomplete`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            await fixture.refresh()
            let gitHub = fixture.gitHub
            fixture.gitHub.turn(graphQL: { query, variables in
                gitHub.table(query, variables).replacing(
                    #/"mentions":\{(?s:.*?)\]\}/#, with: #""mentions":null"#)
            })
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(try await fixture.numbers("mentions") == [4])
            #expect(try await fixture.source?.isIncomplete == true)
        }
    }

    @Test func `without the scope for teams they are left out of the query, from then on`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(nodes: { query, _ in
                guard query.contains("combinedSlug") else { return nil }
                return #"{"errors":[{"type":"INSUFFICIENT_SCOPES","message":"needs read:org"}]}"#
            })
            let team = #""reviewRequests":{"nodes":[{"requestedReviewer":{"__typename":"Team"}}]}"#
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, team))
            await fixture.refresh()
            let hasTeams = { fixture.gitHub.asked.nodes.map { $0.query.contains("combinedSlug") } }
            #expect(hasTeams() == [true, false])
            #expect(try await fixture.item(1)?.reasons == [.askedThroughTeam(nil)])
            fixture.clock.advance(60)
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, updatedAt: "2026-11-10T12:00:30Z", team))
            await fixture.refresh()
            #expect(hasTeams() == [true, false, false])
            #expect(try await fixture.source?.hasLessDetail == false)
        }
    }

    @Test func `teams are not requested with a token that is known to lack the scope`() async throws {
        try await withPulls { fixture in
            fixture.accounts.connect(1, to: fixture.gitHub, for: fixture.user, scopes: ["repo"])
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(fixture.gitHub.asked.nodes.map { $0.query.contains("combinedSlug") } == [false])
        }
    }

    @Test func `an outage keeps the last list with its age and reports the error`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, (1...40).map { PullFixture.node($0) })
            await fixture.refresh()
            let then = fixture.clock.now
            fixture.clock.advance(60)
            fixture.gitHub.fail(.serverError(statusCode: 502), status: 502)
            await fixture.refresh()
            #expect(try await fixture.numbers("mentions").count == 40)
            #expect(try await fixture.source?.updatedAt == then)
            #expect(try await fixture.source?.error == .serverError(statusCode: 502))
            #expect(try await fixture.source?.hasLessDetail == false)
            #expect(fixture.gitHub.asked.paths.isEmpty)
            #expect(fixture.log.lines.contains { $0.contains("could not be fetched") })
            fixture.gitHub.recover()
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(try await fixture.source?.error == nil)
            // After a timeout the next request asks for less, however long the list is.
            #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 100)") == false)
            #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 50)") == true)
        }
    }

    @Test func `a GraphQL timeout is an outage, not a reason to fall back to REST`() async throws {
        try await withPulls { fixture async throws in
            let message = "Something went wrong while executing your query."
            fixture.gitHub.turn(graphQL: { _, _ in #"{"data":null,"errors":[{"message":"\#(message)"}]}"# })
            await fixture.refresh()
            #expect(
                try await fixture.source?.error == .serverError(statusCode: 200)
                    && fixture.gitHub.asked.paths.isEmpty)
        }
    }

    @Test func `an unknown mergeability is requested again a few seconds later, three times at most`()
        async throws
    {
        try await withPulls { fixture in
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", #""mergeable":"UNKNOWN""#))
            await fixture.refresh()
            let gitHub = fixture.gitHub
            for (wait, count) in [(2.0, 1), (1.5, 2), (6.5, 3), (12.5, 4), (24.5, 4)] {
                fixture.clock.advance(wait)
                await fixture.pulls.refreshDue()
                #expect(gitHub.requests == count, "after \(wait)")
            }
            #expect(gitHub.asked.graphQL.last?.variables == ["ids": .list(["PR_3"])])
        }
    }

    @Test func `a head's mergeability is kept while GitHub recomputes it, but not for another head`()
        async throws
    {
        try await withPulls { fixture async throws in
            let set = { (mergeable: String, head: String) in
                fixture.gitHub.set(
                    .yours,
                    PullFixture.node(
                        3, author: "ada", #""mergeable":"\#(mergeable)","headRefOid":"\#(head)""#))
            }
            for (mergeable, head, reasons) in [
                ("CONFLICTING", "one", [TurnReason.conflicts]), ("UNKNOWN", "one", [.conflicts]),
                ("UNKNOWN", "two", []), ("CONFLICTING", "two", [.conflicts]), ("MERGEABLE", "two", []),
            ] {
                set(mergeable, head)
                await fixture.refresh()
                fixture.clock.advance(60)
                #expect(try await fixture.item(3, in: "yours")?.reasons == reasons, "\(mergeable) \(head)")
            }
        }
    }

    @Test func `a mergeability is shown once it is known`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", #""mergeable":"UNKNOWN""#))
            await fixture.refresh()
            #expect(try await fixture.item(3, in: "yours")?.pull.mergeable == .unknown)
            fixture.gitHub.turn(graphQL: { _, _ in
                #"{"data":{"nodes":[null,{"id":"PR_3","mergeable":"CONFLICTING"}]}}"#
            })
            fixture.clock.advance(3)
            await fixture.pulls.refreshDue()
            #expect(try await fixture.item(3, in: "yours")?.pull.mergeable == .conflicting)
            fixture.clock.advance(30)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
        }
    }
}
