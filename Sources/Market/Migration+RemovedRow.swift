package import RoostSupport
import TextFormats

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
