import Foundation
import GRDB
package import RoostSupport

package enum CoinListStore {
    struct State: Sendable, Equatable {
        let fetchedAt: Date
        let etag: String?
    }

    package static let stored = [
        StoredRows("coin_list", RankedCoin.self) { ranked, _ in
            let coin = ranked.coin
            guard (try? CoinListItem(id: coin.id, symbol: coin.symbol, name: coin.name)) != nil else {
                throw ImpossibleValue(column: "id")
            }
        },
        StoredRows("coin_list_state") { _ = try state($0) },
    ]

    fileprivate static func state(_ row: Row) throws -> State {
        State(fetchedAt: try row.time("fetched_at"), etag: try row.textIfPresent("etag"))
    }

    fileprivate static let columns = RankedCoin.selection(of: "coin_list")
}

extension Reads {
    func coinListState() throws -> CoinListStore.State? {
        // An unreadable row only means that the list is fetched again.
        try Row.fetchAll(database, sql: "SELECT fetched_at, etag FROM coin_list_state")
            .readable(CoinListStore.state).first
    }

    func listedCoins() throws -> [RankedCoin] {
        try database.cursor("SELECT \(CoinListStore.columns) FROM coin_list").readable { try RankedCoin($0) }
    }
}

extension Writes {
    func replaceListedCoins(with coins: [RankedCoin]) throws {
        try database.execute(sql: "DELETE FROM coin_list")
        try addListedCoins(coins)
    }

    func addListedCoins(_ coins: [RankedCoin]) throws {
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

    func setCoinListState(_ state: CoinListStore.State) throws {
        try database.execute(
            sql: """
                INSERT INTO coin_list_state (only_row, fetched_at, etag) VALUES (1, ?, ?)
                ON CONFLICT (only_row) DO UPDATE SET fetched_at = excluded.fetched_at, etag = excluded.etag
                """,
            arguments: [state.fetchedAt.stored, state.etag])
    }
}
