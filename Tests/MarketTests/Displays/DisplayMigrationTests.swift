import Foundation
import GRDB
import Testing

@testable import Market
@testable import RoostServices
@testable import RoostSupport

@Suite struct DisplayMigrationTests {
    @Test(arguments: [
        ("coins", [DisplaySettings.PageKind.coins]), ("pulls", [.pulls]), ("both", [.coins, .pulls]),
    ])
    func `a display from before keeps its pages and shows nothing more`(
        stored: String, pages: [DisplaySettings.PageKind]
    ) throws {
        let database = try DatabaseQueue()
        let steps = Migrations.migrator.migrations
        let index = try #require(steps.firstIndex(of: Migration.displayToday.name))
        try Migrations.migrator.migrate(database, upTo: steps[index - 1])
        try database.write {
            try $0.execute(
                sql: """
                    INSERT INTO users (username, role, created_at) VALUES ('ada', 'owner', 0);
                    INSERT INTO displays (user_id, name, token_hash, created_at, pages)
                    VALUES (1, 'Wall', zeroblob(32), 0, '\(stored)');
                    """)
        }
        try Migrations.migrator.migrate(database)
        let settings = try database.read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT \(DisplaySettings.selection(of: "displays")) FROM displays")
            return try DisplaySettings(try #require(row))
        }
        #expect(settings.pages == pages && settings.todayParts.isEmpty)
    }
}
