import Foundation
import Testing

@testable import GitHub
@testable import RoostSupport

/// How one account's refresh handles answers that are wrong in part or as a whole.
@Suite struct PullFaultTests {
    private func later(_ fixture: PullServiceFixture) async {
        fixture.clock.advance(800)
        await fixture.pulls.refreshDue()
    }

    private func problem(_ section: String, _ fixture: PullServiceFixture) async throws -> String? {
        try await fixture.inbox.sections.first { $0.id == section }?.problem
    }

    private func leaveOut(_ alias: String, _ fixture: PullServiceFixture) {
        let gitHub = fixture.gitHub
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
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            await fixture.refresh()
            let then = fixture.clock.now
            fixture.gitHub.turn(graphQL: { _, _ in body })
            await later(fixture)
            #expect(try await fixture.source?.error == error)
            #expect(try await fixture.source?.updatedAt == then)
            #expect(try await fixture.numbers("mentions") == [4] && fixture.gitHub.asked.paths.isEmpty)
        }
    }

    @Test func `a search that is missing on the first load is reported in its sections`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            leaveOut("asked", fixture)
            await fixture.refresh()
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.source?.isIncomplete == true)
            #expect(try await problem("turn", fixture)?.contains("did not answer") == true)
            #expect(try await problem("teams", fixture)?.contains("did not answer") == true)
            #expect(try await problem("mentions", fixture) == nil)
            #expect(try await fixture.numbers("mentions") == [4])
            fixture.gitHub.recover()
            await later(fixture)
            #expect(try await problem("turn", fixture) == nil)
            #expect(try await fixture.source?.isIncomplete == false)
        }
    }

    @Test(arguments: [
        (403, APIError.forbidden), (404, .invalidResponse(statusCode: 404)),
        (400, .invalidResponse(statusCode: 400)),
    ])
    func `GraphQL that has worked before is abandoned only after three refusals in a row`(
        status: Int, error: APIError
    ) async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(.mentions, PullFixture.node(4))
            await fixture.refresh()
            fixture.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: error, status: status) })
            for _ in 1...2 {
                await later(fixture)
                #expect(try await fixture.source?.error == error)
                #expect(try await fixture.source?.hasLessDetail == false)
                #expect(try await fixture.numbers("mentions") == [4] && fixture.gitHub.asked.paths.isEmpty)
            }
            await later(fixture)
            #expect(try await fixture.source?.hasLessDetail == true)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `refusals that are not in a row do not add up, and a click tries GraphQL at once`()
        async throws
    {
        try await withPulls { fixture async throws in
            let refuse = { fixture.gitHub.fail(.forbidden, status: 403) }
            await fixture.refresh()
            for _ in 1...3 {
                refuse()
                await later(fixture)
                #expect(try await fixture.source?.error == .forbidden)
                fixture.gitHub.recover()
                await later(fixture)
                #expect(try await fixture.source?.error == nil)
            }
            fixture.gitHub.turn(graphQL: { _, _ in throw GitHubFailure(error: .forbidden, status: 403) })
            for _ in 1...3 { await later(fixture) }
            #expect(try await fixture.source?.hasLessDetail == true)
            fixture.gitHub.recover()
            _ = fixture.pulls.retry(for: fixture.user)
            fixture.clock.advance(2)
            await fixture.pulls.refreshDue()
            #expect(try await fixture.source?.hasLessDetail == false)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `the page size that worked after a timeout is kept, and grows after several good refreshes`()
        async throws
    {
        try await withPulls { fixture in
            fixture.gitHub.set(.mentions, (1...48).map { PullFixture.node($0) })
            await fixture.refresh()
            fixture.gitHub.fail(.serverError(statusCode: 502), status: 502)
            await later(fixture)
            fixture.gitHub.recover()
            for _ in 1...6 {
                await later(fixture)
                #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 50)") == true)
            }
            await later(fixture)
            #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 70)") == true)
            #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 100)") == false)
        }
    }

    @Test(arguments: [500, 503])
    func `other outages do not reduce the page size`(status: Int) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.mentions, (1...48).map { PullFixture.node($0) })
            await fixture.refresh()
            fixture.gitHub.fail(.serverError(statusCode: status), status: status)
            await later(fixture)
            fixture.gitHub.recover()
            await later(fixture)
            #expect(fixture.gitHub.asked.graphQL.last?.query.contains("first: 100)") == true)
        }
    }

    @Test func `pull requests that GitHub refuses to show are counted separately from malformed ones`()
        async throws
    {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { query, _ in
                let fields = PullScript.aliases(query).map { alias, _ in
                    let nodes = alias == "asked" ? ["null", "null", "null"] : [PullFixture.node(1)]
                    return #""\#(alias)":\#(PullScript.page(nodes))"#
                }
                return PullScript.answer(
                    fields, errors: #"[{"type":"FORBIDDEN","message":"SAML","path":["asked","nodes",0]}]"#)
            })
            await fixture.refresh()
            #expect(try await fixture.source?.hiddenByGitHub == 3)
            #expect(try await fixture.source?.refused == 0)
            #expect(try await fixture.numbers("mentions") == [1])
            fixture.gitHub.recover()
            await later(fixture)
            #expect(try await fixture.source?.hiddenByGitHub == 0)
        }
    }

    @Test func `times ahead of Roost's clock are counted once per refresh`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.set(
                .mentions, PullFixture.node(1, updatedAt: "2026-11-10T15:00:00Z"),
                PullFixture.node(2, updatedAt: "2026-11-11T15:00:00Z"), PullFixture.node(3))
            await fixture.refresh()
            let lines = fixture.log.lines.filter { $0.contains("in the future") }
            #expect(lines.count == 1 && lines.first?.contains("2") == true)
            #expect(try await fixture.item(1, in: "mentions")?.pull.updatedAt == fixture.clock.now)
        }
    }
}
