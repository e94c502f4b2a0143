import Foundation
import Testing

@testable import GitHub

/// What a user does with single bookmarks.
@Suite struct BookmarkServiceTests {
    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `a repository that is known is bookmarked without asking GitHub, and outlives a restart`()
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
            #expect(try await again.marked(Array(1...1_000), by: fixture.ada) == [5])
            #expect(try await again.count(of: fixture.ada) == 1)
        }
    }

    @Test func `what Roost does not know is asked for, and an error of GitHub's is told`() async throws {
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

    @Test func `bookmarks are the user's own: nobody else sees, edits, removes or undoes them`() async throws
    {
        try await withBookmarks { fixture in
            let mine = try await fixture.add(try BookmarkFixture.item(5, "ada/secret", isPrivate: true))
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
                { _ = try await bookmarks.undo(done.undo ?? "", for: fixture.grace) },
            ] {
                let error = await refusal(attempt)
                #expect(error?.isNotFound == true)
            }
            let touched = try await bookmarks.change([mine.id], .remove, of: fixture.grace)
            #expect(touched.count == 0)
            #expect(try await bookmarks.count(of: fixture.ada) == 1)
            let exported = try await fixture.files.export(.json, of: fixture.grace)
            #expect(!String(decoding: exported, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a removed bookmark comes back whole, for an hour and once`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "apple/swift"))
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["lang", "big"], note: "Read this.", of: fixture.ada)
            let before = try await fixture.find("apple/swift")
            let done = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            #expect(done.count == 1 && done.fullName == "apple/swift")
            #expect(try await fixture.marked().isEmpty)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 0)
            fixture.clock.advance(3_599)
            let back = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            let after = try await fixture.find("apple/swift")
            #expect(back.count == 1 && back.fullName == "apple/swift" && after == before)
            #expect(try await fixture.marked() == [5])
            let twice = await refusal {
                _ = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            }
            #expect(twice?.isNotFound == true)
            let late = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            fixture.clock.advance(3_601)
            let tooLate = await refusal {
                _ = try await fixture.bookmarks.undo(late.undo ?? "", for: fixture.ada)
            }
            #expect(tooLate?.isNotFound == true)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 0)
        }
    }

    @Test func `a removal is undone even if the repository was bookmarked anew meanwhile`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "apple/swift")
            try await fixture.add(item)
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["old"], note: "", of: fixture.ada)
            let done = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            try await fixture.add(item)
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["new"], note: nil, of: fixture.ada)
            _ = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            let merged = try await fixture.find("apple/swift")
            #expect(merged?.tags == ["new", "old"])
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
        }
    }

    @Test func `undoing an edit brings back the words, unless they were written anew`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let first = try await fixture.bookmarks.edit(
                name("a/b"), tags: ["one"], note: "1", of: fixture.ada)
            let second = try await fixture.bookmarks.edit(name("a/b"), tags: nil, note: "2", of: fixture.ada)
            let none = try await fixture.bookmarks.undo(first.undo ?? "", for: fixture.ada)
            let kept = try await fixture.find("a/b")
            #expect(none.count == 0 && kept?.note == "2" && kept?.tags == ["one"])
            _ = try await fixture.bookmarks.undo(second.undo ?? "", for: fixture.ada)
            let back = try await fixture.find("a/b")
            #expect(back?.note == "1" && back?.tags == ["one"])
        }
    }

    @Test func `undoing a bookmark takes it away, unless something was written beside it`() async throws {
        try await withBookmarks { fixture in
            fixture.source.know(try BookmarkFixture.item(5, "a/b"), try BookmarkFixture.item(6, "c/d"))
            let (plain, _) = try await fixture.bookmarks.add(name("a/b"), for: fixture.ada)
            let (noted, _) = try await fixture.bookmarks.add(name("c/d"), for: fixture.ada)
            _ = try await fixture.bookmarks.edit(name("c/d"), tags: nil, note: "mine", of: fixture.ada)
            _ = try await fixture.bookmarks.undo(plain.undo ?? "", for: fixture.ada)
            let none = try await fixture.bookmarks.undo(noted.undo ?? "", for: fixture.ada)
            let names = try await fixture.names()
            #expect(names == ["c/d"] && none.count == 0)
        }
    }

    @Test func `a change is undone after a restart too, for an hour`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "apple/swift"))
            _ = try await fixture.bookmarks.edit(
                name("apple/swift"), tags: ["Web", "later"], note: "words", of: fixture.ada)
            let before = try await fixture.find("apple/swift")
            let done = try await fixture.bookmarks.remove(name("apple/swift"), of: fixture.ada)
            fixture.clock.advance(3_599)
            let restarted = try await fixture.restarted().bookmarks
            let stranger = await refusal {
                _ = try await restarted.undo(done.undo ?? "", for: fixture.grace)
            }
            #expect(stranger?.isNotFound == true)
            let back = try await restarted.undo(done.undo ?? "", for: fixture.ada)
            let after = try await fixture.find("apple/swift")
            #expect(back.count == 1 && after == before)
            let late = try await restarted.remove(name("apple/swift"), of: fixture.ada)
            fixture.clock.advance(3_601)
            let again = try await fixture.restarted().bookmarks
            let tooLate = await refusal { _ = try await again.undo(late.undo ?? "", for: fixture.ada) }
            #expect(tooLate?.isNotFound == true)
        }
    }

    @Test func `what can no longer be undone is removed from the disk, and nothing else`() async throws {
        try await withBookmarks { fixture in
            func kept() async throws -> [Int] {
                try await fixture.database.read { database in
                    try ["bookmark_undos", "bookmark_undo_steps"].map {
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
                    }
                }
            }
            let bookmark = try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.clock.advance(3_000)
            let done = try await fixture.bookmarks.change([bookmark.id], .remove, of: fixture.ada)
            #expect(try await kept() == [2, 2])
            fixture.clock.advance(1_000)
            // The machine's clock does not end what was made a quarter of an hour ago.
            fixture.clock.jump(86_400)
            let work = Task { await fixture.parts.run() }
            try await wait(for: "the upkeep") { try await kept() == [1, 1] }
            work.cancel()
            await work.value
            #expect(try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada).count == 1)
            #expect(try await kept() == [0, 0])
        }
    }

    @Test func `ten changes can be undone, the oldest is forgotten first`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            var undos: [String] = []
            for number in 1...11 {
                let done = try await fixture.bookmarks.edit(
                    name("a/b"), tags: nil, note: "\(number)", of: fixture.ada)
                undos.append(done.undo ?? "")
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

    @Test func `past the limit a bookmark is refused, in words, and so is an undo`() async throws {
        try await withBookmarks(limit: 2) { fixture in
            try await fixture.add(try BookmarkFixture.item(1, "a/one"))
            try await fixture.add(try BookmarkFixture.item(2, "a/two"))
            fixture.source.know(try BookmarkFixture.item(3, "a/three"))
            let full = await refusal {
                _ = try await fixture.bookmarks.add(name("a/three"), for: fixture.ada)
            }
            #expect(full == .conflict(field: "fullName", why: "There is room for 2 bookmarks."))
            let done = try await fixture.bookmarks.remove(name("a/one"), of: fixture.ada)
            _ = try await fixture.bookmarks.add(name("a/three"), for: fixture.ada)
            let undo = await refusal {
                _ = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            }
            #expect(undo?.isConflict == true)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 2)
            _ = try await fixture.bookmarks.remove(name("a/two"), of: fixture.ada)
            let back = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            #expect(back.fullName == "a/one")
        }
    }

    @Test func `every change is told once it is committed, and only to its user`() async throws {
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
            _ = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            #expect(isTold() && fixture.version(fixture.grace) == 0)
        }
    }

    @Test func `several are changed at once, and brought back at once`() async throws {
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
            let back = try await fixture.bookmarks.undo(removed.undo ?? "", for: fixture.ada)
            let names = try await fixture.names()
            #expect(back.count == 3 && Set(names) == ["a/n1", "a/n2", "a/n3"])
            let bad = await refusal {
                _ = try await fixture.bookmarks.change(ids, .addTag("a,b"), of: fixture.ada)
            }
            #expect(bad?.field == "tag")
        }
    }

    @Test func `nothing is left of a user who is gone`() async throws {
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
                _ = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            }
            #expect(undo?.isNotFound == true)
            let rows = try await fixture.database.read {
                try Int.fetchOne(
                    $0,
                    sql: """
                        SELECT (SELECT count(*) FROM bookmarks) + (SELECT count(*) FROM bookmark_tags)
                            + (SELECT count(*) FROM bookmark_counts)
                            + (SELECT count(*) FROM bookmark_undos) + (SELECT count(*) FROM bookmark_undo_steps)
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
