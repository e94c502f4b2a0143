import GRDB
import Market
import Reading
import RoostServices
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// What users choose for each feature.
@Suite(.timeLimit(.minutes(1))) struct PreferencesTests {
    private struct Colours: Preferences, Equatable {
        enum Shade: String, Codable { case light, dark }

        static let name = "colours"
        var shade = Shade.light
        var names = ["red"]
        var limit: Int?
    }

    private func withDatabase(_ body: (RoostSupport.Database) async throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write(Self.addUsers)
            try await body(RoostSupport.Database(pool, feed: ChangeFeed(), log: LogCapture().logger))
            try pool.close()
        }
    }

    private static func addUsers(_ database: GRDB.Database) throws {
        for id in 1...2 {
            try database.execute(
                sql:
                    "INSERT INTO users (id, username, name_key, role, created_at) VALUES (?, ?, ?, 'member', 0)",
                arguments: [id, "user\(id)", "user\(id)"])
        }
    }

    @Test func `preferences belong to one user and one feature`() async throws {
        try await withDatabase { database in
            let chosen = Colours.with {
                $0.shade = .dark
                $0.names = []
                $0.limit = 3
            }
            try await database.write { try $0.setPreferences(Colours.with { $0.limit = 1 }, of: 1) }
            try await database.write { try $0.setPreferences(chosen, of: 1) }
            #expect(try await database.read { try $0.preferences(of: 1) } == chosen)
            #expect(try await database.read { try $0.preferences(of: 2) } == Colours())
            #expect(try await database.read { try $0.preferences(of: 1) } == ReadingPreferences())
        }
    }

    @Test(arguments: [
        (#"{"shade":"dark"}"#, Colours.with { $0.shade = .dark }),
        (
            #"{"shade":"dark","limit":4,"future":[1]}"#,
            Colours.with {
                $0.shade = .dark
                $0.limit = 4
            }
        ),
        (
            #"{"shade":"pale","names":["blue"],"limit":4}"#,
            Colours.with {
                $0.names = ["blue"]
                $0.limit = 4
            }
        ),
        (#"{"shade":7,"names":{},"limit":"x"}"#, Colours()),
    ])
    private func `missing and unknown values have their defaults`(
        _ stored: String, _ expected: Colours
    ) async throws {
        try await withDatabase { database in
            try await database.write {
                try $0.execute("INSERT INTO preferences VALUES (1, 'colours', ?)", [stored])
            }
            #expect(try await database.read { try $0.preferences(of: 1) } == expected)
        }
    }

    @Test(arguments: ["[]", "7", "{", "NULL"]) func `only JSON objects are stored`(_ value: String)
        async throws
    {
        try await withDatabase { database in
            await #expect(throws: RoostError.self) {
                try await database.write {
                    try $0.execute("INSERT INTO preferences VALUES (1, 'colours', ?)", [value])
                }
            }
        }
    }

    @Test func `the choices of earlier versions are kept`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write { database in
                try Self.addUsers(database)
                // As the migrations before created the tables.
                try database.execute(
                    sql: """
                        DELETE FROM grdb_migrations WHERE identifier LIKE 'preferences%';
                        DROP TABLE preferences;
                        CREATE TABLE watchlist_choices (
                            user_id INTEGER PRIMARY KEY, columns TEXT NOT NULL, density TEXT NOT NULL,
                            red_is_up INTEGER NOT NULL, currency TEXT) STRICT;
                        INSERT INTO watchlist_choices VALUES
                            (1, 'marketCap,holdings', 'compact', 1, 'eur'), (2, '', 'comfortable', 0, NULL);
                        CREATE TABLE reading_choices (user_id INTEGER PRIMARY KEY, preferences TEXT NOT NULL) STRICT;
                        INSERT INTO reading_choices VALUES
                            (1, '{"textSize":6,"width":"wide","font":"sans","gistLength":"80-words"}'), (2, '{');
                        CREATE TABLE pull_choices (
                            user_id INTEGER PRIMARY KEY, grouping TEXT NOT NULL, sort TEXT NOT NULL,
                            drafts TEXT NOT NULL, hides_bots INTEGER NOT NULL, amber_hours INTEGER NOT NULL,
                            red_hours INTEGER NOT NULL, notifies INTEGER NOT NULL, sounds INTEGER NOT NULL,
                            bot_logins TEXT NOT NULL) STRICT;
                        INSERT INTO pull_choices VALUES
                            (1, 'repository', 'size', 'hidden', 1, 5, 9, 1, 0, 'ci-bot other[bot]'),
                            (2, 'none', 'age', 'only', 0, 72, 168, 0, 1, '');
                        CREATE TABLE repository_choices (
                            user_id INTEGER NOT NULL, list TEXT NOT NULL, choices TEXT NOT NULL) STRICT;
                        INSERT INTO repository_choices VALUES
                            (1, 'browse', '{"grouping":"language","sort":"stars","collapsed":["language-c"]}'),
                            (1, 'bookmarks', '{"grouping":"none","sort":"name","collapsed":[]}'),
                            (2, 'browse', '{');
                        """)
            }
            try pool.close()
            let opened = try RoostSupport.Database.open(in: folder)
            let database = RoostSupport.Database(opened, feed: ChangeFeed(), log: LogCapture().logger)
            let coins = WatchlistPreferences.with {
                $0.columns = [.marketCap, .holdings]
                $0.density = .compact
                $0.redIsUp = true
                $0.currency = "eur"
            }
            #expect(try await database.read { try $0.preferences(of: 1) } == coins)
            let none = WatchlistPreferences.with { $0.columns = [] }
            #expect(try await database.read { try $0.preferences(of: 2) } == none)
            let reading = ReadingPreferences.with {
                $0.textSize = 6
                $0.width = .wide
                $0.font = .sans
                $0.gistLength = .words(80)
            }
            #expect(try await database.read { try $0.preferences(of: 1) } == reading)
            #expect(try await database.read { try $0.preferences(of: 2) } == ReadingPreferences())
            let pulls = PullPreferences.with {
                $0.grouping = .repository
                $0.sort = .size
                $0.drafts = .hidden
                $0.hidesBots = true
                $0.botLogins = ["ci-bot", "other[bot]"]
                $0.amberHours = 5
                $0.redHours = 9
                $0.notifies = true
            }
            #expect(try await database.read { try $0.preferences(of: 1) } == pulls)
            let others = PullPreferences.with {
                $0.drafts = .only
                $0.sounds = true
            }
            #expect(try await database.read { try $0.preferences(of: 2) } == others)
            let lists = RepositoryPreferences.with {
                $0[.browse] = RepositoryListPreferences(
                    grouping: .language, sort: .stars, collapsed: ["language-c"])
                $0[.bookmarks].sort = .name
            }
            #expect(try await database.read { try $0.preferences(of: 1) } == lists)
            #expect(try await database.read { try $0.preferences(of: 2) } == RepositoryPreferences())
            try opened.close()
        }
    }
}
