import Foundation
package import GRDB
package import RoostSupport

/// The cached coin list in SQLite, with its age and ETag.
package struct CoinListStore: Sendable {
    struct State: Sendable, Equatable {
        let fetchedAt: Date
        let etag: String?
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    func state() async throws -> State? {
        try await database.fetch { database in
            // Without its age the list is only fetched again.
            try Row.fetchAll(database, sql: "SELECT fetched_at, etag FROM coin_list_state").readable(
                Self.state
            )
            .first
        }
    }

    /// Every coin of the list; an item that would not pass today's rules is left out.
    func coins() async throws -> [RankedCoin] {
        try await database.fetch { database in
            var coins: [RankedCoin] = []
            let rows = try Row.fetchCursor(database, sql: "SELECT id, symbol, name, rank FROM coin_list")
            while let row = try rows.next() {
                if let coin = try? Self.coin(row) { coins.append(coin) }
            }
            return coins
        }
    }

    package static let stored = [
        StoredRows("coin_list") { _ = try coin($0) }, StoredRows("coin_list_state") { _ = try state($0) },
    ]

    private static func state(_ row: Row) throws -> State {
        State(fetchedAt: try row.time("fetched_at"), etag: try row.textIfPresent("etag"))
    }

    private static func coin(_ row: Row) throws -> RankedCoin {
        let (id, symbol, name) = (try row.text("id"), try row.text("symbol"), try row.text("name"))
        guard let coin = try? CoinListItem(id: id, symbol: symbol, name: name) else {
            throw ImpossibleValue(column: "id")
        }
        let rank: Int? = try row.value("rank")
        guard rank.map({ $0 > 0 }) ?? true else { throw ImpossibleValue(column: "rank") }
        return RankedCoin(coin: coin, rank: rank)
    }

    /// Replaces the whole list, ranks included.
    func replace(with coins: [RankedCoin], state: State) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM coin_list")
            try Self.insert(coins, into: database)
            try Self.save(state, into: database)
        }
    }

    /// Adds coins that a search found and the list does not know yet.
    func add(_ coins: [RankedCoin]) async throws {
        try await database.write { try Self.insert(coins, into: $0) }
    }

    /// The list is unchanged since: only its age begins anew.
    func renew(_ state: State) async throws {
        try await database.write { try Self.save(state, into: $0) }
    }

    private static func insert(_ coins: [RankedCoin], into database: GRDB.Database) throws {
        let statement = try database.makeStatement(
            sql: """
                INSERT INTO coin_list (id, symbol, name, rank) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET symbol = excluded.symbol, name = excluded.name,
                    rank = coalesce(excluded.rank, rank)
                """)
        for ranked in coins {
            let rank = ranked.rank.flatMap { $0 > 0 ? $0 : nil }
            try statement.execute(arguments: [ranked.coin.id, ranked.coin.symbol, ranked.coin.name, rank])
        }
    }

    private static func save(_ state: State, into database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO coin_list_state (only_row, fetched_at, etag) VALUES (1, ?, ?)
                ON CONFLICT (only_row) DO UPDATE SET fetched_at = excluded.fetched_at, etag = excluded.etag
                """,
            arguments: [state.fetchedAt.timeIntervalSince1970, state.etag])
    }
}
