import Foundation
import TestSupport
import Testing

@Suite struct BookmarkConcurrencyTests {
    @Test func `bookmarking a repository from many tabs at once makes one bookmark`() async throws {
        try await withBookmarks { fixture in
            fixture.source.know(try BookmarkFixture.item(5, "a/b"))
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await fixture.bookmarks.add(BookmarkFixture.name("a/b"), for: fixture.ada).0.count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts.reduce(0, +) == 1 && counts.count == 40)
            let total = try await fixture.listing().total
            #expect(total == 1)
            #expect(try await fixture.marked() == [5])
        }
    }

    @Test func `concurrent additions do not exceed the limit`() async throws {
        try await withBookmarks(limit: 10) { fixture in
            for number in 1...30 {
                fixture.source.know(try BookmarkFixture.item(Int64(number), "a/n\(number)"))
            }
            let added = await withTaskGroup(of: Bool.self) { group in
                for number in 1...30 {
                    group.addTask {
                        let name = BookmarkFixture.name("a/n\(number)")
                        return (try? await fixture.bookmarks.add(name, for: fixture.ada)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let rows = try await fixture.names()
            #expect(added == 10)
            #expect(rows.count == 10)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 10)
        }
    }

    @Test func `memory and disk agree after concurrent changes`() async throws {
        try await withBookmarks { fixture in
            try await fixture.fill(200)
            await withTaskGroup(of: Void.self) { group in
                for turn in 0..<8 {
                    group.addTask {
                        for number in stride(from: turn + 1, through: 200, by: 8) {
                            let name = BookmarkFixture.name("owner\(number % 7)/name\(number)")
                            if number % 5 == 0 {
                                _ = try? await fixture.bookmarks.remove(name, of: fixture.ada)
                            } else {
                                _ = try? await fixture.bookmarks.edit(
                                    name, tags: ["t\(number % 3)"], note: "\(turn)", of: fixture.ada)
                            }
                            _ = try? await fixture.listing(.init(tag: "t1"))
                        }
                    }
                }
            }
            let again = try await fixture.restarted().bookmarks
            for tag in [nil, "t0", "t1", "t2"] {
                let current = try await fixture.listing(.init(tag: tag, pages: 3))
                let fresh = try await again.listing(.init(tag: tag, pages: 3), for: fixture.ada)
                #expect(current.groups.map(\.items) == fresh.groups.map(\.items))
                #expect(current.matching == fresh.matching && current.total == 160 && fresh.total == 160)
                #expect(current.tags.map(\.count) == fresh.tags.map(\.count))
            }
        }
    }

    @Test func `undoing a removal does not add tags or notes to another repository with the same name`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let name = BookmarkFixture.name("a/b")
            _ = try await fixture.bookmarks.edit(name, tags: ["mine"], note: "N", of: fixture.ada)
            let done = try await fixture.bookmarks.remove(name, of: fixture.ada)
            // Another repository has the name by now.
            try await fixture.add(try BookmarkFixture.item(9, "a/b"))
            _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            let kept = try await fixture.bookmarks.page(before: nil, of: fixture.ada).items
            #expect(kept.count == 2)
            #expect(
                kept.first { $0.item?.id == 9 }?.tags == [] && kept.first { $0.item?.id == 9 }?.note == "")
            let back = kept.first { $0.item?.id == 5 }
            #expect(back?.state == .gone && back?.tags == ["mine"] && back?.note == "N")
        }
    }

    @Test func `two concurrent undos of one change restore one bookmark`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let done = try await fixture.bookmarks.remove(BookmarkFixture.name("a/b"), of: fixture.ada)
            let counts = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        (try? await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada).count) ?? 0
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(counts == 1)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 1)
        }
    }

    @Test func `the bookmarks of many users stay separate, even when not all fit into memory`() async throws {
        try await withBookmarks { fixture in
            try await fixture.database.write { database in
                for id in 3...70 {
                    try database.execute(
                        sql: """
                            INSERT INTO users (id, username, name_key, role, created_at)
                            VALUES (?, ?, ?, 'member', 0)
                            """,
                        arguments: [id, "user\(id)", "user\(id)"])
                }
            }
            for user in Int64(3)...70 { _ = try await fixture.read("own/of\(user)", for: user) }
            for user in Int64(3)...70 {
                let names = try await fixture.names(of: user)
                #expect(names == ["own/of\(user)"])
            }
            let first = try await fixture.names(of: 3)
            #expect(first == ["own/of3"])
        }
    }
}
