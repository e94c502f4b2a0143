import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Background work: its order, its cache and its retries.
@Suite struct RepositoryWorkTests {
    private typealias Fixture = RepositoryFixture

    /// Holds every answer back until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Mutex(false)

        func open() { isOpen.withLock { $0 = true } }

        func pass() async {
            while !isOpen.withLock({ $0 }), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
        }
    }

    @Test func `a click goes before rows and upkeep that were queued earlier`() async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.github.turn { (path: String, _: String?) in
                guard !path.hasSuffix("/readme") else { throw RepositoryScript.notFound }
                let id = Int(path.dropFirst("/repos/owner".count).prefix { $0.isNumber }) ?? 0
                return .init(status: 200, body: Data(Fixture.detail(id).utf8))
            }
            let gate = Gate()
            fixture.github.hold { _ in await gate.pass() }
            let work = Task { await fixture.parts.run() }
            fixture.lists.prefetch([1, 2, 3], for: fixture.grace)
            try await wait(for: "the first row") { fixture.github.paths.contains("/repos/owner3/repo3") }
            let upkeep = Task {
                try await fixture.details.refresh(try Fixture.name("owner9/repo9"), for: fixture.ada)
            }
            try await wait(for: "the upkeep in the queue") { fixture.lists.waiting(for: fixture.ada) == 1 }
            _ = try await fixture.details.view(of: try Fixture.name("owner50/repo50"), for: fixture.ada)
            try await wait(for: "the click in the queue") { fixture.lists.waiting(for: fixture.ada) == 2 }
            gate.open()
            _ = try await upkeep.value
            try await wait(for: "all rows") { fixture.github.paths.contains("/repos/owner1/repo1") }
            let details = fixture.github.paths.filter { !$0.hasSuffix("/readme") }.dropFirst()
            #expect(details.prefix(2) == ["/repos/owner3/repo3", "/repos/owner50/repo50"])
            work.cancel()
            await work.value
        }
    }

    @Test func `two hundred pages are cached, and the least recently viewed is dropped first`() async throws {
        try await withRepositories { fixture in
            fixture.github.turn { (path: String, _: String?) in
                let since = Int(path.split(separator: "=").last ?? "") ?? 0
                return .init(status: 200, body: Data("[\(Fixture.item(since + 1))]".utf8))
            }
            for since in 0..<200 {
                _ = try await fixture.lists.page(since: RepositoryID(since), for: fixture.ada)
            }
            _ = try await fixture.lists.page(since: 0, for: fixture.ada)
            #expect(fixture.github.paths.count == 200)
            _ = try await fixture.lists.page(since: 200, for: fixture.ada)
            _ = try await fixture.lists.page(since: 0, for: fixture.ada)
            #expect(fixture.github.paths.count == 201)
            _ = try await fixture.lists.page(since: 1, for: fixture.ada)
            #expect(fixture.github.paths.count == 202)
        }
    }

    @Test func `a failure is retried automatically while someone is watching, but not forever`() async throws
    {
        try await withRepositories { fixture in
            fixture.github.fail("/repositories", .networkUnavailable)
            _ = try await fixture.listing(.all(since: 0))
            for _ in 0..<200 {
                fixture.clock.advance(10)
                await fixture.runUntilIdle()
            }
            let tries = fixture.github.paths.count
            #expect(tries > 3 && tries < 12, "\(tries)")
            let listing = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(listing.error == .networkUnavailable)
        }
    }

    @Test func `nothing is fetched for a deleted user`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            _ = try await fixture.lists.listing(.search(query: "x", sort: nil), pages: 1, for: fixture.ada)
            fixture.lists.prefetch([1], for: fixture.ada)
            fixture.parts.forget(fixture.ada)
            await fixture.runUntilIdle()
            #expect(own.paths.isEmpty)
        }
    }

    @Test func `an error of a list is reported only to the user who requested it`() async throws {
        try await withRepositories { fixture in
            fixture.github.fail("/repositories", .networkUnavailable)
            let cursor = fixture.feed.cursor
            _ = try await fixture.listing(.all(since: 0), for: fixture.grace)
            #expect(fixture.told(since: cursor) == [Topic.repositories(fixture.grace)])
        }
    }

    @Test func `a page of a hundred rows is ready in a fraction of a millisecond, two thousand in a few`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 20)
            _ = try await fixture.listing(.all(since: 0), pages: 20)
            for (pages, bound) in [(1, 20.0), (20, 200.0)] {
                let start = ContinuousClock.now
                for _ in 0..<10 {
                    _ = try await fixture.lists.listing(.all(since: 0), pages: pages, for: fixture.ada)
                }
                let spent = (ContinuousClock.now - start) / 10
                // The bound is for a debug build on a busy machine; typical times are a twentieth of it.
                #expect(spent < .milliseconds(bound), "\(pages): \(spent)")
            }
        }
    }
}
