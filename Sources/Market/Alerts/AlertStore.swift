import Foundation
import GRDB
package import RoostSupport

package enum AlertStore {
    /// A message to post, with its alert's user and coin.
    struct Post: ColumnRecord, Sendable {
        private(set) var alertId: CoinAlertID = 0
        /// The number of the alert's firing.
        private(set) var crossing = 0
        private(set) var userId: UserID = 0
        private(set) var coinId = ""
        private(set) var conversationId = ""
        private(set) var text = ""

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("alert_id", &alertId)
            try columns.column("crossing", &crossing)
            try columns.column("user_id", sql: "coin_alerts.user_id", &userId)
            try columns.column("coin_id", sql: "coin_alerts.coin_id", &coinId)
            try columns.column("conversation_id", &conversationId)
            try columns.column("text", &text)
        }
    }

    fileprivate static let select = "SELECT \(CoinAlert.selection(of: "coin_alerts")) FROM coin_alerts"
    fileprivate static let selectPosts = """
        SELECT \(Post.selection(of: "coin_alert_posts"))
        FROM coin_alert_posts JOIN coin_alerts ON coin_alerts.id = alert_id
        """
    fileprivate static let unseenCondition = "fired_at IS NOT NULL AND seen_at IS NULL"

    package static let stored = [
        StoredRows("coin_alerts", CoinAlert.self) { alert, _ in
            guard alert.threshold > 0 else { throw ImpossibleValue(column: "threshold") }
        },
        StoredRows("coin_alert_posts", sql: selectPosts) { _ = try Post($0) },
    ]
}

extension Reads {
    func alerts(of user: UserID, coinId: String? = nil) throws -> [CoinAlert] {
        try alerts(
            "WHERE user_id = ?1 AND (?2 IS NULL OR coin_id = ?2) ORDER BY id", [user, coinId])
    }

    func alerts(in currency: String) throws -> [CoinAlert] {
        try alerts("WHERE currency = ?", [currency])
    }

    func alerts(_ ids: [CoinAlertID]) throws -> [CoinAlert] {
        try alerts("WHERE id IN (SELECT value FROM json_each(?))", [ids.jsonArray])
    }

    func alert(_ id: CoinAlertID, of user: UserID) throws -> CoinAlert? {
        try alerts("WHERE id = ? AND user_id = ?", [id, user]).first
    }

    func newAlertCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM coin_alerts WHERE user_id = ? AND \(AlertStore.unseenCondition)",
            [user]) ?? 0
    }

    /// The coins of all alerts, by currency.
    func coinsWithAlerts() throws -> [String: Set<String>] {
        let rows = try database.rows(
            "SELECT DISTINCT currency, coin_id FROM coin_alerts"
        ).readable { (try $0.text("currency"), try $0.text("coin_id")) }
        return rows.reduce(into: [:]) { coins, row in coins[row.0, default: []].insert(row.1) }
    }

    func alertPosts() throws -> [AlertStore.Post] {
        try database.rows(AlertStore.selectPosts + " ORDER BY fired_at, alert_id, crossing")
            .readable { try AlertStore.Post($0) }
    }

    private func alerts(_ condition: String, _ arguments: StatementArguments) throws -> [CoinAlert] {
        try database.cursor("\(AlertStore.select) \(condition)", arguments).readable { try CoinAlert($0) }
    }

    fileprivate func requiredAlert(_ id: CoinAlertID, of user: UserID) throws -> CoinAlert {
        guard let alert = try alert(id, of: user) else { throw ImpossibleValue(column: "id") }
        return alert
    }

    /// Throws `RoostError.invalid` if the user cannot have another alert, or none in this currency.
    ///
    /// - Parameter id: an alert that does not count
    func checkAlertLimits(of user: UserID, currency: String, besides id: CoinAlertID? = nil) throws {
        let currencies = try database.values(
            String.self, "SELECT currency FROM coin_alerts WHERE user_id = ? AND id IS NOT ?", [user, id])
        guard currencies.count < AlertService.limit else {
            throw RoostError.invalid(
                field: "coinId", why: "You can have at most \(AlertService.limit) alerts. Remove one first.")
        }
        let otherCurrencies = Set(currencies).subtracting([currency]).sorted()
        guard otherCurrencies.count < AlertService.currencyLimit else {
            let names = otherCurrencies.map { $0.uppercased() }.joined(separator: ", ")
            throw RoostError.invalid(
                field: "currency",
                why: "You already have alerts in \(names), and can’t add another currency.")
        }
    }
}

extension Writes {
    /// Throws `RoostError.invalid` beyond the limits.
    func addAlert(_ alert: CoinAlert) throws -> CoinAlert {
        try checkAlertLimits(of: alert.userId, currency: alert.currency)
        let id = try insert(alert, into: "coin_alerts", omitting: ["id"])
        return try requiredAlert(id, of: alert.userId)
    }

    func updateAlert(_ alert: CoinAlert) throws {
        try database.execute(
            sql: """
                UPDATE coin_alerts SET kind = ?, threshold = ?, currency = ?, conversation_id = ?, side = ?,
                    is_armed = ?, seen_at = ?, delivery_error = ?
                WHERE id = ?
                """,
            arguments: [
                alert.kind.rawValue, "\(alert.threshold)", alert.currency, alert.conversationId,
                alert.side?.rawValue, alert.isArmed, alert.seenAt?.stored,
                alert.deliveryError, alert.id,
            ])
    }

    /// Marks one alert as seen, or (nil) all that fired. Returns false if nothing changed.
    func markAlertsSeen(_ id: CoinAlertID?, of user: UserID, at now: Date) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE coin_alerts SET seen_at = ?1
                WHERE user_id = ?2 AND (?3 IS NULL OR id = ?3) AND \(AlertStore.unseenCondition)
                """,
            arguments: [now.stored, user, id])
        return database.changesCount > 0
    }

    func setState(_ state: AlertRule.State, of alert: CoinAlertID) throws {
        try database.execute(
            sql: "UPDATE coin_alerts SET side = ?, is_armed = ? WHERE id = ?",
            arguments: [state.side?.rawValue, state.isArmed, alert])
    }

    func fireAlert(_ alert: CoinAlert, _ text: String, at now: Date) throws {
        try database.execute(
            sql: """
                UPDATE coin_alerts SET crossings = crossings + 1, fired_at = ?, fired_text = ?, seen_at = NULL,
                    delivery_error = NULL
                WHERE id = ?
                """,
            arguments: [now.stored, text, alert.id])
        guard let conversation = alert.conversationId else { return }
        let post = AlertStore.Post(
            alertId: alert.id, crossing: alert.crossings &+ 1, conversationId: conversation, text: text)
        try insert(post, into: "coin_alert_posts")
    }

    func removeAlertPost(_ post: AlertStore.Post) throws {
        try database.execute(
            sql: "DELETE FROM coin_alert_posts WHERE alert_id = ? AND crossing = ?",
            arguments: [post.alertId, post.crossing])
    }

    func setDeliveryError(_ error: String, of alert: CoinAlertID) throws {
        try database.execute(
            sql: "UPDATE coin_alerts SET delivery_error = ? WHERE id = ?", arguments: [error, alert])
    }
}
