import Foundation
import Testing

@testable import GitHub

@Suite struct RepositoryViewTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/engine"
    private static let readme = "/repos/ada/engine/readme"

    @Test func `a repository that is not known is on its way, with its README behind it`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, "<p>Hello</p>")
            let first = try await fixture.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(first.item == nil && first.loading.isLoading && !first.isGone)
            await fixture.runUntilIdle()
            let view = try await fixture.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(view.item?.detail?.stars == 7)
            #expect(view.loading == .loaded(fixture.clock.now))
            #expect(view.readme == Readme(parts: [.markup("ada/engine trunk <p>Hello</p>")]))
            #expect(fixture.github.asked.map(\.accept) == [nil, "application/vnd.github.html"])
            #expect(fixture.github.asked.map(\.priority) == [.click, .click])
        }
    }

    @Test func `a name is found in any case of letters`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            let again = try await fixture.restarted()
            let view = try await again.details.view(of: try Fixture.name("ADA/Engine"), for: fixture.grace)
            #expect(view.item?.fullName == "ada/engine")
        }
    }

    @Test func `a row that only a list knows is shown while its detail comes`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            let view = try await fixture.details.view(of: try Fixture.name("owner5/repo5"), for: fixture.ada)
            #expect(view.item?.id == 5 && view.item?.detail == nil && view.loading.isLoading)
        }
    }

    @Test func `a detail is fresh for an hour, then asked for with its tag`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            fixture.github.set(Self.readme, "<p>", etag: "\"r\"")
            _ = try await fixture.view("ada/engine")
            fixture.clock.advance(3_599)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.count == 2)
            fixture.clock.advance(2)
            let view = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.dropFirst(2).map(\.etag) == ["\"a\"", "\"r\""])
            #expect(view.item?.fetchedAt == fixture.clock.now)
            #expect(view.readme == Readme(parts: [.markup("ada/engine trunk <p>")]))
        }
    }

    @Test func `with the upstream off the last detail and README stay, and the error is said`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, "<p>")
            _ = try await fixture.view("ada/engine")
            let again = try await fixture.restarted()
            fixture.clock.advance(7_200)
            fixture.github.fail(Self.path, .networkUnavailable)
            let view = try await again.view("ada/engine")
            #expect(view.item?.detail?.stars == 7 && view.readme != nil)
            #expect(view.error == .networkUnavailable && view.loading == .failed(.networkUnavailable))
            #expect((view.nextTryAt ?? .distantPast) > fixture.clock.now)
            #expect(view.item?.fetchedAt == TestClock.start)
        }
    }

    @Test func `with nothing left of the limit the row is shown, the reset said, and nothing asked`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            let reset = fixture.clock.now + 900
            fixture.github.set(budget: 0, of: 60, until: reset)
            let asked = fixture.github.asked.count
            let view = try await fixture.view("owner5/repo5")
            #expect(view.item?.id == 5 && view.error == .rateLimited(resetDate: reset))
            #expect(view.budget?.remaining == 0)
            #expect(fixture.github.asked.count == asked)
            let name = try Fixture.name("owner5/repo5")
            #expect(fixture.details.retry(name, for: fixture.ada) == .mustWait(until: reset))
        }
    }

    @Test func `a README needs more than three requests left, and says so when it has to wait`() async throws
    {
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

    @Test func `a repository without a README says so, and is not asked again within the hour`() async throws
    {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let view = try await fixture.view("ada/engine")
            #expect(view.hasNoReadme && view.readme == nil && view.readmeError == nil)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.paths == [Self.path, Self.readme])
        }
    }

    @Test func `what is withheld for legal reasons is not said to be gone, and what is known of it stays`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            fixture.github.fail(Self.path, .legallyBlocked, status: 451)
            fixture.clock.advance(86_400)
            let view = try await fixture.view("ada/engine")
            #expect(view.error == .legallyBlocked)
            #expect(!view.isGone && view.item != nil)
        }
    }

    @Test(arguments: [404, 410])
    func `what is not there is said to be gone, once for a while`(status: Int) async throws {
        try await withRepositories { fixture in
            fixture.github.fail(Self.path, .invalidResponse(statusCode: status), status: status)
            let view = try await fixture.view("ada/engine")
            #expect(view.isGone && view.item == nil && view.error == nil)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.paths.count == 1)
            let error = await refusal {
                _ = try await fixture.details.item(named: try Fixture.name("ada/engine"), for: fixture.ada)
            }
            #expect(error?.isNotFound == true)
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            #expect(fixture.details.retry(try Fixture.name("ada/engine"), for: fixture.ada) == .started)
            await fixture.runUntilIdle()
            let back = try await fixture.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(!back.isGone && back.item != nil)
        }
    }

    @Test func `a renamed repository is kept under its new name and answers to both`() async throws {
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

    @Test func `a name that another repository has taken over is the new one's`() async throws {
        try await withRepositories { fixture in
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await fixture.view("ada/engine")
            fixture.clock.advance(3_601)
            fixture.github.set(Self.path, Fixture.detail(6, "ada/engine", stars: 1))
            let view = try await fixture.view("ada/engine")
            #expect(view.item?.id == 6)
            let again = try await fixture.restarted()
            let after = try await again.details.view(of: try Fixture.name("ada/engine"), for: fixture.ada)
            #expect(after.item?.id == 6)
        }
    }

    @Test func `an answer that is no repository is an error, and nothing is kept`() async throws {
        try await withRepositories { fixture in
            for body in ["[]", "{}", "<html>", Fixture.item(5, "ada/engine")] {
                fixture.github.set(Self.path, body)
                let again = try await fixture.restarted()
                let view = try await again.view("ada/engine")
                #expect(view.error == .invalidResponse(statusCode: 200) && view.item == nil)
            }
            #expect(try await fixture.rows("repositories") == 0)
        }
    }

    @Test func `several who look at once cost one request`() async throws {
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
    func `a program that wants a repository behind single sign-on is told where to authorise the token`()
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

    @Test func `whoever wants the detail alone costs no request for a README, and a page does`() async throws
    {
        try await withRepositories { fixture in
            let name = try Fixture.name("ada/engine")
            fixture.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            fixture.github.set(Self.readme, "<p>Hello</p>")
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
            fixture.github.set(Self.readme, "<p>Hello</p>")
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

    @Test func `item waits for GitHub, takes what is fresh, and falls back on what is old`() async throws {
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
