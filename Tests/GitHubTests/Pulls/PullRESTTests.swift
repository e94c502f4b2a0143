import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Refreshing one account when GraphQL is not available.
@Suite struct PullRESTTests {
    private func refuse(_ fixture: PullServiceFixture, status: Int = 404, _ error: APIError? = nil) {
        let failure = GitHubFailure(error: error ?? .invalidResponse(statusCode: status), status: status)
        fixture.gitHub.turn(graphQL: { _, _ in throw failure })
    }

    /// Answers searches whose query contains a text.
    private func answer(_ fixture: PullServiceFixture, _ table: [String: [String]]) {
        fixture.gitHub.turn(rest: { path, _ in
            let query = path.removingPercentEncoding ?? ""
            let items = table.first { query.contains(" \($0.key)&") }?.value ?? []
            return .init(status: 200, body: PullFixture.search(items), etag: nil)
        })
    }

    @Test(arguments: [
        (404, APIError.invalidResponse(statusCode: 404)), (403, .forbidden),
        (410, .invalidResponse(statusCode: 410)),
    ])
    func `a host without GraphQL is searched by REST, with less detail and a notice`(
        status: Int, error: APIError
    ) async throws {
        try await withPulls { fixture in
            refuse(fixture, status: status, error)
            answer(
                fixture,
                [
                    "review-requested:@me": [PullFixture.item(1), PullFixture.item(2), PullFixture.item(3)],
                    "user-review-requested:@me": [PullFixture.item(1)],
                    "team-review-requested:roost/core": [PullFixture.item(2)],
                    "assignee:@me -author:@me": [PullFixture.item(7)],
                    "author:@me": [PullFixture.item(5, author: "ada")], "mentions:@me": [PullFixture.item(6)],
                ])
            await fixture.refresh()
            #expect(try await fixture.source?.hasLessDetail == true)
            #expect(try await fixture.source?.error == nil)
            #expect(try await fixture.item(1)?.reasons == [.askedByName])
            #expect(try await fixture.item(2)?.reasons == [.askedThroughTeam("roost/core")])
            #expect(try await fixture.item(3)?.reasons == [.askedThroughTeam(nil)])
            #expect(try await fixture.item(7)?.reasons == [.assigned])
            #expect(try await Set(fixture.numbers("teams")) == [2, 3])
            #expect(try await fixture.numbers("yours") == [5])
            #expect(try await fixture.numbers("mentions") == [6])
            let changed = try await fixture.inbox.sections.first { $0.id == "changed" }
            #expect(changed?.problem?.contains("when you reviewed") == true)
        }
    }

    @Test(arguments: ["<html>Sign in</html>", "[]", "{}", #"{"message":"Not Found"}"#, ""])
    func `an answer that is not GraphQL means that there is no GraphQL`(body: String) async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { _, _ in body })
            await fixture.refresh()
            #expect(try await fixture.source?.hasLessDetail == true)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `for a schema without merge queues they are left out of the query, from then on`() async throws
    {
        try await withPulls { fixture async throws in
            let gitHub = fixture.gitHub
            gitHub.turn(graphQL: { query, variables in
                guard query.contains("isInMergeQueue") else { return gitHub.table(query, variables) }
                return
                    #"{"errors":[{"message":"Field 'isInMergeQueue' doesn't exist on type 'PullRequest'","extensions":{"code":"undefinedField"}}]}"#
            })
            gitHub.set(.reviewRequested, PullFixture.node(1, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(try await fixture.source?.hasLessDetail == false)
            #expect(try await fixture.numbers("turn") == [1])
            #expect(gitHub.requests == 2)
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(gitHub.requests == 3)
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `an older schema falls back to REST`() async throws {
        try await withPulls { fixture async throws in
            fixture.gitHub.turn(graphQL: { _, _ in
                #"{"errors":[{"message":"Field 'totalCommentsCount' doesn't exist on type 'PullRequest'","extensions":{"code":"undefinedField"}}]}"#
            })
            await fixture.refresh()
            #expect(try await fixture.source?.hasLessDetail == true)
        }
    }

    @Test func `an invalid answer from GraphQL that has worked before is an error`() async throws {
        try await withPulls { fixture async throws in
            await fixture.refresh()
            fixture.gitHub.turn(graphQL: { _, _ in "<html>" })
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(
                try await fixture.source?.error == .invalidResponse(statusCode: 200)
                    && fixture.gitHub.asked.paths.isEmpty)
        }
    }

    @Test(arguments: [
        APIError.rateLimited(resetDate: TestClock.start + 300), .serverError(statusCode: 503),
        .networkUnavailable,
    ])
    func `limits and outages do not fall back to REST`(error: APIError) async throws {
        try await withPulls { fixture async throws in
            refuse(fixture, status: 0, error)
            await fixture.refresh()
            #expect(try await fixture.source?.error == error && fixture.gitHub.asked.paths.isEmpty)
        }
    }

    @Test func `GraphQL is tried again after ten minutes`() async throws {
        try await withPulls { fixture async throws in
            refuse(fixture)
            await fixture.refresh()
            fixture.gitHub.turn(graphQL: nil)
            fixture.pulls.watch(fixture.user)
            fixture.clock.advance(60)
            await fixture.pulls.refreshDue()
            #expect(
                try await fixture.source?.hasLessDetail == true && fixture.gitHub.asked.graphQL.count == 1)
            fixture.clock.advance(601)
            await fixture.pulls.refreshDue()
            #expect(
                try await fixture.source?.hasLessDetail == false && fixture.gitHub.asked.graphQL.count == 2)
        }
    }

    @Test func `an unchanged search is answered 304`() async throws {
        try await withPulls { fixture async throws in
            refuse(fixture)
            let etags = Mutex<[String?]>([])
            fixture.gitHub.turn(rest: { _, etag in
                etags.withLock { $0.append(etag) }
                if etag != nil { return .init(status: 304, body: Data()) }
                return .init(status: 200, body: PullFixture.search([PullFixture.item(1)]), etag: "W/\"1\"")
            })
            await fixture.refresh()
            let count = etags.withLock { $0.count }
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(etags.withLock { $0 }.suffix(count).allSatisfy { $0 == "W/\"1\"" })
            #expect(try await fixture.numbers("mentions") == [1])
            #expect(try await fixture.source?.error == nil)
        }
    }

    @Test func `further pages are followed by their links, within the search only`() async throws {
        try await withPulls { fixture in
            refuse(fixture)
            fixture.gitHub.turn(rest: { path, _ in
                guard path.contains("mentions") else {
                    return .init(status: 200, body: PullFixture.search([]))
                }
                let page = path.contains("page=3") ? 3 : path.contains("page=2") ? 2 : 1
                let next = page == 3 ? "/user/emails" : "/search/issues?q=mentions&page=\(page + 1)"
                return .init(
                    status: 200, body: PullFixture.search([PullFixture.item(page)], total: 1_500),
                    links: ["next": next])
            })
            await fixture.refresh()
            #expect(
                try await Set(fixture.numbers("mentions")) == [1, 2, 3]
                    && !fixture.gitHub.asked.paths.contains("/user/emails"))
            let mentions = try await fixture.inbox.sections.first { $0.id == "mentions" }
            #expect(mentions?.isCut == true && mentions?.total == 1_500)
        }
    }

    @Test func `a query that GitHub refuses is reported, and the others are searched`() async throws {
        try await withPulls { fixture in
            refuse(fixture)
            let section = try await fixture.pulls.addSection(name: "Odd", query: "is:odd", for: fixture.user)
            fixture.gitHub.turn(rest: { path, _ in
                guard path.contains("odd") else {
                    return .init(status: 200, body: PullFixture.search([PullFixture.item(1)]))
                }
                throw GitHubFailure(
                    error: .invalidResponse(statusCode: 422), status: 422,
                    detail: "status 422: Validation Failed")
            })
            await fixture.refresh()
            let odd = try await fixture.inbox.sections.first { $0.id == "own-\(section.id)" }
            #expect(odd?.problem == "Validation Failed")
            #expect(try await fixture.numbers("mentions") == [1])
        }
    }

    @Test func `an incomplete search is reported as such`() async throws {
        try await withPulls { fixture async throws in
            refuse(fixture)
            fixture.gitHub.turn(rest: { _, _ in
                .init(
                    status: 200, body: Data(#"{"total_count":0,"incomplete_results":true,"items":[]}"#.utf8))
            })
            await fixture.refresh()
            #expect(try await fixture.source?.isIncomplete == true)
        }
    }

    @Test func `a limit in the middle of a refresh keeps the last list`() async throws {
        try await withPulls { fixture async throws in
            refuse(fixture)
            answer(fixture, ["mentions:@me": [PullFixture.item(6)]])
            await fixture.refresh()
            let reset = fixture.clock.now + 90
            fixture.gitHub.turn(rest: { path, _ in
                guard path.contains("author") else { return .init(status: 200, body: PullFixture.search([])) }
                throw GitHubFailure(error: .rateLimited(resetDate: reset), status: 403)
            })
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(try await fixture.numbers("mentions") == [6])
            #expect(try await fixture.source?.error == .rateLimited(resetDate: reset))
            #expect(fixture.pulls.retry(for: fixture.user) == .mustWait(until: reset))
        }
    }

    @Test func `many own sections take turns within the limit of searches per minute`() async throws {
        try await withPulls { fixture in
            refuse(fixture)
            fixture.gitHub.set(teams: nil)
            for number in 1...20 {
                _ = try await fixture.pulls.addSection(
                    name: "S\(number)", query: "label:s\(number)", for: fixture.user)
            }
            fixture.gitHub.turn(rest: { _, _ in
                .init(status: 200, body: PullFixture.search([PullFixture.item(1)]))
            })
            await fixture.refresh()
            #expect(fixture.gitHub.asked.paths.count == 20)
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(
                try await fixture.inbox.sections.filter { $0.kind == .own }.allSatisfy { $0.items.count == 1 }
            )
        }
    }
}
