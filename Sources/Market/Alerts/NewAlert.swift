package struct NewAlert: Sendable, Equatable {
    /// An id; a symbol or a name also works.
    package var coinId: String
    package var kind: CoinAlert.Kind
    /// As typed: digits with at most one point.
    package var threshold: String
    /// CoinGecko's code; nil for the user's own currency.
    package var currency: String?
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

/// Changes to an alert; nil leaves a value unchanged.
package struct AlertChange: Sendable, Equatable {
    package var kind: CoinAlert.Kind?
    package var threshold: String?
    /// `.some(nil)` stops posting to a conversation.
    package var conversationId: String??

    package init(
        kind: CoinAlert.Kind? = nil, threshold: String? = nil, conversationId: String?? = nil
    ) {
        self.kind = kind
        self.threshold = threshold
        self.conversationId = conversationId
    }
}
