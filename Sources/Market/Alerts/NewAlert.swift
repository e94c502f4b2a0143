/// What somebody fills in to make an alert.
package struct NewAlert: Sendable, Equatable {
    /// An id; a symbol or a name will do.
    package var coinId: String
    package var kind: CoinAlert.Kind
    /// As it was typed: digits with a point at most.
    package var threshold: String
    /// CoinGecko's code; nil for the user's own.
    package var currency: String?
    /// Where it is posted, too.
    package var conversationId: String?

    package init(
        coinId: String, kind: CoinAlert.Kind, threshold: String, currency: String? = nil,
        conversationId: String? = nil
    ) {
        self.coinId = coinId
        self.kind = kind
        self.threshold = threshold
        self.currency = currency
        self.conversationId = conversationId
    }
}

/// What somebody changes of an alert; what is nil stays as it is.
package struct AlertChange: Sendable, Equatable {
    package var kind: CoinAlert.Kind?
    package var threshold: String?
    /// `.some(nil)`: it is posted nowhere any more.
    package var conversationId: String??

    package init(
        kind: CoinAlert.Kind? = nil, threshold: String? = nil, conversationId: String?? = nil
    ) {
        self.kind = kind
        self.threshold = threshold
        self.conversationId = conversationId
    }
}
