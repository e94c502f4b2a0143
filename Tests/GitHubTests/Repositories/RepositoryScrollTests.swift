import Foundation
import Testing

@testable import GitHub

/// Sixty requests an hour are enough to scroll far.
@Suite struct RepositoryScrollTests {
    private typealias Fixture = RepositoryFixture

    private static func ids(_ range: ClosedRange<Int>) -> [RepositoryID] { range.map { RepositoryID($0) } }

    @Test
    func `after scrolling through a thousand repositories at sixty requests an hour one can still be opened`()
        async throws
    {
        try await withRepositories { fixture in
            fixture.script(pages: 12)
            Fixture.answerAll(fixture.github)
            fixture.github.set(budget: 60, of: 60, until: fixture.clock.now + 3_600)
            var shown = 0
            for page in 1...10 {
                _ = try await fixture.lists.listing(.all(since: 0), pages: page, for: fixture.ada)
                await fixture.runUntilIdle()
                let listing = try await fixture.lists.listing(.all(since: 0), pages: page, for: fixture.ada)
                shown = listing.items.count
                // Each stop shows some rows, while another user scrolls too.
                for stop in stride(from: 0, to: 100, by: 10) {
                    let first = (page - 1) * 100 + stop
                    fixture.lists.prefetch(Self.ids((first + 1)...(first + 10)), for: fixture.ada)
                    fixture.lists.prefetch(Self.ids((first + 11)...(first + 20)), for: fixture.grace)
                    await fixture.runUntilIdle()
                    fixture.clock.advance(5)
                }
            }
            #expect(shown == 1_000)
            #expect((fixture.github.budgets["core"]?.remaining ?? 0) >= 10)
            // Six details that no row has fetched, each with its README as far as the limit allows.
            for id in 501...506 {
                let view = try await fixture.view("owner\(id)/repo\(id)")
                #expect(view.item?.detail != nil && view.error == nil)
            }
            // Even then rows, pages and upkeep use nothing that is reserved for clicks.
            let remaining = fixture.github.budgets["core"]?.remaining ?? 0
            fixture.lists.prefetch(Self.ids(900...910), for: fixture.ada)
            _ = try await fixture.listing(.all(since: 0), pages: 11)
            let name = try Fixture.name("owner1/repo1")
            let refused = try await failure { _ = try await fixture.details.refresh(name, for: fixture.ada) }
            #expect(refused?.retryAfter != nil)
            #expect(fixture.github.budgets["core"]?.remaining == remaining)
            #expect(remaining > 0)
        }
    }
}
