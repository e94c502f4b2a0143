import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport
@testable import TextFormats

/// Every column of every table in turn contains an invalid value, as after damage or another program's writes.
@Suite struct HostileValueTests {
    private static let values = [
        "'text'", "''", "1e308", "-1e308", "9e999", "-1", "0", "9223372036854775807", "NULL", "x'00ff'",
        "253402300800.0",
    ]
    private static let longValue = "CAST(zeroblob(70000) AS TEXT)"

    /// What the schema requires of columns, in addition to their types.
    private static let sound = [
        "role": "'member'", "scope": "'read'", "sort": "'name'", "media_type": "'image/png'",
        "grouping": "'none'", "drafts": "'shown'", "state": "'present'", "list": "'browse'", "email": "NULL",
        "seconds_per_page": "20", "full_name": "'ada/engine'", "item": "NULL", "choices": "'{}'",
        "readme": "NULL", "rank": "1", "is_stand_in": "0", "place": "1",
    ]
    private static let soundByTable = [
        "audit_entries.kind": "'signedIn'", "pull_marks.kind": "'mute'",
        "bookmarks.seen_state": "'present'", "repositories.status": "'current'",
        "displays.coins": "'[]'", "displays.style": "'line'", "displays.theme": "'dark'",
        "displays.black_hours": "NULL", "displays.orientation": "'auto'", "displays.language": "'en'",
        "repositories.owner_type": "'User'", "repositories.html_url": "'https://github.com/ada/engine'",
        "repositories.is_private": "0", "repositories.is_archived": "0", "repositories.is_fork": "0",
        "bookmark_star_imports.state": "'running'", "bookmark_star_imports.refusals": "NULL",
        "preferences.value": "'{}'",
        "coin_holdings.amount": "'1'", "coin_holdings.price": "'1'", "coin_holdings.currency": "'usd'",
        "coin_holdings.bought_on": "'2025-03-31'",
        "pull_review_drafts.verdict": "'comment'", "pull_review_drafts.comments": "'[]'",
        "pull_marks.seen": #"'{"hasDetail":false,"updated":1,"reasons":[]}'"#,
    ]

    private static func sound(_ table: String, _ column: String, _ type: String) -> String {
        soundByTable["\(table).\(column)"] ?? sound[column]
            ?? ["INTEGER": "1", "REAL": "1700000000.0", "BLOB": "zeroblob(32)"][type] ?? "'\(column)'"
    }

    /// Recreates each table without types and constraints, and adds a row for every column and value, except in the
    /// search index of messages, which belongs to SQLite.
    private static func fill(_ database: GRDB.Database) throws -> [String] {
        let tables = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                    AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'
                """)
        for table in tables {
            let columns = try database.columns(in: table)
            try database.execute(
                sql:
                    "DROP TABLE \(table); CREATE TABLE \(table) (\(columns.map(\.name).joined(separator: ", ")))"
            )
            for hostile in columns {
                for value in AllTests.areWanted ? values + [longValue] : values {
                    let row = columns.map { column in
                        column.name == hostile.name ? value : sound(table, column.name, column.type)
                    }
                    try database.execute(sql: "INSERT INTO \(table) VALUES (\(row.joined(separator: ", ")))")
                }
            }
        }
        return tables
    }

    @Test func `invalid values are skipped at the start, and the check names their rows`()
        async throws
    {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let file = try DatabaseFile.open(Services.databasePath(in: folder)) {
                $0.foreignKeysEnabled = false
            }
            let tables = try await file.write(Self.fill)
            try file.close()
            let problems = try await Services.problems(in: folder)
            for table in tables {
                let isNamed = problems.contains { $0.containsBytes(" of \(table) has an invalid value in ") }
                #expect(isNamed, "\(table)")
            }
            let fixture = try ServicesFixture(in: folder)
            try await fixture.services.load()
            // Without its primary key the table has several rows per user.
            for user in Set(try await fixture.services.identity.accounts.users.map(\.userId)) {
                _ = try await fixture.services.market.watchlist.list(of: user)
                _ = try await fixture.services.gitHub.bookmarks.listing(.init(), for: user)
                _ = try await fixture.services.gitHub.pulls.inbox(of: user)
                _ = try await fixture.services.market.displays.displays(of: user)
            }
            for entry in try await fixture.services.identity.audit.entries() {
                _ = ISO8601.milliseconds(entry.at)
            }
            try fixture.end()
        }
    }

    @Test(arguments: [1e308, -1e308, Double.infinity, 253_402_300_800])
    func `a time outside the calendar is formatted as the nearest valid one`(seconds: Double) {
        let text = ISO8601.milliseconds(Date(timeIntervalSince1970: seconds))
        #expect(text.hasPrefix(seconds > 0 ? "9999-12-31" : "0001-01-01"))
    }
}
