import Foundation
import RoostServices
import Testing

/// What a user does with single bookmarks.
@Suite struct BookmarkServiceTests {
    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `a repository that is known is bookmarked without asking GitHub, and outlives a restart`()
        async throws
    {
        try await withBookmarks { bench in
            let item = try BookmarkFixture.item(5, "apple/swift")
            bench.source.know(item)
            let (done, bookmark) = try await bench.bookmarks.add(name("Apple/Swift"), for: bench.ada)
            #expect(done.count == 1 && done.fullName == "apple/swift" && done.undo != nil)
            #expect(bookmark.item == item && bookmark.state == .present && bookmark.changes.isEmpty)
            #expect(bookmark.checkedAt == item.fetchedAt && bookmark.addedAt == bench.clock.now)
            #expect(bench.source.asked.isEmpty)
            let again = try await bench.restarted().bookmarks
            let kept = try await again.bookmark(named: name("apple/swift"), of: bench.ada)
            #expect(kept == bookmark)
            #expect(try await again.marked(Array(1...1_000), by: bench.ada) == [5])
            #expect(try await again.count(of: bench.ada) == 1)
        }
    }

    @Test func `what Roost does not know is asked for, and an error of GitHub's is told`() async throws {
        try await withBookmarks { bench in
            bench.source.set("apple/swift", to: .success(try BookmarkFixture.item(5, "apple/swift")))
            bench.source.set("far/away", to: .failure(.unavailable("GitHub does not answer.")))
            _ = try await bench.bookmarks.add(name("apple/swift"), for: bench.ada)
            #expect(bench.source.asked == ["item apple/swift"])
            let away = await refusal { _ = try await bench.bookmarks.add(name("far/away"), for: bench.ada) }
            #expect(away == .unavailable("GitHub does not answer."))
            let none = await refusal { _ = try await bench.bookmarks.add(name("not/there"), for: bench.ada) }
            #expect(none?.isNotFound == true)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 1)
        }
    }

    @Test func `bookmarking twice changes nothing`() async throws {
        try await withBookmarks { bench in
            let first = try await bench.add(try BookmarkFixture.item(5, "apple/swift"))
            let version = bench.version()
            let (done, second) = try await bench.bookmarks.add(name("APPLE/swift"), for: bench.ada)
            #expect(done.count == 0 && done.undo == nil && second == first)
            #expect(bench.version() == version)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 1)
        }
    }

    @Test func `bookmarks are the user's own: nobody else sees, edits, removes or undoes them`() async throws
    {
        try await withBookmarks { bench in
            let mine = try await bench.add(try BookmarkFixture.item(5, "ada/secret", isPrivate: true))
            let done = try await bench.bookmarks.edit(
                name("ada/secret"), tags: ["x"], note: nil, of: bench.ada)
            let bookmarks = bench.bookmarks
            let found = try await bench.find("ada/secret", of: bench.grace)
            let listing = try await bench.listing(of: bench.grace)
            #expect(found == nil && listing.total == 0 && listing.tags.isEmpty && listing.groups.isEmpty)
            #expect(try await bench.marked(bench.grace).isEmpty)
            for attempt in [
                { _ = try await bookmarks.remove(self.name("ada/secret"), of: bench.grace) },
                {
                    _ = try await bookmarks.edit(self.name("ada/secret"), tags: [], note: "", of: bench.grace)
                },
                { _ = try await bookmarks.undo(done.undo ?? "", for: bench.grace) },
            ] {
                let error = await refusal(attempt)
                #expect(error?.isNotFound == true)
            }
            let touched = try await bookmarks.change([mine.id], .remove, of: bench.grace)
            #expect(touched.count == 0)
            #expect(try await bookmarks.count(of: bench.ada) == 1)
            let exported = try await bench.files.export(.json, of: bench.grace)
            #expect(!String(decoding: exported, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a removed bookmark comes back whole, for an hour and once`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "apple/swift"))
            _ = try await bench.bookmarks.edit(
                name("apple/swift"), tags: ["lang", "big"], note: "Read this.", of: bench.ada)
            let before = try await bench.find("apple/swift")
            let done = try await bench.bookmarks.remove(name("apple/swift"), of: bench.ada)
            #expect(done.count == 1 && done.fullName == "apple/swift")
            #expect(try await bench.marked().isEmpty)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 0)
            bench.clock.advance(3_599)
            let back = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada)
            let after = try await bench.find("apple/swift")
            #expect(back.count == 1 && back.fullName == "apple/swift" && after == before)
            #expect(try await bench.marked() == [5])
            let twice = await refusal { _ = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada) }
            #expect(twice?.isNotFound == true)
            let late = try await bench.bookmarks.remove(name("apple/swift"), of: bench.ada)
            bench.clock.advance(3_601)
            let tooLate = await refusal {
                _ = try await bench.bookmarks.undo(late.undo ?? "", for: bench.ada)
            }
            #expect(tooLate?.isNotFound == true)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 0)
        }
    }

    @Test func `a removal is undone even if the repository was bookmarked anew meanwhile`() async throws {
        try await withBookmarks { bench in
            let item = try BookmarkFixture.item(5, "apple/swift")
            try await bench.add(item)
            _ = try await bench.bookmarks.edit(name("apple/swift"), tags: ["old"], note: "", of: bench.ada)
            let done = try await bench.bookmarks.remove(name("apple/swift"), of: bench.ada)
            try await bench.add(item)
            _ = try await bench.bookmarks.edit(name("apple/swift"), tags: ["new"], note: nil, of: bench.ada)
            _ = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada)
            let merged = try await bench.find("apple/swift")
            #expect(merged?.tags == ["new", "old"])
            #expect(try await bench.bookmarks.count(of: bench.ada) == 1)
        }
    }

    @Test func `undoing an edit brings back the words, unless they were written anew`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            let first = try await bench.bookmarks.edit(name("a/b"), tags: ["one"], note: "1", of: bench.ada)
            let second = try await bench.bookmarks.edit(name("a/b"), tags: nil, note: "2", of: bench.ada)
            let none = try await bench.bookmarks.undo(first.undo ?? "", for: bench.ada)
            let kept = try await bench.find("a/b")
            #expect(none.count == 0 && kept?.note == "2" && kept?.tags == ["one"])
            _ = try await bench.bookmarks.undo(second.undo ?? "", for: bench.ada)
            let back = try await bench.find("a/b")
            #expect(back?.note == "1" && back?.tags == ["one"])
        }
    }

    @Test func `undoing a bookmark takes it away, unless something was written beside it`() async throws {
        try await withBookmarks { bench in
            bench.source.know(try BookmarkFixture.item(5, "a/b"), try BookmarkFixture.item(6, "c/d"))
            let (plain, _) = try await bench.bookmarks.add(name("a/b"), for: bench.ada)
            let (noted, _) = try await bench.bookmarks.add(name("c/d"), for: bench.ada)
            _ = try await bench.bookmarks.edit(name("c/d"), tags: nil, note: "mine", of: bench.ada)
            _ = try await bench.bookmarks.undo(plain.undo ?? "", for: bench.ada)
            let none = try await bench.bookmarks.undo(noted.undo ?? "", for: bench.ada)
            let names = try await bench.names()
            #expect(names == ["c/d"] && none.count == 0)
        }
    }

    @Test func `a change is undone after a restart too, for an hour`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "apple/swift"))
            _ = try await bench.bookmarks.edit(
                name("apple/swift"), tags: ["Web", "later"], note: "words", of: bench.ada)
            let before = try await bench.find("apple/swift")
            let done = try await bench.bookmarks.remove(name("apple/swift"), of: bench.ada)
            bench.clock.advance(3_599)
            let restarted = try await bench.restarted().bookmarks
            let stranger = await refusal {
                _ = try await restarted.undo(done.undo ?? "", for: bench.grace)
            }
            #expect(stranger?.isNotFound == true)
            let back = try await restarted.undo(done.undo ?? "", for: bench.ada)
            let after = try await bench.find("apple/swift")
            #expect(back.count == 1 && after == before)
            let late = try await restarted.remove(name("apple/swift"), of: bench.ada)
            bench.clock.advance(3_601)
            let again = try await bench.restarted().bookmarks
            let tooLate = await refusal { _ = try await again.undo(late.undo ?? "", for: bench.ada) }
            #expect(tooLate?.isNotFound == true)
        }
    }

    @Test func `what can no longer be undone is removed from the disk, and nothing else`() async throws {
        try await withBookmarks { bench in
            func kept() async throws -> [Int] {
                try await bench.database.read { database in
                    try ["bookmark_undos", "bookmark_undo_steps"].map {
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? -1
                    }
                }
            }
            let bookmark = try await bench.add(try BookmarkFixture.item(5, "a/b"))
            bench.clock.advance(3_000)
            let done = try await bench.bookmarks.change([bookmark.id], .remove, of: bench.ada)
            #expect(try await kept() == [2, 2])
            bench.clock.advance(1_000)
            // The machine's clock does not end what was made a quarter of an hour ago.
            bench.clock.jump(86_400)
            let work = Task { await bench.parts.run() }
            try await wait(for: "the upkeep") { try await kept() == [1, 1] }
            work.cancel()
            await work.value
            #expect(try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada).count == 1)
            #expect(try await kept() == [0, 0])
        }
    }

    @Test func `ten changes can be undone, the oldest is forgotten first`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            var undos: [String] = []
            for number in 1...11 {
                let done = try await bench.bookmarks.edit(
                    name("a/b"), tags: nil, note: "\(number)", of: bench.ada)
                undos.append(done.undo ?? "")
            }
            let oldest = await refusal { _ = try await bench.bookmarks.undo(undos[0], for: bench.ada) }
            #expect(oldest?.isNotFound == true)
            for undo in undos[1...].reversed() { _ = try await bench.bookmarks.undo(undo, for: bench.ada) }
            let note = try await bench.find("a/b")?.note
            #expect(note == "1")
        }
    }

    @Test func `past the limit a bookmark is refused, in words, and so is an undo`() async throws {
        try await withBookmarks(limit: 2) { bench in
            try await bench.add(try BookmarkFixture.item(1, "a/one"))
            try await bench.add(try BookmarkFixture.item(2, "a/two"))
            bench.source.know(try BookmarkFixture.item(3, "a/three"))
            let full = await refusal { _ = try await bench.bookmarks.add(name("a/three"), for: bench.ada) }
            #expect(full == .conflict(field: "fullName", why: "There is room for 2 bookmarks."))
            let done = try await bench.bookmarks.remove(name("a/one"), of: bench.ada)
            _ = try await bench.bookmarks.add(name("a/three"), for: bench.ada)
            let undo = await refusal { _ = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada) }
            #expect(undo?.isConflict == true)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 2)
            _ = try await bench.bookmarks.remove(name("a/two"), of: bench.ada)
            let back = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada)
            #expect(back.fullName == "a/one")
        }
    }

    @Test func `every change is told once it is committed, and only to its user`() async throws {
        try await withBookmarks { bench in
            var version = bench.version()
            func isTold() -> Bool {
                defer { version = bench.version() }
                return bench.version() > version
            }
            let bookmark = try await bench.add(try BookmarkFixture.item(5, "a/b"))
            #expect(isTold())
            _ = try await bench.bookmarks.edit(name("a/b"), tags: ["x"], note: nil, of: bench.ada)
            #expect(isTold())
            _ = try await bench.bookmarks.edit(name("a/b"), tags: ["x"], note: nil, of: bench.ada)
            #expect(!isTold())
            let done = try await bench.bookmarks.change([bookmark.id], .remove, of: bench.ada)
            #expect(isTold())
            _ = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada)
            #expect(isTold() && bench.version(bench.grace) == 0)
        }
    }

    @Test func `several are changed at once, and brought back at once`() async throws {
        try await withBookmarks { bench in
            var ids: [BookmarkID] = []
            for number in 1...3 {
                ids.append(try await bench.add(try BookmarkFixture.item(Int64(number), "a/n\(number)")).id)
            }
            let tagged = try await bench.bookmarks.change(ids + [999], .addTag(" to  read "), of: bench.ada)
            let again = try await bench.bookmarks.change(ids, .addTag("To Read"), of: bench.ada)
            #expect(tagged.count == 3 && tagged.fullName == nil && again.count == 0 && again.undo == nil)
            let one = try await bench.bookmarks.change([ids[0]], .removeTag("TO READ"), of: bench.ada)
            #expect(one.count == 1 && one.fullName == "a/n1")
            let tags = try await bench.listing().tags
            #expect(tags.map(\.name) == ["to read"] && tags.map(\.count) == [2])
            let removed = try await bench.bookmarks.change(ids, .remove, of: bench.ada)
            let empty = try await bench.names()
            #expect(removed.count == 3 && empty.isEmpty)
            let back = try await bench.bookmarks.undo(removed.undo ?? "", for: bench.ada)
            let names = try await bench.names()
            #expect(back.count == 3 && Set(names) == ["a/n1", "a/n2", "a/n3"])
            let bad = await refusal {
                _ = try await bench.bookmarks.change(ids, .addTag("a,b"), of: bench.ada)
            }
            #expect(bad?.field == "tag")
        }
    }

    @Test func `nothing is left of a user who is gone`() async throws {
        try await withBookmarks { bench in
            let done = try await bench.bookmarks.edit(
                name((try await bench.add(try BookmarkFixture.item(5, "a/b"))).fullName), tags: ["x"],
                note: nil, of: bench.ada)
            _ = try await bench.listing()
            try await bench.database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
            bench.parts.forget(bench.ada)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 0)
            #expect(try await bench.kept().isEmpty)
            let listing = try await bench.listing()
            #expect(listing.total == 0 && listing.groups.flatMap(\.items).isEmpty && listing.tags.isEmpty)
            let undo = await refusal { _ = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada) }
            #expect(undo?.isNotFound == true)
            let rows = try await bench.database.read {
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
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(try BookmarkFixture.item(5, "a/b"), for: bench.grace)
            try await bench.add(try BookmarkFixture.item(6, "c/d"), for: bench.grace)
            _ = try await bench.bookmarks.remove(name("a/b"), of: bench.ada)
            #expect(try await bench.kept() == [5, 6])
        }
    }
}
