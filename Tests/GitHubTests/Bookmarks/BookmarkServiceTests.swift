import Foundation
import RoostSupport
import TestSupport
import Testing

@testable import GitHub

@Suite struct BookmarkServiceTests {
    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `a known repository is bookmarked without asking GitHub, and survives a restart`()
        async throws
    {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "apple/swift")
            fixture.source.know(item)
            let (done, bookmark) = try await fixture.bookmarks.add(name("Apple/Swift"), for: fixture.ada)
            #expect(done.count == 1 && done.fullName == "apple/swift" && done.undo != nil)
            #expect(bookmark.item == item && bookmark.state == .present && bookmark.changes.isEmpty)
            #expect(bookmark.checkedAt == item.fetchedAt && bookmark.addedAt == fixture.clock.now)
            #expect(fixture.source.asked.isEmpty)
            let again = try await fixture.restarted().bookmarks
            let kept = try await again.bookmark(named: name("apple/swift"), of: fixture.ada)
            #expect(kept == bookmark)
            #expect(
                try await again.database.read { try again.marked($0, Array(1...1_000), by: fixture.ada) } == [
                    5
                ])
            #expect(try await again.count(of: fixture.ada) == 1)
        }
    }

    @Test func `an unknown repository is fetched, and GitHub's error is reported`() async throws {
        try await withBookmarks { fixture in
            fixture.source.set("apple/swift", to: .success(try BookmarkFixture.item(5, "apple/swift")))
            fixture.source.set("far/away", to: .failure(.unavailable("GitHub does not answer.")))
            _ = try await fixture.bookmarks.add(name("apple/swift"), for: fixture.ada)
            #expect(fixture.source.asked == ["item apple/swift"])
            let away = await refusal {
                _ = try await fixture.bookmarks.add(name("far/away"), for: fixture.ada)
            }
            #expect(away == .unavailable("GitHub does not answer."))
            let none = await refusal {
                _ = try await fixture.bookmarks.add(name("not/there"), for: fixture.ada)
            }
            #expect(none?.isNotFound == true)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
        }
    }

    @Test func `bookmarking twice changes nothing`() async throws {
        try await withBookmarks { fixture in
            let first = try await fixture.add(try BookmarkFixture.item(5, "apple/swift"))
            let version = fixture.version()
            let (done, second) = try await fixture.bookmarks.add(name("APPLE/swift"), for: fixture.ada)
            #expect(done.count == 0 && done.undo == nil && second == first)
            #expect(fixture.version() == version)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
        }
    }

    @Test func `only their user can see, edit, remove or undo bookmarks`() async throws {
        try await withBookmarks { fixture in
            let adaBookmark = try await fixture.add(
                try BookmarkFixture.item(5, "ada/secret", isPrivate: true))
            let done = try await fixture.bookmarks.edit(
                name("ada/secret"), tags: ["x"], note: nil, of: fixture.ada)
            let bookmarks = fixture.bookmarks
            let found = try await fixture.find("ada/secret", of: fixture.grace)
            let listing = try await fixture.listing(of: fixture.grace)
            #expect(found == nil && listing.total == 0 && listing.tags.isEmpty && listing.groups.isEmpty)
            #expect(try await fixture.marked(fixture.grace).isEmpty)
            for attempt in [
                { _ = try await bookmarks.remove(self.name("ada/secret"), of: fixture.grace) },
                {
                    _ = try await bookmarks.edit(
                        self.name("ada/secret"), tags: [], note: "", of: fixture.grace)
                },
                { _ = try await bookmarks.undo(done.undo ?? 0, for: fixture.grace) },
            ] {
                let error = await refusal(attempt)
                #expect(error?.isNotFound == true)
            }
            let touched = try await bookmarks.change([adaBookmark.id], .remove, of: fixture.grace)
            #expect(touched.count == 0)
            #expect(try await bookmarks.count(of: fixture.ada) == 1)
            let exported = try await fixture.files.export(.json, of: fixture.grace)
            #expect(!String(decoding: exported, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a removal can be undone even if the repository was bookmarked again`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "apple/swift")
            try await fixture.add(item)
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["old"], note: "", of: fixture.ada)
            let done = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            try await fixture.add(item)
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["new"], note: nil, of: fixture.ada)
            _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            let merged = try await fixture.find("apple/swift")
            #expect(merged?.tags == ["new", "old"])
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
        }
    }

    @Test func `undoing an edit restores tags and note, unless they were edited again`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let first = try await fixture.bookmarks.edit(
                name("a/b"), tags: ["one"], note: "1", of: fixture.ada)
            let second = try await fixture.bookmarks.edit(name("a/b"), tags: nil, note: "2", of: fixture.ada)
            let none = try await fixture.bookmarks.undo(first.undo ?? 0, for: fixture.ada)
            let kept = try await fixture.find("a/b")
            #expect(none.count == 0 && kept?.note == "2" && kept?.tags == ["one"])
            _ = try await fixture.bookmarks.undo(second.undo ?? 0, for: fixture.ada)
            let back = try await fixture.find("a/b")
            #expect(back?.note == "1" && back?.tags == ["one"])
        }
    }

    @Test func `undoing an addition removes the bookmark, unless a note or tag was added`() async throws {
        try await withBookmarks { fixture in
            fixture.source.know(try BookmarkFixture.item(5, "a/b"), try BookmarkFixture.item(6, "c/d"))
            let (plain, _) = try await fixture.bookmarks.add(name("a/b"), for: fixture.ada)
            let (noted, _) = try await fixture.bookmarks.add(name("c/d"), for: fixture.ada)
            _ = try await fixture.bookmarks.edit(name("c/d"), tags: nil, note: "mine", of: fixture.ada)
            _ = try await fixture.bookmarks.undo(plain.undo ?? 0, for: fixture.ada)
            let none = try await fixture.bookmarks.undo(noted.undo ?? 0, for: fixture.ada)
            let names = try await fixture.names()
            #expect(names == ["c/d"] && none.count == 0)
        }
    }

    @Test func `a removed bookmark can be restored completely within a day, even after a restart`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "apple/swift"))
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["Web", "later"], note: "words", of: fixture.ada)
            let before = try await fixture.find("apple/swift")
            let done = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            #expect(done.count == 1 && done.fullName == "apple/swift")
            #expect(try await fixture.marked().isEmpty)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 0)
            fixture.clock.advance(86_399)
            let restarted = try await fixture.restarted().bookmarks
            let stranger = await refusal {
                _ = try await restarted.undo(done.undo ?? 0, for: fixture.grace)
            }
            #expect(stranger?.isNotFound == true)
            let back = try await restarted.undo(done.undo ?? 0, for: fixture.ada)
            let after = try await fixture.find("apple/swift")
            #expect(back.count == 1 && back.fullName == "apple/swift" && after == before)
            #expect(
                try await restarted.database.read { try restarted.marked($0, [5], by: fixture.ada) } == [5])
            let twice = await refusal { _ = try await restarted.undo(done.undo ?? 0, for: fixture.ada) }
            #expect(twice?.isNotFound == true)
            let late = try await restarted.remove(name("apple/swift"), of: fixture.ada)
            fixture.clock.advance(86_401)
            let again = try await fixture.restarted().bookmarks
            let expired = await refusal { _ = try await again.undo(late.undo ?? 0, for: fixture.ada) }
            #expect(expired?.isNotFound == true)
        }
    }

    @Test func `expired undos are deleted from the disk, and nothing else is`() async throws {
        try await withBookmarks { fixture in
            func kept() async throws -> [Int] {
                try await fixture.database.read { database in
                    try ["undos", "undo_steps"].map {
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
                    }
                }
            }
            let bookmark = try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.clock.advance(80_000)
            let done = try await fixture.bookmarks.change([bookmark.id], .remove, of: fixture.ada)
            #expect(try await kept() == [2, 2])
            fixture.clock.advance(10_000)
            // Setting the machine's clock does not expire an undo that is three hours old.
            fixture.clock.jump(86_400)
            try await fixture.undos.removeExpired()
            #expect(try await kept() == [1, 1])
            #expect(try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada).count == 1)
            #expect(try await kept() == [0, 0])
        }
    }

    @Test func `ten changes can be undone; the oldest is dropped first`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            var undos: [UndoID] = []
            for number in 1...11 {
                let done = try await fixture.bookmarks.edit(
                    name("a/b"), tags: nil, note: "\(number)", of: fixture.ada)
                undos.append(try #require(done.undo))
            }
            let oldest = await refusal { _ = try await fixture.bookmarks.undo(undos[0], for: fixture.ada) }
            #expect(oldest?.isNotFound == true)
            for undo in undos[1...].reversed() {
                _ = try await fixture.bookmarks.undo(undo, for: fixture.ada)
            }
            let note = try await fixture.find("a/b")?.note
            #expect(note == "1")
        }
    }

    @Test func `beyond the limit a bookmark is refused with a message, and so is an undo`() async throws {
        try await withBookmarks(limit: 2) { fixture in
            try await fixture.add(try BookmarkFixture.item(1, "a/one"))
            try await fixture.add(try BookmarkFixture.item(2, "a/two"))
            fixture.source.know(try BookmarkFixture.item(3, "a/three"))
            let full = await refusal {
                _ = try await fixture.bookmarks.add(name("a/three"), for: fixture.ada)
            }
            #expect(full == .conflict(field: "fullName", why: "You can have at most 2 bookmarks."))
            let done = try await fixture.bookmarks.remove(name("a/one"), of: fixture.ada)
            _ = try await fixture.bookmarks.add(name("a/three"), for: fixture.ada)
            let undo = await refusal {
                _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            }
            #expect(undo?.isConflict == true)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 2)
            _ = try await fixture.bookmarks.remove(name("a/two"), of: fixture.ada)
            let back = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            #expect(back.fullName == "a/one")
        }
    }

    @Test func `every change is published after its commit, and only to its user`() async throws {
        try await withBookmarks { fixture in
            var version = fixture.version()
            func isTold() -> Bool {
                defer { version = fixture.version() }
                return fixture.version() > version
            }
            let bookmark = try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            #expect(isTold())
            _ = try await fixture.bookmarks.edit(name("a/b"), tags: ["x"], note: nil, of: fixture.ada)
            #expect(isTold())
            _ = try await fixture.bookmarks.edit(name("a/b"), tags: ["x"], note: nil, of: fixture.ada)
            #expect(!isTold())
            let done = try await fixture.bookmarks.change([bookmark.id], .remove, of: fixture.ada)
            #expect(isTold())
            _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            #expect(isTold() && fixture.version(fixture.grace) == 0)
        }
    }

    @Test func `several bookmarks are changed at once and restored at once`() async throws {
        try await withBookmarks { fixture in
            var ids: [BookmarkID] = []
            for number in 1...3 {
                ids.append(try await fixture.add(try BookmarkFixture.item(Int64(number), "a/n\(number)")).id)
            }
            let tagged = try await fixture.bookmarks.change(
                ids + [999], .addTag(" to  read "), of: fixture.ada)
            let again = try await fixture.bookmarks.change(ids, .addTag("To Read"), of: fixture.ada)
            #expect(tagged.count == 3 && tagged.fullName == nil && again.count == 0 && again.undo == nil)
            let one = try await fixture.bookmarks.change([ids[0]], .removeTag("TO READ"), of: fixture.ada)
            #expect(one.count == 1 && one.fullName == "a/n1")
            let tags = try await fixture.listing().tags
            #expect(tags.map(\.name) == ["to read"] && tags.map(\.count) == [2])
            let removed = try await fixture.bookmarks.change(ids, .remove, of: fixture.ada)
            let empty = try await fixture.names()
            #expect(removed.count == 3 && empty.isEmpty)
            let back = try await fixture.bookmarks.undo(removed.undo ?? 0, for: fixture.ada)
            let names = try await fixture.names()
            #expect(back.count == 3 && Set(names) == ["a/n1", "a/n2", "a/n3"])
            let invalid = await refusal {
                _ = try await fixture.bookmarks.change(ids, .addTag("a,b"), of: fixture.ada)
            }
            #expect(invalid?.field == "tag")
        }
    }

    @Test func `nothing is left of a deleted user`() async throws {
        try await withBookmarks { fixture in
            let done = try await fixture.bookmarks.edit(
                name((try await fixture.add(try BookmarkFixture.item(5, "a/b"))).fullName), tags: ["x"],
                note: nil, of: fixture.ada)
            _ = try await fixture.listing()
            try await fixture.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            fixture.parts.forget(fixture.ada)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 0)
            #expect(try await fixture.kept().isEmpty)
            let listing = try await fixture.listing()
            #expect(listing.total == 0 && listing.groups.flatMap(\.items).isEmpty && listing.tags.isEmpty)
            let undo = await refusal {
                _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            }
            #expect(undo?.isNotFound == true)
            let rows = try await fixture.database.read {
                try Int.fetchOne(
                    $0,
                    sql: """
                        SELECT (SELECT count(*) FROM bookmarks) + (SELECT count(*) FROM bookmark_tags)
                            + (SELECT count(*) FROM bookmark_counts)
                            + (SELECT count(*) FROM undos) + (SELECT count(*) FROM undo_steps)
                        """)
            }
            #expect(rows == 0)
        }
    }

    @Test func `the repositories of all bookmarks are kept`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(5, "a/b"), for: fixture.grace)
            try await fixture.add(try BookmarkFixture.item(6, "c/d"), for: fixture.grace)
            _ = try await fixture.bookmarks.remove(name("a/b"), of: fixture.ada)
            #expect(try await fixture.kept() == [5, 6])
        }
    }
}
