import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct BookmarkChangeNoticeTests {
    private let later = TestClock.start + 7_200

    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    private func tell(
        _ fixture: BookmarkServiceFixture, _ items: RepositoryItem..., to owner: UserID? = nil
    ) async throws {
        for item in items { try await fixture.tell(item, to: owner) }
    }

    @Test func `public changes reach everyone who bookmarked the repository`()
        async throws
    {
        try await withBookmarks { fixture in
            let old = try BookmarkFixture.item(5, "a/b", stars: 100)
            try await fixture.add(old)
            try await fixture.add(old, for: fixture.grace)
            fixture.clock.advance(7_200)
            try await tell(
                fixture,
                try BookmarkFixture.item(5, "a/b", stars: 1_304, archived: true, fetchedAt: later))
            for user in [fixture.ada, fixture.grace] {
                let bookmark = try await fixture.find("a/b", of: user)
                #expect(bookmark?.changes == [.archived, .stars(1_204)])
                #expect(bookmark?.item?.detail?.stars == 1_304 && bookmark?.checkedAt == later)
                #expect(
                    try await fixture.bookmarks.database.read { try fixture.bookmarks.changed($0, for: user) }
                        == 1)
            }
        }
    }

    @Test func `private changes reach only the account's user, even if others bookmarked the same id`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", description: "open"))
            try await fixture.add(
                try BookmarkFixture.item(5, "a/b", description: "open"), for: fixture.grace)
            let secret = try BookmarkFixture.item(
                5, "a/b", stars: 3, isPrivate: true, description: "secret plans", fetchedAt: later)
            try await tell(fixture, secret, to: fixture.ada)
            let (adaBookmark, graceBookmark) = (
                try await fixture.find("a/b"), try await fixture.find("a/b", of: fixture.grace)
            )
            #expect(
                adaBookmark?.about == "secret plans" && adaBookmark?.changes.contains(.madePrivate) == true)
            #expect(graceBookmark?.about == "open" && graceBookmark?.changes.isEmpty == true)
            // A private repository without an owner is a bug in the source.
            await #expect(throws: RoostError.self) {
                try await tell(
                    fixture, try BookmarkFixture.item(5, "x/y", isPrivate: true, fetchedAt: later + 1))
            }
            let same = try await fixture.find("a/b", of: fixture.grace)
            #expect(same == graceBookmark)
        }
    }

    @Test func `a list row updates name and description and keeps the detail`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", stars: 100))
            try await tell(fixture, try BookmarkFixture.item(5, "a/c", stars: nil, description: "New words"))
            let bookmark = try await fixture.find("a/c")
            #expect(bookmark?.about == "New words" && bookmark?.facts?.stars == 100)
            #expect(bookmark?.changes == [.renamed(from: "a/b")])
            #expect(bookmark?.checkedAt == TestClock.start)
            let old = try await fixture.find("a/b")
            #expect(old == nil)
        }
    }

    @Test func `a detail older than the stored one changes no figures`() async throws {
        try await withBookmarks { fixture in
            fixture.clock.advance(7_200)
            try await fixture.add(try BookmarkFixture.item(5, "a/b", stars: 100, fetchedAt: later))
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 1, fetchedAt: TestClock.start))
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.facts?.stars == 100 && bookmark?.changes.isEmpty == true)
        }
    }

    @Test func `the first detail is not a change, later ones are`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", stars: nil))
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 50, fetchedAt: later))
            let first = try await fixture.find("a/b")
            #expect(first?.facts?.stars == 50 && first?.changes.isEmpty == true)
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 49, fetchedAt: later + 1))
            let second = try await fixture.find("a/b")
            #expect(second?.changes == [.stars(-1)])
        }
    }

    @Test func `a change that was marked as seen is hidden until the next change`()
        async throws
    {
        try await withBookmarks { fixture in
            let bookmark = try await fixture.add(try BookmarkFixture.item(5, "a/b", stars: 100))
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 150, fetchedAt: later))
            let changed = try await fixture.names(.init(isChangedOnly: true))
            let done = try await fixture.bookmarks.change([bookmark.id], .markSeen, of: fixture.ada)
            let seen = try await fixture.names(.init(isChangedOnly: true))
            #expect(changed == ["a/b"] && done.count == 1 && seen.isEmpty)
            #expect(
                try await fixture.bookmarks.database.read {
                    try fixture.bookmarks.changed($0, for: fixture.ada)
                } == 0)
            let none = try await fixture.bookmarks.change([bookmark.id], .markSeen, of: fixture.ada)
            #expect(none.count == 0)
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 151, fetchedAt: later + 1))
            let again = try await fixture.find("a/b")
            #expect(again?.changes == [.stars(1)])
            _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            let back = try await fixture.find("a/b")
            #expect(back?.changes == [.stars(51)])
            #expect(
                try await fixture.bookmarks.database.read {
                    try fixture.bookmarks.changed($0, for: fixture.ada)
                } == 1)
        }
    }

    @Test func `an imported name is resolved when its repository is fetched`() async throws {
        try await withBookmarks { fixture in
            _ = try await fixture.read(#"["A/B"]"#)
            let before = try await fixture.find("a/b")
            #expect(before?.state == .unresolved && before?.item == nil)
            try await tell(fixture, try BookmarkFixture.item(5, "a/b"))
            let after = try await fixture.find("a/b")
            #expect(after?.state == .present && after?.item?.id == 5 && after?.changes.isEmpty == true)
            #expect(try await fixture.marked() == [5])
        }
    }

    @Test func `two bookmarks that turn out to be the same repository are merged with their tags and notes`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "old/name"))
            _ = try await fixture.bookmarks.edit(
                name("old/name"), tags: ["one"], note: "first", of: fixture.ada)
            _ = try await fixture.read(#"[{"fullName": "new/name", "tags": ["two"], "note": "second"}]"#)
            try await tell(fixture, try BookmarkFixture.item(5, "new/name", fetchedAt: later))
            let names = try await fixture.names()
            let bookmark = try await fixture.find("new/name")
            #expect(names == ["new/name"])
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
            #expect(bookmark?.tags == ["one", "two"] && bookmark?.note == "first\n\nsecond")
            #expect(bookmark?.changes == [.renamed(from: "old/name")])
        }
    }

    @Test func `a repository that takes over a name does not take over the bookmark`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", description: "the first"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d", description: "the second"))
            try await tell(
                fixture, try BookmarkFixture.item(6, "a/b", description: "the second", fetchedAt: later))
            let found = try await fixture.find("a/b")
            let all = try await fixture.listing().groups.flatMap(\.items)
            #expect(found?.item?.id == 6 && all.count == 2)
            let first = all.first { $0.item?.id == 5 }
            #expect(first?.state == .gone && first?.about == "the first" && first?.changes == [.gone])
        }
    }

    @Test func `an update without changes writes nothing and notifies no one`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let (version, count) = (fixture.version(), fixture.statements.all.count)
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", fetchedAt: TestClock.start + 600))
            try await tell(fixture, try BookmarkFixture.item(99, "not/ours"))
            #expect(fixture.version() == version)
            let writes = fixture.statements.all[count...].filter {
                $0.hasPrefix("UPDATE") && $0.contains("bookmarks")
            }
            #expect(writes.isEmpty)
            // Hours later the new fetch time is worth a write, but it is still not a change for the pages.
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", fetchedAt: later))
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.checkedAt == later && fixture.version() == version)
        }
    }

    @Test func `a change within the hour updates the time of the last check`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", stars: 100))
            let soon = TestClock.start + 600
            fixture.clock.advance(600)
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", stars: 102, fetchedAt: soon))
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.changes == [.stars(2)] && bookmark?.checkedAt == soon)
        }
    }

    @Test func `a row's new check time shows although the list's order is cached`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            _ = try await fixture.listing()
            try await tell(fixture, try BookmarkFixture.item(5, "a/b", fetchedAt: later))
            let row = try await fixture.listing().groups.first?.items.first
            #expect(row?.checkedAt == later)
        }
    }
}
