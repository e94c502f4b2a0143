import Foundation
import Testing

@testable import GitHub

/// What a refresh requests after the searches: all details of changed pull requests, and little of the others.
@Suite struct PullChangesTests {
    private let running = #""statusCheckRollup":{"state":"PENDING"}"#

    private func open(_ count: Int) -> String {
        let threads = Array(repeating: #"{"isResolved":false}"#, count: count).joined(separator: ",")
        return #""reviewThreads":{"totalCount":2,"nodes":[\#(threads)]}"#
    }

    /// The ids that the last refresh requested, by operation and list.
    private func lists(_ fixture: PullServiceFixture, since count: Int = 0) -> [String: [String]] {
        fixture.gitHub.asked.nodes[count...].reduce(into: [:]) { lists, asked in
            let name = asked.query.prefixMatch(of: #/query (\w+)/#).map { String($0.1) } ?? ""
            for (list, value) in asked.variables {
                if case .list(let ids) = value { lists["\(name).\(list)", default: []] += ids.sorted() }
            }
        }
    }

    private func refreshed(_ fixture: PullServiceFixture, after seconds: TimeInterval = 60) async -> [String:
        [String]]
    {
        let count = fixture.gitHub.asked.nodes.count
        fixture.clock.advance(seconds)
        await fixture.refresh()
        return lists(fixture, since: count)
    }

    @Test func `the first refresh requests all details, with review threads where they matter`() async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1), PullFixture.node(2))
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada"))
            fixture.gitHub.set(.commented, PullFixture.node(2))
            await fixture.refresh()
            #expect(lists(fixture) == ["Details.discussed": ["PR_2", "PR_3"], "Details.others": ["PR_1"]])
            #expect(fixture.gitHub.requests == 1)
        }
    }

    @Test func `nothing is requested for unchanged pull requests`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(await refreshed(fixture).isEmpty)
            #expect(try await fixture.item(1)?.reasons == [.askedByName])
            #expect(fixture.gitHub.requests == 2)
        }
    }

    @Test(arguments: [
        (#""headRefOid":"new""#, "a push"), (#""reviewDecision":"APPROVED""#, "a decision"),
        (#""totalCommentsCount":3"#, "a comment"), (#""isDraft":true"#, "a draft"),
        (#""updatedAt":"2026-11-10T12:00:30Z""#, "anything"),
    ])
    func `all details are requested for a changed pull request, and for no other`(
        change: String, what: String
    )
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(1), PullFixture.node(2))
            await fixture.refresh()
            fixture.gitHub.set(.mentions, PullFixture.node(1), PullFixture.node(2, change))
            #expect(
                await refreshed(fixture) == ["Details.discussed": [], "Details.others": ["PR_2"]], "\(what)")
        }
    }

    @Test func `mergeability and merge queue come with the search and need no further request`() async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", #""mergeable":"MERGEABLE""#))
            await fixture.refresh()
            let more = #""mergeable":"CONFLICTING","isInMergeQueue":true"#
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", more))
            #expect(await refreshed(fixture).isEmpty)
            #expect(try await fixture.item(3, in: "yours")?.reasons == [.conflicts])
        }
    }

    @Test func `running checks are requested separately until they have ended`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", running))
            await fixture.refresh()
            #expect(await refreshed(fixture) == ["Checks.running": ["PR_3"], "Checks.open": []])
            let failed = #"""
                "statusCheckRollup":{"state":"FAILURE"},"commits":{"nodes":[{"commit":{"checkSuites":{"nodes":[
                {"conclusion":"FAILURE","updatedAt":"2026-11-10T11:30:00Z"}]}}}]}
                """#
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", failed))
            #expect(await refreshed(fixture) == ["Checks.running": ["PR_3"], "Checks.open": []])
            let item = try await fixture.item(3)
            #expect(item?.reasons == [.checksFail])
            #expect(try item?.waitingSince == PullFixture.date("2026-11-10T11:30:00Z"))
            #expect(await refreshed(fixture).isEmpty)
        }
    }

    @Test func `a resolved thread is noticed although the update time stays the same`() async throws {
        try await withPulls { fixture async throws in
            let comment = PullFixture.comment("hedy", "2026-11-09T10:00:00Z")
            let thread = { (isResolved: Bool) in
                #""threads":{"nodes":[{"isResolved":\#(isResolved),"comments":{"nodes":[\#(comment)]}}]}"#
            }
            fixture.gitHub.set(.yours, PullFixture.node(3, author: "ada", open(1), thread(false)))
            await fixture.refresh()
            #expect(try await fixture.item(3)?.reasons == [.commentUnanswered])
            #expect(await refreshed(fixture) == ["Checks.running": [], "Checks.open": ["PR_3"]])
            let resolved = PullFixture.node(3, author: "ada", open(0), thread(true))
            fixture.gitHub.turn(nodes: { query, _ in
                let lists =
                    query.contains("query Checks(")
                    ? #""running":[],"open":[\#(resolved)]"# : #""discussed":[\#(resolved)],"others":[]"#
                return #"{"data":{\#(lists)}}"#
            })
            #expect(
                await refreshed(fixture) == [
                    "Checks.running": [], "Checks.open": ["PR_3"], "Details.discussed": ["PR_3"],
                    "Details.others": [],
                ])
            #expect(try await fixture.item(3) == nil)
        }
    }

    @Test func `everything is fetched again within half an hour, a share with each refresh`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, (1...60).map { PullFixture.node($0) })
            await fixture.refresh()
            var asked: [Int] = []
            for _ in 1...60 { asked.append(await refreshed(fixture)["Details.others"]?.count ?? 0) }
            // Nothing younger than fifteen minutes is fetched again; then two of the sixty are fetched every minute.
            #expect(asked.prefix(14).allSatisfy { $0 == 0 })
            #expect(asked.dropFirst(14).prefix(30) == Array(repeating: 2, count: 30)[...])
            #expect(asked.allSatisfy { $0 <= 2 })
        }
    }

    @Test func `a pull request found within seconds of its update is requested once more`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(1, updatedAt: "2026-11-10T11:59:55Z"))
            await fixture.refresh()
            #expect(await refreshed(fixture)["Details.others"] == ["PR_1"])
            #expect(await refreshed(fixture).isEmpty)
        }
    }

    @Test func `if GitHub returns no details, the known ones are kept and requested again`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            fixture.gitHub.turn(nodes: { _, _ in
                #"{"data":{"discussed":[],"others":[null]},"errors":[{"type":"NOT_FOUND","message":"gone"}]}"#
            })
            fixture.gitHub.set(
                .reviewRequested, PullFixture.node(1, PullFixture.asks("ada"), #""headRefOid":"new""#))
            #expect(await refreshed(fixture)["Details.others"] == ["PR_1"])
            #expect(try await fixture.item(1)?.reasons == [.askedByName])
            fixture.gitHub.turn(nodes: nil)
            #expect(await refreshed(fixture)["Details.others"] == ["PR_1"])
            #expect(await refreshed(fixture).isEmpty)
        }
    }

    @Test
    func `a new pull request without details is judged by the searches, and marked as such`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1), PullFixture.node(2))
            fixture.gitHub.set(.reviewRequestedByName, PullFixture.node(1))
            fixture.gitHub.turn(nodes: { _, _ in
                #"{"data":{"discussed":[],"others":[null,null]},"errors":[{"type":"FORBIDDEN","message":"SAML"}]}"#
            })
            await fixture.refresh()
            #expect(try await fixture.item(1)?.reasons == [.askedByName])
            #expect(try await fixture.item(1)?.pull.isRequestedDirectly == true)
            #expect(try await fixture.item(2)?.reasons == [.askedThroughTeam(nil)])
            #expect(try await fixture.source?.isIncomplete == true)
            #expect(fixture.gitHub.requests == 2)
            fixture.gitHub.turn(nodes: nil)
            fixture.gitHub.set(
                .reviewRequested, PullFixture.node(1, PullFixture.asks("ada")),
                PullFixture.node(2, PullFixture.asks(team: "roost/core")))
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(try await fixture.item(1)?.reasons == [.askedByName])
            #expect(try await fixture.item(2)?.reasons == [.askedThroughTeam("roost/core")])
            #expect(try await fixture.source?.isIncomplete == false)
            #expect(fixture.gitHub.requests == 3)
        }
    }

    @Test func `a schema that is too old for the details falls back to REST`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            fixture.gitHub.turn(nodes: { _, _ in
                #"{"errors":[{"message":"Field 'checkRunCountsByState' doesn't exist on type 'StatusCheckRollupContextConnection'","extensions":{"code":"undefinedField"}}]}"#
            })
            await fixture.refresh()
            #expect(try await fixture.source?.hasLessDetail == true)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `details that time out are an outage, and the next request asks for fewer`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, (1...60).map { PullFixture.node($0) })
            fixture.gitHub.turn(nodes: { _, _ in
                throw GitHubFailure(error: .serverError(statusCode: 502), status: 502)
            })
            await fixture.refresh()
            #expect(try await fixture.source?.error == .serverError(statusCode: 502))
            fixture.gitHub.turn(nodes: nil)
            fixture.clock.advance(60)
            let count = fixture.gitHub.asked.nodes.count
            await fixture.refresh()
            #expect(try await fixture.source?.error == nil)
            // 50 and 10 before: 25, 25 and 10 now.
            #expect(fixture.gitHub.asked.nodes.count - count == 3)
        }
    }
}
