import Foundation
import GRDB
package import RoostSupport
import TextFormats

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

extension Migration {
    /// Moves what can be restored to `undos`: removed rows no longer stay in their tables.
    package static let marketUndosMoved = Migration(
        "watchlist and alerts: undos of all features",
        sql: """
            INSERT INTO undos (user_id, feature, subject, made_at)
            SELECT user_id, 'market', 'list ' || id, removed_at FROM watchlists WHERE removed_at IS NOT NULL
            UNION ALL SELECT user_id, 'market', 'holding ' || id, removed_at
            FROM coin_holdings WHERE removed_at IS NOT NULL
            UNION ALL SELECT user_id, 'market', 'wallet ' || id, removed_at
            FROM coin_wallets WHERE removed_at IS NOT NULL
            UNION ALL SELECT user_id, 'market', 'alert ' || id, removed_at
            FROM coin_alerts WHERE removed_at IS NOT NULL
            UNION ALL SELECT user_id, 'market', 'coin ' || list_id || ' ' || coin_id, removed.removed_at
            FROM watchlist_removed AS removed JOIN watchlists ON id = list_id;
            \(steps("watchlists", "'list ' || row.id", "id user_id name place sort shows_totals"))
            \(steps("watchlist_items", "'list ' || list_id", itemColumns))
            \(steps(
                "watchlist_items", from: "watchlist_removed", "'coin ' || list_id || ' ' || coin_id", itemColumns))
            \(steps(
                "coin_holdings", "'holding ' || row.id",
                "id user_id coin_id amount price currency bought_on note"))
            \(steps("coin_wallets", "'wallet ' || row.id", "id user_id coin_id address label"))
            \(steps(
                "coin_alerts", "'alert ' || row.id",
                """
                id user_id coin_id symbol name kind threshold currency conversation_id side is_armed \
                created_at crossings fired_at fired_text seen_at delivery_error
                """))
            \(steps("coin_alert_posts", "'alert ' || alert_id", "alert_id crossing conversation_id text"))
            UPDATE undos SET size = (SELECT count(*) FROM undo_steps WHERE undo = undos.id)
            WHERE feature = 'market';

            DELETE FROM watchlists WHERE removed_at IS NOT NULL;
            DELETE FROM watchlist_items WHERE list_id NOT IN (SELECT id FROM watchlists);
            DELETE FROM coin_holdings WHERE removed_at IS NOT NULL;
            DELETE FROM coin_wallets WHERE removed_at IS NOT NULL;
            DELETE FROM coin_alerts WHERE removed_at IS NOT NULL;
            DELETE FROM coin_alert_posts WHERE alert_id NOT IN (SELECT id FROM coin_alerts);
            DROP TABLE watchlist_removed;
            DROP INDEX coin_alerts_by_currency;
            DROP INDEX coin_alerts_not_seen;
            ALTER TABLE watchlists DROP COLUMN removed_at;
            ALTER TABLE coin_holdings DROP COLUMN removed_at;
            ALTER TABLE coin_wallets DROP COLUMN removed_at;
            ALTER TABLE coin_alerts DROP COLUMN removed_at;
            CREATE INDEX coin_alerts_by_currency ON coin_alerts (currency, coin_id);
            CREATE INDEX coin_alerts_not_seen ON coin_alerts (user_id)
                WHERE fired_at IS NOT NULL AND seen_at IS NULL;
            """)

    private static let itemColumns = "list_id coin_id symbol name date_added sort_order"

    /// Stores the rows of removed subjects in the form of `RemovedRow`. Spaces separate the columns.
    private static func steps(
        _ table: String, from source: String? = nil, _ subject: String, _ columns: String
    ) -> String {
        let values = columns.words.map { "'\($0)', row.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO undo_steps (undo, step)
            SELECT undos.id, json_object('table', '\(table)', 'values', json_object(\(values)))
            FROM \(source ?? table) AS row JOIN undos ON feature = 'market' AND subject = \(subject);
            """
    }
}
