import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct RepositoryViewTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/engine"
    private static let readme = "/repos/ada/engine/readme"

    @Test func `an unknown repository is fetched in the background, followed by its README`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, #"<p><a href="docs/use.md">Hello</a></p>"#)
            let first = try await fixture.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(first.item == nil && first.loading.isLoading && !first.isMissing)
            await fixture.runUntilIdle()
            let view = try await fixture.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(view.item?.detail?.stars == 7)
            #expect(view.loading == .loaded(fixture.clock.now))
            #expect(view.readme?.markup.contains("/ada/engine/blob/trunk/docs/use.md") == true)
            #expect(fixture.github.asked.map(\.accept) == [nil, "application/vnd.github.html"])
            #expect(fixture.github.asked.map(\.priority) == [.click, .click])
        }
    }

    @Test func `a name is found in any case`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            let restarted = try await fixture.restarted()
            let view = try await restarted.details.view(
                of: try Fixture.name("ADA/Engine"), for: fixture.grace)
            #expect(view.item?.fullName == "ada/engine")
        }
    }

    @Test func `a row that only a list has is shown while its detail is fetched`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            let view = try await fixture.details.view(of: try Fixture.name("owner5/repo5"), for: fixture.ada)
            #expect(view.item?.id == 5 && view.item?.detail == nil && view.loading.isLoading)
        }
    }

    @Test func `a detail is fresh for an hour, then fetched again with its ETag`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            fixture.github.set(Self.readme, "<p>words</p>", etag: "\"r\"")
            _ = try await fixture.view("ada/engine")
            fixture.clock.advance(3_599)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.count == 2)
            fixture.clock.advance(2)
            let view = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.dropFirst(2).map(\.etag) == ["\"a\"", "\"r\""])
            #expect(view.item?.fetchedAt == fixture.clock.now)
            #expect(view.readme?.markup.contains("words") == true)
        }
    }

    @Test func `while GitHub is unreachable the last detail and README are shown with the error`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, "<p>")
            _ = try await fixture.view("ada/engine")
            let restarted = try await fixture.restarted()
            fixture.clock.advance(7_200)
            fixture.github.fail(Self.path, .networkUnavailable)
            let view = try await restarted.view("ada/engine")
            #expect(view.item?.detail?.stars == 7 && view.readme != nil)
            #expect(view.error == .networkUnavailable && view.loading == .failed(.networkUnavailable))
            #expect((view.nextTryAt ?? .distantPast) > fixture.clock.now)
            #expect(view.item?.fetchedAt == TestClock.start)
        }
    }

    @Test func `with an exhausted limit the row and the reset are shown, and nothing is fetched`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            let reset = fixture.clock.now + 900
            fixture.github.set(budget: 0, of: 60, until: reset)
            let requestCount = fixture.github.asked.count
            let view = try await fixture.view("owner5/repo5")
            #expect(view.item?.id == 5 && view.error == .rateLimited(resetDate: reset))
            #expect(view.budget?.remaining == 0)
            #expect(fixture.github.asked.count == requestCount)
            let name = try Fixture.name("owner5/repo5")
            #expect(fixture.details.retry(name, for: fixture.ada) == .mustWait(until: reset))
        }
    }

    @Test func `a README needs more than three requests left, and says when it has to wait`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, "<p>")
            let reset = fixture.clock.now + 900
            fixture.github.set(budget: 4, of: 60, until: reset)
            let view = try await fixture.view("ada/engine")
            #expect(view.item?.detail != nil && view.readme == nil)
            #expect(view.readmeError == .rateLimited(resetDate: reset) && view.error == nil)
            fixture.clock.advance(901)
            let later = try await fixture.view("ada/engine")
            #expect(later.readme != nil && later.readmeError == nil)
        }
    }

    @Test func `a repository without a README says so, and it is not fetched again within the hour`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let view = try await fixture.view("ada/engine")
            #expect(view.hasNoReadme && view.readme == nil && view.readmeError == nil)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.paths == [Self.path, Self.readme])
        }
    }

    @Test func `a repository blocked for legal reasons is not shown as gone, and its facts are kept`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            fixture.github.fail(Self.path, .legallyBlocked, status: 451)
            fixture.clock.advance(86_400)
            let view = try await fixture.view("ada/engine")
            #expect(view.error == .legallyBlocked)
            #expect(!view.isMissing && view.item != nil)
        }
    }

    @Test(arguments: [404, 410])
    func `a repository that GitHub cannot find is shown as gone, and not fetched again for a while`(
        status: Int
    ) async throws {
        try await withRepositories { fixture in
            fixture.github.fail(Self.path, .invalidResponse(statusCode: status), status: status)
            let view = try await fixture.view("ada/engine")
            #expect(view.isMissing && view.item == nil && view.error == nil)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.paths.count == 1)
            let error = await refusal {
                _ = try await fixture.details.item(named: try Fixture.name("ada/engine"), for: fixture.ada)
            }
            #expect(error?.isNotFound == true)
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            #expect(fixture.details.retry(try Fixture.name("ada/engine"), for: fixture.ada) == .started)
            await fixture.runUntilIdle()
            let restored = try await fixture.details.view(
                of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(!restored.isMissing && restored.item != nil)
        }
    }

    @Test func `a renamed repository is stored under its new name and found under both`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "grace/motor"))
            fixture.github.set("/repos/grace/motor/readme", "<p>")
            let old = try await fixture.view("ada/engine")
            #expect(old.item?.fullName == "grace/motor")
            let new = try await fixture.details.view(of: try Fixture.name("grace/motor"), for: fixture.ada)
            #expect(new.item?.id == 5 && !new.loading.isLoading)
            #expect(try await fixture.rows("repositories") == 1)
        }
    }

    @Test func `a name that another repository has taken over leads to the new one`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            fixture.clock.advance(3_601)
            fixture.github.set(Self.path, Fixture.detail(6, "ada/engine", stars: 1))
            let view = try await fixture.view("ada/engine")
            #expect(view.item?.id == 6)
            let restarted = try await fixture.restarted()
            let after = try await restarted.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(after.item?.id == 6)
        }
    }

    @Test func `an invalid answer is an error, and nothing is stored`() async throws {
        try await withRepositories { fixture in
            for body in ["[]", "{}", "<html>", Fixture.item(5, "ada/engine")] {
                fixture.github.set(Self.path, body)
                let restarted = try await fixture.restarted()
                let view = try await restarted.view("ada/engine")
                #expect(view.error == .invalidResponse(statusCode: 200) && view.item == nil)
            }
            #expect(try await fixture.rows("repositories") == 0)
        }
    }

    @Test func `concurrent views need one request`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let name = try Fixture.name("ada/engine")
            try await withThrowingTaskGroup(of: RepositoryID.self) { group in
                for user in [fixture.ada, fixture.grace, fixture.ada, fixture.grace] {
                    group.addTask { try await fixture.details.item(named: name, for: user).id }
                }
                for try await id in group { #expect(id == 5) }
            }
            #expect(fixture.github.paths.filter { $0 == Self.path }.count == 1)
        }
    }

    @Test
    func `an API client is told where to authorise its token for single sign-on`()
        async throws
    {
        try await withRepositories { fixture in
            let url = "https://github.com/orgs/a/sso?authorization_request=b"
            fixture.github.fail("/repos/a/b", .singleSignOn(authorizationURL: url), status: 403)
            let error = await refusal {
                _ = try await fixture.details.item(named: try Fixture.name("a/b"), for: fixture.ada)
            }
            guard case .unavailable(let why, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(why.contains("single sign-on") && why.hasSuffix(url))
        }
    }

    @Test func `a request for the detail alone does not fetch the README, and a page does`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, #"<p><a href="docs/use.md">Hello</a></p>"#)
            for _ in 0..<2 {
                _ = try await fixture.details.item(named: name, for: fixture.ada)
                await fixture.runUntilIdle()
                #expect(fixture.github.paths.filter { $0 == Self.readme }.isEmpty)
                fixture.clock.advance(4_000)
            }
            let view = try await fixture.view("ada/engine")
            #expect(view.readme != nil)
            #expect(fixture.github.paths == [Self.path, Self.path, Self.path, Self.readme])
        }
    }

    @Test func `a page that joins a request for the detail alone gets its README`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, #"<p><a href="docs/use.md">Hello</a></p>"#)
            fixture.github.hold { path in
                guard path == Self.path else { return }
                _ = try? await fixture.details.view(of: name, for: fixture.grace)
            }
            _ = try await fixture.details.item(named: name, for: fixture.ada)
            await fixture.runUntilIdle()
            let view = try await fixture.details.view(of: name, for: fixture.grace)
            #expect(view.readme != nil)
            #expect(fixture.github.paths == [Self.path, Self.readme])
        }
    }

    @Test func `item waits for GitHub, uses a fresh detail, and falls back to an old one`() async throws {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let item = try await fixture.details.item(named: name, for: fixture.ada)
            #expect(item.detail?.stars == 7)
            fixture.github.fail(Self.path, .serverError(statusCode: 502), status: 502)
            _ = try await fixture.details.item(named: name, for: fixture.ada)
            fixture.clock.advance(4_000)
            let old = try await fixture.details.item(named: name, for: fixture.ada)
            #expect(old.fetchedAt == TestClock.start)
            let error = await refusal {
                fixture.github.fail("/repos/a/b", .serverError(statusCode: 502), status: 502)
                _ = try await fixture.details.item(named: try Fixture.name("a/b"), for: fixture.ada)
            }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
