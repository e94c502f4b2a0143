import Foundation
import GRDB
import RoostSupport

/// Something that a user removes and can restore.
enum MarketRemoval: Sendable {
    case coin(String, WatchlistID)
    case list(WatchlistID)
    case holding(HoldingID)
    case wallet(WalletID)
    case alert(CoinAlertID)

    fileprivate var subject: String {
        switch self {
        case .coin(let coin, let list): "coin \(list) \(coin)"
        case .list(let id): "list \(id)"
        case .holding(let id): "holding \(id)"
        case .wallet(let id): "wallet \(id)"
        case .alert(let id): "alert \(id)"
        }
    }

    /// The conditions of the rows, with those first that others refer to.
    fileprivate var rows: [(table: RemovedRow.Table, condition: String, key: StatementArguments)] {
        switch self {
        case .coin(let coin, let list): [(.items, "list_id = ? AND coin_id = ?", [list, coin])]
        case .list(let id): [(.lists, "id = ?", [id]), (.items, "list_id = ?", [id])]
        case .holding(let id): [(.holdings, "id = ?", [id])]
        case .wallet(let id): [(.wallets, "id = ?", [id])]
        case .alert(let id): [(.alerts, "id = ?", [id]), (.posts, "alert_id = ?", [id])]
        }
    }
}

/// A row as it was when it was removed.
struct RemovedRow: UndoStep {
    enum Table: String, Codable, Sendable {
        case lists = "watchlists"
        case items = "watchlist_items"
        case holdings = "coin_holdings"
        case wallets = "coin_wallets"
        case alerts = "coin_alerts"
        case posts = "coin_alert_posts"
    }

    static let feature = "market"
    static let maximumChanges = WatchlistService.coinLimit
    static let maximumSteps = 40_000

    let table: Table
    let values: StoredColumns

    fileprivate init(_ row: Row, of table: Table) {
        self.table = table
        values = StoredColumns(row)
    }
}

extension Reads {
    /// Whether the user can restore something about the coin.
    func hasRemovedData(about coinId: String, of user: UserID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM undos JOIN undo_steps ON undo = undos.id
                WHERE user_id = ? AND feature = ?
                    AND iif(json_valid(step), step ->> '$.values.coin_id', NULL) = ?)
            """, [user, RemovedRow.feature, coinId]) ?? false
    }
}

extension Writes {
    /// Removes rows, and keeps them for an undo. They must be the user's.
    func remove(_ removal: MarketRemoval, of user: UserID, at now: Date) throws {
        let removed = try removal.rows.flatMap { table, condition, key in
            try database.rows("SELECT * FROM \(table.rawValue) WHERE \(condition)", key).map {
                RemovedRow($0, of: table)
            }
        }
        for (table, condition, key) in removal.rows.reversed() {
            try execute("DELETE FROM \(table.rawValue) WHERE \(condition)", key)
        }
        _ = try addUndo(removed, of: removal.subject, by: user, at: now)
    }

    /// The rows to restore, which can be taken once; nil if it is too late, and for another user's.
    func takeRemoved(_ removal: MarketRemoval, of user: UserID) throws -> [RemovedRow]? {
        try takeUndo(of: removal.subject, by: user)
    }

    func insert(_ rows: [RemovedRow]) throws {
        for row in rows { try insert(row.values, into: row.table.rawValue) }
    }
}
