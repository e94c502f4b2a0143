import Foundation
import Synchronization
import Testing

@testable import GitHub
@testable import RoostSupport

/// The work in the background: what goes first, what is remembered, what is forgotten.
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

    @Test func `a click goes before rows and upkeep, though they were there first`() async throws {
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
            fixture.lists.want([1, 2, 3], for: fixture.grace)
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

    @Test func `one request is on its way at a time`() async throws {
        try await withRepositories { fixture in
            let maximum = Mutex((now: 0, maximum: 0))
            fixture.github.hold { _ in
                maximum.withLock { state in
                    state.now += 1
                    state.maximum = max(state.maximum, state.now)
                }
                try? await Task.sleep(for: .milliseconds(3))
                maximum.withLock { $0.now -= 1 }
            }
            let work = Task { await fixture.parts.run() }
            for id in 1...10 {
                _ = try await fixture.details.view(of: try Fixture.name("a/r\(id)"), for: fixture.ada)
            }
            try await wait(for: "all of them") { fixture.github.paths.count == 10 }
            #expect(maximum.withLock { $0.maximum } == 1)
            work.cancel()
            await work.value
        }
    }

    @Test func `two hundred pages are kept, and those looked at last longest`() async throws {
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

    @Test func `a failure is tried again by itself while somebody looks, and not for ever`() async throws {
        try await withRepositories { fixture in
            fixture.github.fail("/repositories", .networkUnavailable)
            _ = try await fixture.listing(.all(since: 0))
            for _ in 0..<200 {
                fixture.clock.advance(10)
                await fixture.runUntilIdle()
            }
            let tries = fixture.github.paths.count
            #expect(tries > 3 && tries < 12, "\(tries)")
            let still = try await fixture.lists.listing(.all(since: 0), pages: 1, for: fixture.ada)
            #expect(still.error == .networkUnavailable)
        }
    }

    @Test func `GitHub's wait is kept, whoever clicks`() async throws {
        try await withRepositories { fixture in
            let reset = fixture.clock.now + 300
            fixture.github.fail(
                "/repositories", .rateLimited(resetDate: reset), status: 429, retryAfter: 300)
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.advance(200)
            _ = fixture.lists.retry(.all(since: 0), for: fixture.ada)
            await fixture.runUntilIdle()
            #expect(fixture.github.paths.count == 1)
            fixture.script(pages: 1)
            fixture.clock.advance(200)
            let listing = try await fixture.listing(.all(since: 0))
            #expect(listing.items.count == 100)
        }
    }

    @Test func `whoever has left is not asked for any more`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            fixture.accounts.set(own, for: fixture.ada)
            _ = try await fixture.lists.listing(.search(query: "x", sort: nil), pages: 1, for: fixture.ada)
            fixture.lists.want([1], for: fixture.ada)
            fixture.parts.forget(fixture.ada)
            await fixture.runUntilIdle()
            #expect(own.paths.isEmpty)
        }
    }

    @Test func `an error of a list is told to whoever asked for it, and to nobody else`() async throws {
        try await withRepositories { fixture in
            fixture.github.fail("/repositories", .networkUnavailable)
            let cursor = fixture.feed.cursor
            _ = try await fixture.listing(.all(since: 0), for: fixture.grace)
            #expect(fixture.told(since: cursor) == [Topic.repositories(fixture.grace)])
        }
    }

    @Test func `a page of a hundred rows is ready in a fraction of a millisecond, two thousand in some`()
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
                // A debug build on a busy machine; the true figures are a twentieth.
                #expect(spent < .milliseconds(bound), "\(pages): \(spent)")
            }
        }
    }
}
