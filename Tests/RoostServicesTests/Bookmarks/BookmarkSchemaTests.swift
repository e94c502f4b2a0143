import Foundation
import GRDB
import RoostServices
import Testing

/// What SQLite itself holds to, whoever writes.
@Suite struct BookmarkSchemaTests {
    private static let columns =
        "user_id, repository_id, full_name, item, seen, state, is_changed, note, added_at, due_at"

    @Test(arguments: [
        "1, 6, 'c/d', NULL, '{}', 'present', 0, '', 0, 0",
        "1, NULL, 'a/B', NULL, '{}', 'present', 0, '', 0, 0",
        "1, 5, 'c/d', '{}', '{}', 'present', 0, '', 0, 0",
        "1, 0, 'c/d', '{}', '{}', 'present', 0, '', 0, 0",
        "1, 6, 'c/d', '{}', '{}', 'else', 0, '', 0, 0", "1, 6, '/', '{}', '{}', 'present', 0, '', 0, 0",
        "99, 6, 'c/d', '{}', '{}', 'present', 0, '', 0, 0",
        "1, 6, 'c/d', '{}', NULL, 'present', 0, '', 0, 0",
        "1, 6, 'c/d', '{}', '{}', 'present', 2, '', 0, 0",
        "1, 6, 'c/d', '{}', '{}', 'present', 0, '\(String(repeating: "n", count: 2_001))', 0, 0",
    ])
    func `a row that breaks a rule is refused`(values: String) async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            let isRefused = try await bench.database.write { database in
                do {
                    try database.execute(
                        sql: "INSERT INTO bookmarks (\(Self.columns)) VALUES (\(values))")
                    return false
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    return true
                }
            }
            #expect(isRefused)
        }
    }

    @Test func `one that is gone leaves its name to another`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.database.write { database in
                try database.execute(sql: "UPDATE bookmarks SET state = 'gone'")
                try database.execute(
                    sql: """
                        INSERT INTO bookmarks (\(Self.columns))
                        VALUES (1, 6, 'A/b', '{}', '{}', 'present', 0, '', 0, 0)
                        """)
            }
        }
    }

    @Test func `a row of a later version is passed over, and spoils no list`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(try BookmarkFixture.item(6, "c/d"))
            try await bench.database.write { database in
                try database.execute(
                    sql: "UPDATE bookmarks SET seen = 'another form' WHERE repository_id = 5")
                try database.execute(
                    sql: "UPDATE bookmarks SET item = '{\"form\": 2}' WHERE repository_id = 6")
            }
            let again = try await bench.restarted()
            let rows = try await again.listing(.init(), for: bench.ada).groups.flatMap(\.items)
            #expect(rows.map(\.fullName) == ["c/d"] && rows.first?.item == nil)
        }
    }

    @Test func `lists, names and what is due are found by an index`() async throws {
        try await withBookmarks { bench in
            let plans = try await bench.database.read { database in
                try [
                    "SELECT * FROM bookmarks WHERE user_id = 1 AND full_name = 'a/b'",
                    "SELECT * FROM bookmarks WHERE user_id = 1 AND repository_id = 5",
                    "SELECT * FROM bookmarks WHERE due_at <= 5 AND user_id NOT IN (2) ORDER BY due_at LIMIT 1",
                    "SELECT * FROM bookmarks WHERE user_id = 1 AND id IN (SELECT value FROM json_each('[1]'))",
                ].map { sql in
                    try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql).map {
                        $0["detail"] as String
                    }
                    .joined(separator: "; ")
                }
            }
            for plan in plans {
                #expect(plan.contains("SEARCH bookmarks") && !plan.contains("SCAN bookmarks"), "\(plan)")
            }
        }
    }
}
