import Foundation
import Testing

@testable import RoostSupport

/// Stored values in changes that can be undone.
@Suite struct StoredColumnsTests {
    private struct Cabinet: ColumnRecord {
        var name = "Ships"
        var room: String?
        var books: Int? = 12
        var isLocked = true
        var builtAt = Date(timeIntervalSince1970: 1_700_000_000.123)

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("name", &name)
            try columns.column("room", &room)
            try columns.column("books", &books)
            try columns.column("is_locked", &isLocked)
            try columns.column("built_at", &builtAt)
        }
    }

    @Test func `texts, numbers, times and nulls are the same after JSON`() throws {
        let columns = StoredColumns(Cabinet())
        let json = try JSONEncoder().encode(columns)
        #expect(try JSONDecoder().decode(StoredColumns.self, from: json) == columns)
        #expect(columns.names == ["books", "built_at", "is_locked", "name", "room"])
    }

    @Test func `a JSON truth value is read as the number that SQLite stores`() throws {
        let json = Data(#"{"is_locked":true}"#.utf8)
        let columns = try JSONDecoder().decode(StoredColumns.self, from: json)
        #expect(columns["is_locked"] == 1.databaseValue)
    }

    @Test func `only the chosen columns are left`() {
        let columns = StoredColumns(Cabinet()).filter { $0 != "name" && $0 != "room" }
        #expect(columns.names == ["books", "built_at", "is_locked"])
    }
}
