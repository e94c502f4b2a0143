package import Foundation
package import RoostSupport

/// An alert's number in this database; it is never given out again.
package typealias CoinAlertID = Int64

/// Tells its owner when a coin's price, or its change in 24 hours, crosses a threshold.
package struct CoinAlert: Equatable, Sendable, Identifiable {
    /// The raw value is its name in JSON, in forms and in the database.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// The price reaches the threshold from below.
        case above
        /// The price reaches the threshold from above.
        case below
        /// The change in 24 hours reaches so many percent, up or down.
        case change
    }

    /// Where the price was when it was last known, seen from the threshold. A price is above or below it; a change is
    /// above +threshold, below -threshold, or within.
    package enum Side: String, Codable, Sendable {
        case above, below, within
    }

    package let id: CoinAlertID
    package let userId: UserID
    package let coinId: String
    /// Symbol and name are those of the day it was made: a coin that CoinGecko drops keeps its words.
    package let symbol: String
    package let name: String
    package let kind: Kind
    /// A price in `currency`, or percent.
    package let threshold: Decimal
    /// CoinGecko's code in lower case, of the day it was made: a threshold means nothing in another currency.
    package let currency: String
    /// Where it is posted, too.
    package let conversationId: String?
    /// Nil until the first price after it was armed.
    package let side: Side?
    /// It fires at the next crossing. False while it waits for the price to come back across.
    package let isArmed: Bool
    package let createdAt: Date
    /// How often it fired.
    package let crossings: Int
    package let firedAt: Date?
    /// The text that it sent.
    package let firedText: String?
    package let seenAt: Date?
    /// Why the last text could not be posted to the conversation.
    package let deliveryError: String?

    package init(
        id: CoinAlertID, userId: UserID, coinId: String, symbol: String, name: String, kind: Kind,
        threshold: Decimal, currency: String, conversationId: String? = nil, side: Side? = nil,
        isArmed: Bool = true, createdAt: Date, crossings: Int = 0, firedAt: Date? = nil,
        firedText: String? = nil, seenAt: Date? = nil, deliveryError: String? = nil
    ) {
        self.id = id
        self.userId = userId
        self.coinId = coinId
        self.symbol = symbol
        self.name = name
        self.kind = kind
        self.threshold = threshold
        self.currency = currency
        self.conversationId = conversationId
        self.side = side
        self.isArmed = isArmed
        self.createdAt = createdAt
        self.crossings = crossings
        self.firedAt = firedAt
        self.firedText = firedText
        self.seenAt = seenAt
        self.deliveryError = deliveryError
    }

    /// It fired, and its owner has not seen that.
    package var isNew: Bool { firedAt != nil && seenAt == nil }

    /// "above 90,000 USD", "changes by 5 % within 24 hours".
    package var condition: String {
        switch kind {
        case .above, .below: "\(kind.rawValue) \(AlertText.amount(threshold, currency))"
        case .change: "changes by \(AlertText.grouped(threshold)) % within 24 hours"
        }
    }
}
