import Foundation
package import GRDB
package import RoostSupport

/// Alerts and the posts that are still to be delivered, in SQLite.
package struct AlertStore: Sendable {
    /// A text that is to be posted to a conversation.
    struct Post: Sendable {
        let alertId: CoinAlertID
        /// Which firing of the alert it tells of.
        let crossing: Int
        let userId: UserID
        let coinId: String
        let conversationId: String
        let text: String
    }

    /// What is stored of an alert after a price.
    struct Firing: Sendable {
        let state: AlertRule.State
        /// Nil: it only changed its side.
        let text: String?
    }

    /// How long a removed alert can be brought back, in seconds.
    static let undoSeconds: TimeInterval = 86_400

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    private static let select = """
        SELECT id, user_id, coin_id, symbol, name, kind, threshold, currency, conversation_id, side, is_armed,
            created_at, crossings, fired_at, fired_text, seen_at, delivery_error
        FROM coin_alerts
        """
    private static let isNotSeen = "fired_at IS NOT NULL AND seen_at IS NULL AND removed_at IS NULL"

    // MARK: Reading

    /// In the order of their making.
    ///
    /// - Parameter coinId: of one coin only
    func alerts(of user: UserID, coinId: String? = nil) async throws -> [CoinAlert] {
        try await database.fetch { database in
            try Self.read(
                database,
                "WHERE user_id = ?1 AND removed_at IS NULL AND (?2 IS NULL OR coin_id = ?2) ORDER BY id",
                [user, coinId])
        }
    }

    func alert(_ id: CoinAlertID, of user: UserID) async throws -> CoinAlert? {
        try await database.fetch { try Self.alert(id, of: user, in: $0) }
    }

    func alerts(in currency: String) async throws -> [CoinAlert] {
        try await database.fetch { database in
            try Self.read(database, "WHERE currency = ? AND removed_at IS NULL", [currency])
        }
    }

    /// How many fired and were not seen.
    func newCount(of user: UserID) async throws -> Int {
        try await database.fetch { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM coin_alerts WHERE user_id = ? AND \(Self.isNotSeen)"),
                arguments: [user]) ?? 0
        }
    }

    /// The coins of all alerts, by their currencies.
    package func watched() async throws -> [String: Set<String>] {
        try await database.fetch { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT DISTINCT currency, coin_id FROM coin_alerts WHERE removed_at IS NULL")
            ).readable { (try $0.text("currency"), try $0.text("coin_id")) }
            return rows.reduce(into: [:]) { coins, row in coins[row.0, default: []].insert(row.1) }
        }
    }

    // MARK: What people do

    func add(_ alert: CoinAlert) async throws -> CoinAlert {
        try await database.write { database in
            try Self.checkRoom(alert.userId, currency: alert.currency, in: database)
            try database.execute(
                sql: """
                    INSERT INTO coin_alerts (user_id, coin_id, symbol, name, kind, threshold, currency,
                        conversation_id, side, is_armed, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    alert.userId, alert.coinId, alert.symbol, alert.name, alert.kind.rawValue,
                    "\(alert.threshold)", alert.currency, alert.conversationId, alert.side?.rawValue,
                    alert.isArmed, alert.createdAt.timeIntervalSince1970,
                ])
            return try Self.stored(database.lastInsertedRowID, of: alert.userId, in: database)
        }
    }

    /// Changes an alert as `change` says; nil when the user has no such alert.
    func change(
        _ id: CoinAlertID, of user: UserID, _ change: @escaping @Sendable (CoinAlert) throws -> CoinAlert
    ) async throws -> CoinAlert? {
        try await database.write { database in
            guard let present = try Self.alert(id, of: user, in: database) else { return nil }
            let alert = try change(present)
            try database.execute(
                sql: """
                    UPDATE coin_alerts SET kind = ?, threshold = ?, currency = ?, conversation_id = ?, side = ?,
                        is_armed = ?, seen_at = ?, delivery_error = ?
                    WHERE id = ?
                    """,
                arguments: [
                    alert.kind.rawValue, "\(alert.threshold)", alert.currency, alert.conversationId,
                    alert.side?.rawValue, alert.isArmed, alert.seenAt?.timeIntervalSince1970,
                    alert.deliveryError, id,
                ])
            return alert
        }
    }

    /// Keeps the alert for an undo; nil when the user has no such alert.
    func remove(_ id: CoinAlertID, of user: UserID, at now: Date) async throws -> CoinAlert? {
        try await database.write { database in
            guard let alert = try Self.alert(id, of: user, in: database) else { return nil }
            let now = now.timeIntervalSince1970
            try database.execute(
                sql: "DELETE FROM coin_alerts WHERE user_id = ? AND removed_at < ?",
                arguments: [user, now - Self.undoSeconds])
            try database.execute(
                sql: "UPDATE coin_alerts SET removed_at = ? WHERE id = ?", arguments: [now, id])
            return alert
        }
    }

    /// Brings a removed alert back as it was; nil when there is no such alert, or its time for undo has passed.
    func restore(_ id: CoinAlertID, of user: UserID, at now: Date) async throws -> CoinAlert? {
        try await database.write { database in
            let currency = try String.fetchOne(
                database.cachedStatement(
                    sql: "SELECT currency FROM coin_alerts WHERE id = ? AND user_id = ?"),
                arguments: [id, user])
            guard let currency else { return nil }
            try Self.checkRoom(user, currency: currency, in: database)
            try database.execute(
                sql:
                    "UPDATE coin_alerts SET removed_at = NULL WHERE id = ? AND user_id = ? AND removed_at >= ?",
                arguments: [id, user, now.timeIntervalSince1970 - Self.undoSeconds])
            guard database.changesCount > 0 else { return nil }
            return try Self.stored(id, of: user, in: database)
        }
    }

    /// Marks what fired as seen; false where nothing was new.
    ///
    /// - Parameter id: nil for all of them
    func markSeen(_ id: CoinAlertID?, of user: UserID, at now: Date) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE coin_alerts SET seen_at = ?1
                    WHERE user_id = ?2 AND (?3 IS NULL OR id = ?3) AND \(Self.isNotSeen)
                    """,
                arguments: [now.timeIntervalSince1970, user, id])
            return database.changesCount > 0
        }
    }

    // MARK: Prices

    /// Takes a price in: writes down the sides, what fired and what is to be posted of it, in one transaction, with the
    /// alerts as they are in it. Answers the owners of what changed.
    func update(
        _ ids: [CoinAlertID], at now: Date, _ firing: @escaping @Sendable (CoinAlert) -> Firing?
    ) async throws -> Set<UserID> {
        try await database.write { database in
            let alerts = try Self.read(
                database, "WHERE id IN (SELECT value FROM json_each(?)) AND removed_at IS NULL",
                [ids.jsonArray])
            var users: Set<UserID> = []
            for alert in alerts {
                guard let firing = firing(alert) else { continue }
                users.insert(alert.userId)
                try database.execute(
                    sql: "UPDATE coin_alerts SET side = ?, is_armed = ? WHERE id = ?",
                    arguments: [firing.state.side?.rawValue, firing.state.isArmed, alert.id])
                if let text = firing.text { try Self.fire(alert, text, at: now, in: database) }
            }
            return users
        }
    }

    private static func fire(
        _ alert: CoinAlert, _ text: String, at now: Date, in database: GRDB.Database
    ) throws {
        try database.execute(
            sql: """
                UPDATE coin_alerts SET crossings = crossings + 1, fired_at = ?, fired_text = ?, seen_at = NULL,
                    delivery_error = NULL
                WHERE id = ?
                """,
            arguments: [now.timeIntervalSince1970, text, alert.id])
        guard let conversation = alert.conversationId else { return }
        try database.execute(
            sql:
                "INSERT INTO coin_alert_posts (alert_id, crossing, conversation_id, text) VALUES (?, ?, ?, ?)",
            arguments: [alert.id, alert.crossings + 1, conversation, text])
    }

    // MARK: Posts

    /// What is still to be delivered, the oldest firings first.
    func posts() async throws -> [Post] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT alert_id, crossing, coin_alerts.user_id AS user_id, coin_alerts.coin_id AS coin_id,
                            coin_alert_posts.conversation_id AS conversation_id, text
                        FROM coin_alert_posts JOIN coin_alerts ON coin_alerts.id = alert_id
                        ORDER BY fired_at, alert_id, crossing
                        """)
            ).readable(Self.post)
        }
    }

    /// Forgets a post that was delivered, or that never can be: then with the reason.
    func settle(_ post: Post, error: String?) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM coin_alert_posts WHERE alert_id = ? AND crossing = ?",
                arguments: [post.alertId, post.crossing])
            guard let error else { return }
            try database.execute(
                sql: "UPDATE coin_alerts SET delivery_error = ? WHERE id = ?",
                arguments: [error, post.alertId])
        }
    }

    // MARK: Rows

    private static func read(
        _ database: GRDB.Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [CoinAlert] {
        try Row.fetchCursor(
            database.cachedStatement(sql: "\(select) \(condition)"), arguments: arguments
        ).readable(alert)
    }

    private static func alert(
        _ id: CoinAlertID, of user: UserID, in database: GRDB.Database
    ) throws -> CoinAlert? {
        try read(database, "WHERE id = ? AND user_id = ? AND removed_at IS NULL", [id, user]).first
    }

    /// An alert that was just written.
    private static func stored(
        _ id: CoinAlertID, of user: UserID, in database: GRDB.Database
    ) throws -> CoinAlert {
        guard let alert = try alert(id, of: user, in: database) else { throw ImpossibleValue(column: "id") }
        return alert
    }

    /// Whether the user may have one more alert, in this currency.
    private static func checkRoom(_ user: UserID, currency: String, in database: GRDB.Database) throws {
        let currencies = try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT currency FROM coin_alerts WHERE user_id = ? AND removed_at IS NULL"),
            arguments: [user])
        guard currencies.count < AlertService.limit else {
            throw RoostError.invalid(
                field: "coinId", why: "There can be \(AlertService.limit) alerts at most: remove one first.")
        }
        let others = Set(currencies).subtracting([currency]).sorted()
        guard others.count < AlertService.currencyLimit else {
            let names = others.map { $0.uppercased() }.joined(separator: ", ")
            throw RoostError.invalid(
                field: "currency",
                why: "You have alerts in \(names) already, and may have no further currency.")
        }
    }

    package static let stored = [
        StoredRows("coin_alerts") { row in _ = (try alert(row), try row.timeIfPresent("removed_at")) },
        StoredRows("coin_alert_posts") { row in
            _ = (
                try row.id("alert_id"), try row.number("crossing", in: 1...Int.max),
                try row.text("conversation_id"), try row.text("text")
            )
        },
    ]

    private static func alert(_ row: Row) throws -> CoinAlert {
        guard let threshold = AlertText.number(try row.text("threshold")), threshold > 0 else {
            throw ImpossibleValue(column: "threshold")
        }
        return CoinAlert(
            id: try row.id("id"), userId: try row.id("user_id"), coinId: try row.text("coin_id"),
            symbol: try row.text("symbol"), name: try row.text("name"), kind: try row.choice("kind"),
            threshold: threshold, currency: try row.text("currency"),
            conversationId: try row.textIfPresent("conversation_id"),
            side: try row.choiceIfPresent("side"), isArmed: try row.value("is_armed"),
            createdAt: try row.time("created_at"), crossings: try row.number("crossings", in: 0...Int.max),
            firedAt: try row.timeIfPresent("fired_at"), firedText: try row.textIfPresent("fired_text"),
            seenAt: try row.timeIfPresent("seen_at"), deliveryError: try row.textIfPresent("delivery_error"))
    }

    private static func post(_ row: Row) throws -> Post {
        Post(
            alertId: try row.id("alert_id"), crossing: try row.number("crossing", in: 1...Int.max),
            userId: try row.id("user_id"), coinId: try row.text("coin_id"),
            conversationId: try row.text("conversation_id"), text: try row.text("text"))
    }
}
