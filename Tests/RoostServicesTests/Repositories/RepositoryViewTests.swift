import Foundation
import RoostServices
import Testing

@Suite struct RepositoryViewTests {
    private typealias Fixture = RepositoryFixture
    private static let path = "/repos/ada/engine"
    private static let readme = "/repos/ada/engine/readme"

    @Test func `a repository that is not known is on its way, with its README behind it`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            bench.github.set(Self.readme, "<p>Hello</p>")
            let first = try await bench.details.view(of: try Fixture.name("ada/engine"), for: bench.ada)
            #expect(first.item == nil && first.loading.isLoading && !first.isGone)
            await bench.settle()
            let view = try await bench.details.view(of: try Fixture.name("ada/engine"), for: bench.ada)
            #expect(view.item?.detail?.stars == 7)
            #expect(view.loading == .loaded(bench.clock.now))
            #expect(view.readme == Readme(parts: [.markup("ada/engine trunk <p>Hello</p>")]))
            #expect(bench.github.asked.map(\.accept) == [nil, "application/vnd.github.html"])
            #expect(bench.github.asked.map(\.priority) == [.click, .click])
        }
    }

    @Test func `a name is found in any case of letters`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await bench.view("ada/engine")
            let again = try await bench.restarted()
            let view = try await again.details.view(of: try Fixture.name("ADA/Engine"), for: bench.grace)
            #expect(view.item?.fullName == "ada/engine")
        }
    }

    @Test func `a row that only a list knows is shown while its detail comes`() async throws {
        try await withRepositories { bench in
            bench.script(pages: 1)
            _ = try await bench.listing(.all(since: 0))
            let view = try await bench.details.view(of: try Fixture.name("owner5/repo5"), for: bench.ada)
            #expect(view.item?.id == 5 && view.item?.detail == nil && view.loading.isLoading)
        }
    }

    @Test func `a detail is fresh for an hour, then asked for with its tag`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"), etag: "\"a\"")
            bench.github.set(Self.readme, "<p>", etag: "\"r\"")
            _ = try await bench.view("ada/engine")
            bench.clock.advance(3_599)
            _ = try await bench.view("ada/engine")
            #expect(bench.github.asked.count == 2)
            bench.clock.advance(2)
            let view = try await bench.view("ada/engine")
            #expect(bench.github.asked.dropFirst(2).map(\.etag) == ["\"a\"", "\"r\""])
            #expect(view.item?.fetchedAt == bench.clock.now)
            #expect(view.readme == Readme(parts: [.markup("ada/engine trunk <p>")]))
        }
    }

    @Test func `with the upstream off the last detail and README stay, and the error is said`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            bench.github.set(Self.readme, "<p>")
            _ = try await bench.view("ada/engine")
            let again = try await bench.restarted()
            bench.clock.advance(7_200)
            bench.github.fail(Self.path, .networkUnavailable)
            let view = try await again.view("ada/engine")
            #expect(view.item?.detail?.stars == 7 && view.readme != nil)
            #expect(view.error == .networkUnavailable && view.loading == .failed(.networkUnavailable))
            #expect((view.nextTryAt ?? .distantPast) > bench.clock.now)
            #expect(view.item?.fetchedAt == TestClock.start)
        }
    }

    @Test func `with nothing left of the limit the row is shown, the reset said, and nothing asked`()
        async throws
    {
        try await withRepositories { bench in
            bench.script(pages: 1)
            _ = try await bench.listing(.all(since: 0))
            let reset = bench.clock.now + 900
            bench.github.set(budget: 0, of: 60, until: reset)
            let asked = bench.github.asked.count
            let view = try await bench.view("owner5/repo5")
            #expect(view.item?.id == 5 && view.error == .rateLimited(resetDate: reset))
            #expect(view.budget?.remaining == 0)
            #expect(bench.github.asked.count == asked)
            let name = try Fixture.name("owner5/repo5")
            #expect(bench.details.retry(name, for: bench.ada) == .mustWait(until: reset))
        }
    }

    @Test func `a README needs more than three requests left, and says so when it has to wait`() async throws
    {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            bench.github.set(Self.readme, "<p>")
            let reset = bench.clock.now + 900
            bench.github.set(budget: 4, of: 60, until: reset)
            let view = try await bench.view("ada/engine")
            #expect(view.item?.detail != nil && view.readme == nil)
            #expect(view.readmeError == .rateLimited(resetDate: reset) && view.error == nil)
            bench.clock.advance(901)
            let later = try await bench.view("ada/engine")
            #expect(later.readme != nil && later.readmeError == nil)
        }
    }

    @Test func `a repository without a README says so, and is not asked again within the hour`() async throws
    {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let view = try await bench.view("ada/engine")
            #expect(view.hasNoReadme && view.readme == nil && view.readmeError == nil)
            _ = try await bench.view("ada/engine")
            #expect(bench.github.paths == [Self.path, Self.readme])
        }
    }

    @Test(arguments: [404, 410, 451])
    func `what is not there is said to be gone, once for a while`(status: Int) async throws {
        try await withRepositories { bench in
            bench.github.fail(Self.path, .invalidResponse(statusCode: status), status: status)
            let view = try await bench.view("ada/engine")
            #expect(view.isGone && view.item == nil && view.error == nil)
            _ = try await bench.view("ada/engine")
            #expect(bench.github.paths.count == 1)
            let error = await refusal {
                _ = try await bench.details.item(named: try Fixture.name("ada/engine"), for: bench.ada)
            }
            #expect(error?.isNotFound == true)
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            #expect(bench.details.retry(try Fixture.name("ada/engine"), for: bench.ada) == .started)
            await bench.settle()
            let back = try await bench.details.view(of: try Fixture.name("ada/engine"), for: bench.ada)
            #expect(!back.isGone && back.item != nil)
        }
    }

    @Test func `a renamed repository is kept under its new name and answers to both`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "grace/motor"))
            bench.github.set("/repos/grace/motor/readme", "<p>")
            let old = try await bench.view("ada/engine")
            #expect(old.item?.fullName == "grace/motor")
            let new = try await bench.details.view(of: try Fixture.name("grace/motor"), for: bench.ada)
            #expect(new.item?.id == 5 && !new.loading.isLoading)
            #expect(try await bench.rows("repositories") == 1)
        }
    }

    @Test func `a name that another repository has taken over is the new one's`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            _ = try await bench.view("ada/engine")
            bench.clock.advance(3_601)
            bench.github.set(Self.path, Fixture.detail(6, "ada/engine", stars: 1))
            let view = try await bench.view("ada/engine")
            #expect(view.item?.id == 6)
            let again = try await bench.restarted()
            let after = try await again.details.view(of: try Fixture.name("ada/engine"), for: bench.ada)
            #expect(after.item?.id == 6)
        }
    }

    @Test func `an answer that is no repository is an error, and nothing is kept`() async throws {
        try await withRepositories { bench in
            for body in ["[]", "{}", "<html>", Fixture.item(5, "ada/engine")] {
                bench.github.set(Self.path, body)
                let again = try await bench.restarted()
                let view = try await again.view("ada/engine")
                #expect(view.error == .invalidResponse(statusCode: 200) && view.item == nil)
            }
            #expect(try await bench.rows("repositories") == 0)
        }
    }

    @Test func `several who look at once cost one request`() async throws {
        try await withRepositories { bench in
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let name = try Fixture.name("ada/engine")
            try await withThrowingTaskGroup(of: RepositoryID.self) { group in
                for user in [bench.ada, bench.grace, bench.ada, bench.grace] {
                    group.addTask { try await bench.details.item(named: name, for: user).id }
                }
                for try await id in group { #expect(id == 5) }
            }
            #expect(bench.github.paths.filter { $0 == Self.path }.count == 1)
        }
    }

    @Test func `item waits for GitHub, takes what is fresh, and falls back on what is old`() async throws {
        try await withRepositories { bench in
            let name = try Fixture.name("ada/engine")
            bench.github.set(Self.path, Fixture.detail(5, "ada/engine"))
            let item = try await bench.details.item(named: name, for: bench.ada)
            #expect(item.detail?.stars == 7)
            bench.github.fail(Self.path, .serverError(statusCode: 502), status: 502)
            _ = try await bench.details.item(named: name, for: bench.ada)
            bench.clock.advance(4_000)
            let old = try await bench.details.item(named: name, for: bench.ada)
            #expect(old.fetchedAt == TestClock.start)
            let error = await refusal {
                bench.github.fail("/repos/a/b", .serverError(statusCode: 502), status: 502)
                _ = try await bench.details.item(named: try Fixture.name("a/b"), for: bench.ada)
            }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
