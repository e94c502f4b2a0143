import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

/// Databases of the previous version, which stored bookmarks and repositories as JSON.
@Suite struct BookmarkMigrationTests {
    private struct StoredBookmark: Sendable {
        let item: RepositoryItem
        let tags: [String]
        let note: String
        let seenStars: Int
    }

    private static let count = 1_000

    /// In the previous version's format.
    private static func json(_ item: RepositoryItem) throws -> String {
        var item = item
        item.fetchedAt = nil
        return String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
    }

    private static func seen(_ item: RepositoryItem, stars: Int?) throws -> String {
        let seen = AcknowledgedState(
            fullName: item.fullName, state: .present, stars: stars, archived: item.detail?.archived,
            isPrivate: item.repository.isPrivate)
        return String(decoding: try JSONEncoder().encode(seen), as: UTF8.self)
    }

    private static func stored() throws -> [StoredBookmark] {
        try (1...count).map { number in
            let item = try BookmarkFixture.item(
                Int64(number), "owner\(number % 97)/name\(number)", stars: number,
                language: ["Swift", "Rust", nil, "C++"][number % 4], archived: number.isMultiple(of: 50),
                description: number.isMultiple(of: 3) ? "Größe \(number)" : nil,
                fetchedAt: TestClock.start - Double(number), homepage: "https://example.org/\(number)",
                parent: number.isMultiple(of: 10) ? "up/stream" : nil)
            return StoredBookmark(
                item: item, tags: (0..<(number % 4)).map { "Tag \($0) É" },
                note: number.isMultiple(of: 5) ? "ÄRGER \(number)\n\nTwo" : "",
                seenStars: number.isMultiple(of: 7) ? number - 1 : number)
        }
    }

    private static func old(in folder: String) throws -> DatabaseQueue {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try DatabaseQueue(path: folder + "/roost.sqlite")
        try Migrations.migrator.migrate(database, upTo: "accounts: known devices")
        try database.write { database in
            for (id, name) in [(1, "ada"), (2, "grace")] {
                try database.execute(
                    sql: """
                        INSERT INTO users (id, username, name_key, role, created_at) VALUES (?, ?, ?, 'member', 0)
                        """, arguments: [id, name, name])
            }
        }
        return database
    }

    private static func add(
        _ stored: StoredBookmark, of user: Int, id: Int64?, state: String = "present",
        _ database: GRDB.Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO bookmarks (user_id, repository_id, full_name, item, fetched_at, seen, state, is_changed,
                    note, added_at, checked_at, due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
                """,
            arguments: [
                user, id, stored.item.fullName, try json(stored.item),
                stored.item.fetchedAt?.timeIntervalSince1970,
                try seen(stored.item, stars: stored.seenStars), state, stored.note, 1_000 + stored.item.id,
                2_000,
                3_000,
            ])
        let bookmark = database.lastInsertedRowID
        for (index, tag) in stored.tags.enumerated() {
            try database.execute(
                sql: "INSERT INTO bookmark_tags (bookmark_id, place, name) VALUES (?, ?, ?)",
                arguments: [bookmark, index, tag])
        }
    }

    private static func know(_ item: RepositoryItem, viewer: Int? = nil, _ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO repository_details (id, viewer, full_name, item, etag, fetched_at, used_at)
                VALUES (?, ?, ?, ?, 'tag', ?, 1)
                """,
            arguments: [
                item.id, viewer, item.fullName, try json(item), item.fetchedAt?.timeIntervalSince1970 ?? 0,
            ])
    }

    @Test func `a thousand bookmarks of the previous version are migrated with all their facts`()
        async throws
    {
        try await withFolder { folder in
            let stored = try Self.stored()
            let old = try Self.old(in: folder)
            try await old.write { database in
                for one in stored { try Self.add(one, of: 1, id: one.item.id, database) }
                for one in stored.prefix(100) { try Self.know(one.item, database) }
                try database.execute(
                    sql: """
                        INSERT INTO bookmarks (user_id, full_name, seen, state, is_changed, note, added_at, due_at)
                        VALUES (1, 'only/named', '{"fullName":"only/named","state":"unresolved"}', 'unresolved', 0, '',
                            5, 5)
                        """)
            }
            try old.close()
            let fixture = try await BookmarkServiceFixture(in: folder, limit: 20_000)
            let bookmarks = try await fixture.listing(.init(arrangement: .init(sort: .listed), pages: 101))
                .groups.flatMap(\.items)
            #expect(bookmarks.count == Self.count + 1)
            let head = try await fixture.listing()
            #expect(head.total == Self.count + 1)
            #expect(head.tags.map(\.count).reduce(0, +) == stored.flatMap(\.tags).count)
            for (bookmark, one) in zip(bookmarks, stored.reversed()) where bookmark.item != one.item {
                Issue.record("\(String(describing: bookmark.item)) instead of \(one.item)")
                break
            }
            #expect(zip(bookmarks, stored.reversed()).allSatisfy { $0.tags == $1.tags && $0.note == $1.note })
            #expect(bookmarks.last?.state == .unresolved)
            let changed = try await fixture.listing(.init(isChangedOnly: true, pages: 101)).groups.flatMap(
                \.items)
            #expect(changed.count == Self.count / 7)
            #expect(changed.allSatisfy { $0.changes == [.stars(1)] })
            let found = try await fixture.listing(.init(arrangement: .init(text: "größe ärger 990")))
            #expect(found.groups.flatMap(\.items).map(\.fullName) == ["owner20/name990"])
            let tagged = try await fixture.listing(.init(tag: "tag 2 é"))
            #expect(tagged.matching == Self.count / 4)
            let problems = try await Services.problems(in: folder)
            #expect(problems.isEmpty)
            try fixture.database.close()
        }
    }

    @Test func `of two copies of a repository the later one is kept, and a private one stays its user's`()
        async throws
    {
        try await withFolder { folder in
            let old = try Self.old(in: folder)
            let then = try BookmarkFixture.item(5, "a/b", stars: 1, description: "Then")
            let now = try BookmarkFixture.item(5, "a/b", stars: 2, fetchedAt: TestClock.start + 60)
            let open = try BookmarkFixture.item(6, "a/plans", description: "Open")
            let secret = try BookmarkFixture.item(
                6, "a/plans", isPrivate: true, description: "Secret", fetchedAt: TestClock.start + 60)
            let claimed = try BookmarkFixture.item(5, "file/says", description: "Claimed")
            try await old.write { database in
                let keep = { StoredBookmark(item: $0, tags: [], note: "", seenStars: 1) }
                try Self.add(keep(then), of: 1, id: 5, database)
                try Self.add(keep(now), of: 2, id: 5, database)
                try Self.add(keep(secret), of: 1, id: 6, database)
                try Self.add(keep(open), of: 2, id: 6, database)
                try Self.add(keep(claimed), of: 2, id: nil, database)
                try Self.know(secret, viewer: 1, database)
            }
            try old.close()
            let fixture = try await BookmarkServiceFixture(in: folder, limit: 100)
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.item == now)
            #expect(bookmark?.changes == [.stars(1)])
            #expect(try await fixture.find("a/plans")?.about == "Secret")
            #expect(try await fixture.find("a/plans", of: fixture.grace)?.about == "Open")
            #expect(try await fixture.find("file/says", of: fixture.grace)?.about == "Claimed")
            #expect(try await fixture.find("a/b", of: fixture.grace)?.item == now)
            try fixture.database.close()
        }
    }

    @Test func `an unreadable row of the previous version is skipped, and the others are migrated`()
        async throws
    {
        try await withFolder { folder in
            let old = try Self.old(in: folder)
            let item = try BookmarkFixture.item(5, "a/b")
            try await old.write { database in
                let keep = StoredBookmark(item: item, tags: ["x"], note: "", seenStars: 1)
                try Self.add(keep, of: 1, id: 5, database)
                try Self.add(keep, of: 2, id: 5, database)
                try Self.know(item, database)
                try database.execute(sql: "UPDATE bookmarks SET item = 'not JSON' WHERE user_id = 1")
                try database.execute(sql: "UPDATE bookmarks SET seen = '{' WHERE user_id = 2")
                try database.execute(sql: "UPDATE repository_details SET item = '[]'")
            }
            try old.close()
            let fixture = try await BookmarkServiceFixture(in: folder, limit: 100)
            #expect(try await fixture.names() == ["a/b"])
            #expect(try await fixture.names(of: fixture.grace).isEmpty)
            try fixture.database.close()
        }
    }
}
