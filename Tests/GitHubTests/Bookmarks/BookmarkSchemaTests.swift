import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub

/// Constraints that SQLite enforces, whoever writes.
@Suite struct BookmarkSchemaTests {
    private static let columns =
        "user_id, repository_id, full_name, seen_name, seen_state, state, is_changed, note, search_text, added_at, due_at"

    @Test(arguments: [
        "1, NULL, 'a/B', 'a/B', 'present', 'present', 0, '', '', 0, 0",
        "1, 5, 'c/d', 'c/d', 'present', 'present', 0, '', '', 0, 0",
        "1, 0, 'c/d', 'c/d', 'present', 'present', 0, '', '', 0, 0",
        "1, 6, 'c/d', 'c/d', 'present', 'else', 0, '', '', 0, 0",
        "1, 6, '/', 'c/d', 'present', 'present', 0, '', '', 0, 0",
        "99, 6, 'c/d', 'c/d', 'present', 'present', 0, '', '', 0, 0",
        "1, 6, 'c/d', 'c/d', NULL, 'present', 0, '', '', 0, 0",
        "1, 6, 'c/d', 'c/d', 'present', 'present', 2, '', '', 0, 0",
        "1, 6, 'c/d', 'c/d', 'present', 'present', 0, '\(String(repeating: "n", count: 2_001))', '', 0, 0",
    ])
    func `a row that violates a constraint is refused`(values: String) async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let isRefused = try await fixture.database.write { database in
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

    @Test func `a repository that is gone gives up its name`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.database.write { database in
                try database.execute(sql: "UPDATE bookmarks SET state = 'gone'")
                try database.execute(
                    sql: """
                        INSERT INTO bookmarks (\(Self.columns))
                        VALUES (1, 6, 'A/b', 'A/b', 'present', 'present', 0, '', '', 0, 0)
                        """)
            }
        }
    }

    @Test func `impossible values of another program do not break a list`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d"))
            try await fixture.database.write { database in
                try database.execute(
                    sql: "UPDATE bookmarks SET added_at = -5 WHERE repository_id = 5")
                try database.execute(
                    sql: "UPDATE repositories SET html_url = 'another form' WHERE id = 6")
            }
            let again = try await fixture.restarted().bookmarks
            let rows = try await again.listing(.init(), for: fixture.ada).groups.flatMap(\.items)
            #expect(rows.map(\.fullName) == ["c/d", "a/b"])
            #expect(rows.last?.addedAt == Date(timeIntervalSince1970: 0))
        }
    }

    /// The query plans of all statements since the given index that have one.
    private func plans(of statements: ArraySlice<String>, _ database: DatabasePool) async throws -> [String] {
        try await database.read { database in
            try Set(statements).filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }.map { sql in
                try QueryPlan(of: sql, database).steps.joined(separator: "; ")
            }
        }
    }

    @Test func `no list scans other users' bookmarks or all repositories`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let before = fixture.statements.all.count
            for grouping in GroupingOption.allCases {
                for sort in RepositorySort.allCases {
                    for text in ["", "thing swift"] {
                        let look = RepositoryArrangement(grouping: grouping, sort: sort, text: text)
                        for tag in [nil, "x"] {
                            _ = try await fixture.listing(.init(arrangement: look, tag: tag))
                            _ = try await fixture.listing(
                                .init(arrangement: look, tag: tag, isChangedOnly: true))
                        }
                    }
                }
            }
            _ = try await fixture.bookmarks.page(before: nil, of: fixture.ada)
            _ = try await fixture.files.export(.csv, of: fixture.ada)
            _ = try await fixture.marked()
            _ = try await fixture.find("a/b")
            let done = try await fixture.bookmarks.edit(
                BookmarkFixture.name("a/b"), tags: ["x"], note: nil, of: fixture.ada)
            _ = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            await fixture.refreshDue()
            let plans = try await plans(of: fixture.statements.all[before...], fixture.database)
            #expect(plans.count > 20)
            for plan in plans {
                let isWhole = plan.contains(/SCAN (bookmark|repositor)/)
                #expect(!isWhole, "\(plan)")
            }
        }
    }

    @Test func `the latest bookmarks are read in order, without sorting`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let before = fixture.statements.all.count
            for isChangedOnly in [true, false] {
                _ = try await fixture.listing(.init(isChangedOnly: isChangedOnly))
            }
            let lists = fixture.statements.all[before...].filter { $0.contains("OFFSET") }
            let plans = try await plans(of: lists[...], fixture.database)
            #expect(plans.count == 2)
            for plan in plans { #expect(!plan.contains("TEMP B-TREE"), "\(plan)") }
        }
    }

    @Test func `a user's due bookmarks are found by an index, in the order of their times`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let before = fixture.statements.all.count
            await fixture.refreshDue()
            let looks = fixture.statements.all[before...].filter {
                $0.contains(/ORDER BY (bookmark\.)?due_at/)
            }
            let plans = try await plans(of: looks[...], fixture.database)
            // The due ones, those scheduled too late, and the time of the next one.
            #expect(plans.count == 3)
            for plan in plans {
                #expect(plan.contains("(user_id=? AND due_at"), "\(plan)")
                #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
            }
        }
    }

    @Test func `the rows of a page are found by their ids, without a scan of the user's bookmarks`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let before = fixture.statements.all.count
            _ = try await fixture.listing()
            let rows = fixture.statements.all[before...].filter { $0.contains("group_concat") }
            let plans = try await plans(of: rows[...], fixture.database)
            #expect(plans.count == 1)
            for plan in plans {
                #expect(plan.hasPrefix("SEARCH bookmark USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
            }
        }
    }
}
