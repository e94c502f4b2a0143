import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct BookmarkListingTests {
    @Test func `bookmarks are sorted newest first, stars by the time they were given`() async throws {
        try await withBookmarks { fixture in
            for number in 1...3 {
                fixture.clock.advance(60)
                try await fixture.add(try BookmarkFixture.item(Int64(number), "a/n\(number)"))
            }
            let names = try await fixture.names()
            #expect(names == ["a/n3", "a/n2", "a/n1"])
        }
    }

    @Test func `pages come from one order, and each begins where the last ended`() async throws {
        try await withBookmarks { fixture in
            try await fixture.fill(250)
            let all = try await fixture.names(.init(pages: 3))
            let first = try await fixture.listing(.init(pages: 1))
            let second = try await fixture.listing(.init(from: 1, pages: 1))
            let last = try await fixture.listing(.init(from: 2, pages: 5))
            let afterLast = try await fixture.listing(.init(from: 9, pages: 1))
            #expect(all.count == 250 && Set(all).count == 250)
            let parts = [first, second, last].map { $0.groups.flatMap { $0.items.map(\.fullName) } }
            #expect(parts.flatMap(\.self) == all && parts.map(\.count) == [100, 100, 50])
            #expect([first, second, last, afterLast].map(\.hasMorePages) == [true, true, false, false])
            #expect(afterLast.groups.isEmpty && afterLast.matching == 250 && first.total == 250)
        }
    }

    @Test func `tags are counted case-insensitively and filter the list`() async throws {
        try await withBookmarks { fixture in
            for (number, tags) in [(1, ["Swift", "web"]), (2, ["swift"]), (3, [])] {
                try await fixture.add(try BookmarkFixture.item(Int64(number), "a/n\(number)"))
                _ = try await fixture.bookmarks.edit(
                    BookmarkFixture.name("a/n\(number)"), tags: tags, note: nil, of: fixture.ada)
            }
            let listing = try await fixture.listing(.init(tag: "SWIFT"))
            #expect(listing.tags.map(\.name) == ["Swift", "web"] && listing.tags.map(\.count) == [2, 1])
            #expect(listing.groups.flatMap { $0.items.map(\.fullName) } == ["a/n1", "a/n2"])
            #expect(listing.matching == 2 && listing.total == 3 && listing.index.map(\.count) == [2])
        }
    }

    @Test func `a list of bookmarks reflects every change`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(1, "a/one"))
            let empty = try await fixture.names(.init(tag: "x"))
            _ = try await fixture.bookmarks.edit(
                BookmarkFixture.name("a/one"), tags: ["x"], note: "n", of: fixture.ada)
            let listing = try await fixture.listing(.init(tag: "x"))
            let row = listing.groups.first?.items.first
            #expect(empty.isEmpty && row?.tags == ["x"] && row?.note == "n")
            _ = try await fixture.bookmarks.remove(BookmarkFixture.name("a/one"), of: fixture.ada)
            let remaining = try await fixture.names()
            #expect(remaining.isEmpty)
        }
    }

    @Test func `a list is the same after a restart`() async throws {
        try await withBookmarks { fixture in
            for number in 1...30 {
                try await fixture.add(try BookmarkFixture.item(Int64(number), "a/n\(number)", stars: number))
            }
            _ = try await fixture.listing()
            for number in 1...30 {
                let name = BookmarkFixture.name("a/n\(number)")
                switch number % 3 {
                case 0: _ = try await fixture.bookmarks.remove(name, of: fixture.ada)
                case 1: _ = try await fixture.bookmarks.edit(name, tags: ["t\(number % 4)"], note: "x", of: 1)
                default:
                    try await fixture.tell(
                        try BookmarkFixture.item(
                            Int64(number), "b/n\(number)", stars: 500, fetchedAt: fixture.clock.now + 60))
                }
            }
            fixture.clock.advance(60)
            let again = try await fixture.restarted().bookmarks
            let (current, fresh) = (
                try await fixture.listing(), try await again.listing(.init(), for: fixture.ada)
            )
            #expect(current.groups.map(\.items) == fresh.groups.map(\.items) && current.total == 20)
            #expect(current.changed == fresh.changed && current.changed == 10)
            #expect(current.tags.map(\.name) == fresh.tags.map(\.name))
            let marked = try await again.database.read {
                try again.marked($0, Array(1...1_000), by: fixture.ada)
            }
            #expect(try await fixture.marked() == marked)
            #expect(current.total == fresh.total && current.matching == fresh.matching)
        }
    }

    @Test func `a page needs the same few statements for any number of bookmarks and pages`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.fill(1_200)
            var counts: [Int] = []
            for pages in [1, 10] {
                let before = fixture.statements.all.count
                let listing = try await fixture.listing(.init(pages: pages))
                #expect(listing.groups.flatMap(\.items).count == pages * 100)
                counts.append(fixture.statements.all[before...].filter { $0.contains("SELECT") }.count)
            }
            // The ids in order, the rows with their tags, the total, the changed ones, all tags, and the import of
            // stars.
            #expect(counts == [6, 6])
        }
    }

    @Test func `the first page of ten thousand bookmarks is as fast as that of a hundred`() async throws {
        try await withBookmarks { fixture in
            try await fixture.fill(100, for: fixture.ada)
            try await fixture.fill(10_000, for: fixture.grace)
            func time(_ user: UserID) async throws -> Duration {
                _ = try await fixture.listing(of: user)
                var best = Duration.seconds(60)
                for _ in 0..<20 {
                    let took = try await ContinuousClock().measure { _ = try await fixture.listing(of: user) }
                    best = min(best, took)
                }
                return best
            }
            let (few, many) = (try await time(fixture.ada), try await time(fixture.grace))
            #expect(many < few * 4 + .milliseconds(1), "\(few) against \(many)")
        }
    }

    @Test func `the API's pages return every bookmark once, even if some are added or removed in between`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.fill(25)
            var (names, next, pages): ([String], BookmarkID?, Int) = ([], nil, 0)
            repeat {
                let page = try await fixture.bookmarks.page(before: next, limit: 10, of: fixture.ada)
                names += page.items.map(\.fullName)
                next = page.next
                pages += 1
                try await fixture.add(try BookmarkFixture.item(Int64(900 + pages), "new/n\(pages)"))
                if pages == 1, let last = names.last {
                    _ = try await fixture.bookmarks.remove(BookmarkFixture.name(last), of: fixture.ada)
                }
            } while next != nil
            #expect(pages == 3 && names.count == 25 && Set(names).count == 25)
            let page = try await fixture.bookmarks.page(before: nil, of: fixture.grace)
            #expect(page.items.isEmpty && page.next == nil)
        }
    }
}
