import Foundation
import RoostServices
import Testing

/// What one account's refreshing makes of answers that are wrong in part or altogether.
@Suite struct PullFaultTests {
    private func later(_ bench: PullBench) async {
        bench.clock.advance(800)
        await bench.pulls.refreshDue()
    }

    private func problem(_ section: String, _ bench: PullBench) -> String? {
        bench.inbox.sections.first { $0.id == section }?.problem
    }

    /// Leaves one search of the table's answer out.
    private func leaveOut(_ alias: String, _ bench: PullBench) {
        let gitHub = bench.gitHub
        gitHub.turn(graphQL: { query, variables in
            let answer = gitHub.table(query, variables)
            guard let start = answer.range(of: "\"\(alias)\":{"),
                let end = answer.range(of: "]}", range: start.upperBound..<answer.endIndex)
            else { return answer }
            return answer.replacingCharacters(
                in: start.lowerBound..<end.upperBound, with: "\"\(alias)\":null")
        })
    }

    @Test(arguments: [
        (
            #"{"data":{"viewer":null,"asked":null,"yours":null},"errors":[{"message":"Something went wrong while"}]}"#,
            APIError.serverError(statusCode: 200)
        ),
        (
            #"{"data":{"asked":null},"errors":[{"message":"Timeout on validation of query"}]}"#,
            .serverError(statusCode: 200)
        ),
        (
            #"{"data":{"asked":null},"errors":[{"message":"It is odd"}]}"#, .invalidResponse(statusCode: 200)
        ),
        (#"{"data":{"viewer":{"login":"ada"}}}"#, .invalidResponse(statusCode: 200)),
        (#"{"data":{}}"#, .invalidResponse(statusCode: 200)),
    ])
    func `an answer without any of the searches is a failure, and the list stays with its age`(
        body: String, error: APIError
    ) async throws {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, PullFixture.node(4))
            await bench.refresh()
            let then = bench.clock.now
            bench.gitHub.turn(graphQL: { _, _ in body })
            await later(bench)
            #expect(bench.source?.error == error && bench.source?.updatedAt == then)
            #expect(bench.numbers("mentions") == [4] && bench.gitHub.asked.paths.isEmpty)
        }
    }

    @Test func `a search that is missing on the first load is said in its sections`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, PullFixture.node(4))
            leaveOut("asked", bench)
            await bench.refresh()
            #expect(bench.source?.error == nil && bench.source?.isIncomplete == true)
            #expect(problem("turn", bench)?.contains("did not answer") == true)
            #expect(problem("teams", bench)?.contains("did not answer") == true)
            #expect(problem("mentions", bench) == nil && bench.numbers("mentions") == [4])
            bench.gitHub.recover()
            await later(bench)
            #expect(problem("turn", bench) == nil && bench.source?.isIncomplete == false)
        }
    }

    @Test(arguments: [
        (403, APIError.forbidden), (404, .invalidResponse(statusCode: 404)),
        (400, .invalidResponse(statusCode: 400)),
    ])
    func `a GraphQL that has answered before is given up only after three refusals in a row`(
        status: Int, error: APIError
    ) async throws {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, PullFixture.node(4))
            await bench.refresh()
            bench.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: error, status: status) })
            for _ in 1...2 {
                await later(bench)
                #expect(bench.source?.error == error && bench.source?.hasLessDetail == false)
                #expect(bench.numbers("mentions") == [4] && bench.gitHub.asked.paths.isEmpty)
            }
            await later(bench)
            #expect(bench.source?.hasLessDetail == true && bench.source?.error == nil)
        }
    }

    @Test func `refusals that are not in a row do not add up, and a click tries GraphQL at once`()
        async throws
    {
        try await withPulls { bench in
            let refuse = { bench.gitHub.fail(.forbidden, status: 403) }
            await bench.refresh()
            for _ in 1...3 {
                refuse()
                await later(bench)
                #expect(bench.source?.error == .forbidden)
                bench.gitHub.recover()
                await later(bench)
                #expect(bench.source?.error == nil)
            }
            bench.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: .forbidden, status: 403) })
            for _ in 1...3 { await later(bench) }
            #expect(bench.source?.hasLessDetail == true)
            bench.gitHub.recover()
            _ = bench.pulls.retry(for: bench.user)
            bench.clock.advance(2)
            await bench.pulls.refreshDue()
            #expect(bench.source?.hasLessDetail == false && bench.source?.error == nil)
        }
    }

    @Test func `the page that GitHub managed is remembered, and grows after several good refreshes`()
        async throws
    {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, (1...48).map { PullFixture.node($0) })
            await bench.refresh()
            bench.gitHub.fail(.serverError(statusCode: 502), status: 502)
            await later(bench)
            bench.gitHub.recover()
            for _ in 1...6 {
                await later(bench)
                #expect(bench.gitHub.asked.graphQL.last?.query.contains("first: 25)") == true)
            }
            await later(bench)
            #expect(bench.gitHub.asked.graphQL.last?.query.contains("first: 35)") == true)
            #expect(bench.gitHub.asked.graphQL.last?.query.contains("first: 50)") == false)
        }
    }

    @Test(arguments: [500, 503])
    func `other outages do not make the pages smaller`(status: Int) async throws {
        try await withPulls { bench in
            bench.gitHub.set(.mentions, (1...48).map { PullFixture.node($0) })
            await bench.refresh()
            bench.gitHub.fail(.serverError(statusCode: status), status: status)
            await later(bench)
            bench.gitHub.recover()
            await later(bench)
            #expect(bench.gitHub.asked.graphQL.last?.query.contains("first: 50)") == true)
        }
    }

    @Test func `each pull request that GitHub refuses to show is counted apart from malformed ones`()
        async throws
    {
        try await withPulls { bench in
            bench.gitHub.turn(graphQL: { query, _ in
                let fields = PullScript.aliases(query).map { alias, _ in
                    let nodes = alias == "asked" ? ["null", "null", "null"] : [PullFixture.node(1)]
                    return #""\#(alias)":\#(PullScript.page(nodes))"#
                }
                return PullScript.answer(
                    fields, errors: #"[{"type":"FORBIDDEN","message":"SAML","path":["asked","nodes",0]}]"#)
            })
            await bench.refresh()
            #expect(bench.source?.hiddenByGitHub == 3 && bench.source?.refused == 0)
            #expect(bench.numbers("mentions") == [1])
            bench.gitHub.recover()
            await later(bench)
            #expect(bench.source?.hiddenByGitHub == 0)
        }
    }

    @Test func `times ahead of ours are counted, once a refresh`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(
                .mentions, PullFixture.node(1, updatedAt: "2026-11-10T15:00:00Z"),
                PullFixture.node(2, updatedAt: "2026-11-11T15:00:00Z"), PullFixture.node(3))
            await bench.refresh()
            let lines = bench.log.lines.filter { $0.contains("ahead of ours") }
            #expect(lines.count == 1 && lines.first?.contains("2") == true)
            #expect(bench.item(1, in: "mentions")?.pull.updatedAt == bench.clock.now)
        }
    }
}
