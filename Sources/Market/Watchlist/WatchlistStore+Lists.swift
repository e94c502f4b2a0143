import Foundation
import GRDB
import RoostSupport
import TextFormats

extension WatchlistStore {
    static let unknownList = RoostError.notFound("There is no such list.")

    /// This list, or the first one for nil. Throws `RoostError.notFound`.
    static func list(_ id: WatchlistID?, among lists: [Watchlist]) throws -> Watchlist {
        guard let list = id == nil ? lists.first : lists.first(where: { $0.id == id }) else {
            throw unknownList
        }
        return list
    }
}

extension Reads {
    func watchlists(of user: UserID) throws -> [Watchlist] {
        try database.cursor(
            """
            SELECT \(WatchlistStore.listColumns) FROM watchlists
            WHERE user_id = ? ORDER BY place, id
            """, [user]
        ).readable { try Watchlist($0) }
    }

    /// This list, or the user's first one for nil. Throws `RoostError.notFound`, also for another user's list.
    func watchlist(_ id: WatchlistID?, of user: UserID) throws -> Watchlist {
        try WatchlistStore.list(id, among: watchlists(of: user))
    }

    func watchlists(of user: UserID, holding coinId: String) throws -> Set<WatchlistID> {
        try Set(
            database.values(
                WatchlistID.self,
                """
                SELECT id FROM watchlists WHERE user_id = ? AND EXISTS (
                    SELECT 1 FROM watchlist_items WHERE list_id = watchlists.id AND coin_id = ?)
                """, [user, coinId]))
    }

}

extension Writes {
    func addWatchlist(_ name: String, of user: UserID, at position: Int) throws -> Watchlist {
        try database.execute(
            sql: "INSERT INTO watchlists (user_id, name, place) VALUES (?, ?, ?)",
            arguments: [user, name, position])
        return try watchlist(database.lastInsertedRowID, of: user)
    }

    /// Throws `RoostError.notFound`, like `showTotals`.
    func renameWatchlist(_ id: WatchlistID, to name: String, of user: UserID) throws -> Watchlist {
        try changeWatchlist(id, of: user, "name = ?", [name])
    }

    func showTotals(_ shows: Bool, of id: WatchlistID, for user: UserID) throws -> Watchlist {
        try changeWatchlist(id, of: user, "shows_totals = ?", [shows])
    }

    func setSort(_ sort: WatchlistOrder, of list: WatchlistID) throws {
        try database.execute(
            sql: "UPDATE watchlists SET sort = ? WHERE id = ?", arguments: [sort.rawValue, list])
    }

    func setWatchlistOrder(_ order: [WatchlistID]) throws {
        for (position, id) in order.enumerated() {
            try database.execute(
                sql: "UPDATE watchlists SET place = ? WHERE id = ?", arguments: [position, id])
        }
    }

    private func changeWatchlist(
        _ id: WatchlistID, of user: UserID, _ assignment: String, _ arguments: StatementArguments
    ) throws -> Watchlist {
        try database.execute(
            sql: "UPDATE watchlists SET \(assignment) WHERE id = ? AND user_id = ?",
            arguments: arguments + [id, user])
        return try watchlist(id, of: user)
    }
}
