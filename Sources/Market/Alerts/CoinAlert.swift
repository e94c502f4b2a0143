package import Foundation
package import RoostSupport

/// An alert's id in this database; never reused.
package typealias CoinAlertID = Int64

/// Notifies its owner when a coin's price, or its change in 24 hours, crosses a threshold.
package struct CoinAlert: Equatable, Sendable, Identifiable {
    /// Raw values are used in JSON, forms and the database.
    package enum Kind: String, Codable, CaseIterable, Sendable, ColumnValue {
        /// The price reaches the threshold from below.
        case above
        /// The price reaches the threshold from above.
        case below
        /// The change in 24 hours reaches the threshold in percent, up or down.
        case change
    }

    /// The side of the threshold that the last known value was on. A price is above or below; a change is above
    /// +threshold, below -threshold, or within.
    package enum Side: String, Codable, CaseIterable, Sendable, ColumnValue {
        case above, below, within
    }

    package private(set) var id: CoinAlertID
    package private(set) var userId: UserID
    package private(set) var coinId: String
    /// Symbol and name are stored when the alert is made, in case CoinGecko drops the coin.
    package private(set) var symbol: String
    package private(set) var name: String
    package private(set) var kind: Kind
    package private(set) var threshold: Decimal
    /// CoinGecko's code in lower case. Fixed, since a threshold means nothing in another currency.
    package private(set) var currency: String
    package var conversationId: String?
    /// Nil until the first price after it was armed.
    package var side: Side?
    /// True if it fires at the next crossing; false while it waits for the price to come back.
    package var isArmed = true
    package private(set) var createdAt: Date
    package var crossings = 0
    package var firedAt: Date?
    package var firedText: String?
    package var seenAt: Date?
    package var deliveryError: String?

    package var isNew: Bool { firedAt != nil && seenAt == nil }

    /// "above 90,000 USD", "changes by 5 % within 24 hours".
    package var condition: String {
        switch kind {
        case .above, .below: "\(kind.rawValue) \(AlertText.amount(threshold, currency))"
        case .change: "changes by \(AlertText.grouped(threshold)) % within 24 hours"
        }
    }

    /// What arms the alert again after it fired: "the price falls below 89,550 USD".
    package var rearmCondition: String {
        let rearmThreshold = AlertText.rounded(AlertRule(kind: kind, threshold: threshold).rearmThreshold)
        return switch kind {
        case .above: "the price falls below \(AlertText.amount(rearmThreshold, currency))"
        case .below: "the price rises above \(AlertText.amount(rearmThreshold, currency))"
        case .change: "the change falls below \(AlertText.grouped(rearmThreshold)) %"
        }
    }
}

extension CoinAlert: ColumnRecord {
    package init() {
        self.init(
            id: 0, userId: 0, coinId: "", symbol: "", name: "", kind: .above, threshold: 0, currency: "",
            createdAt: .distantPast)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column("coin_id", &coinId)
        try columns.column("symbol", &symbol)
        try columns.column("name", &name)
        try columns.column("kind", &kind)
        try columns.column("threshold", &threshold)
        try columns.column("currency", &currency)
        try columns.column("conversation_id", &conversationId)
        try columns.column("side", &side)
        try columns.column("is_armed", &isArmed)
        try columns.column("created_at", &createdAt)
        try columns.column("crossings", &crossings)
        try columns.column("fired_at", &firedAt)
        try columns.column("fired_text", &firedText)
        try columns.column("seen_at", &seenAt)
        try columns.column("delivery_error", &deliveryError)
    }
}
