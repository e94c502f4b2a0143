import Chat
import Market

/// The visitor's watchlists, holdings and alerts.
enum DemoCoins {
    /// The first list, with large and tiny prices.
    static let watchlist = [
        "bitcoin", "ethereum", "solana", "chainlink", "dogecoin", "pepe", "monero", "arweave", "shiba-inu",
        "cardano",
    ]

    static let tokensName = "Tokens"
    /// The second list, which overlaps with the first.
    static let tokens = ["chainlink", "aave", "uniswap", "shiba-inu", "pepe", "the-graph", "maker"]

    static var notes: [String: CoinNote] {
        get throws {
            [
                "bitcoin": try CoinNote(
                    note: "Bought in two steps. The first one stays.", category: "Savings"),
                "chainlink": try CoinNote(
                    note: "Read the report on its fees before the next purchase.", category: "To watch"),
            ]
        }
    }

    /// One holding was paid in a different currency, so that its profit cannot be computed.
    static var holdings: [NewHolding] {
        get throws {
            [
                try holding("bitcoin", "0.35", paid: "52400", on: "2024-09-02", note: "The first step"),
                try holding("bitcoin", "0.1", paid: "94210.5", on: "2025-05-08"),
                try holding("ethereum", "4", paid: "2310.5", on: "2024-10-21"),
                try holding("monero", "12.5", paid: "161.2", on: "2024-11-15"),
                try holding("chainlink", "180", paid: "12.4", on: "2025-02-03"),
                try holding("aave", "6", paid: "134.5", in: "eur", on: "2025-03-31"),
            ]
        }
    }

    static var wallet: NewWallet {
        get throws {
            try NewWallet(
                coinId: "bitcoin", address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
                label: "Hardware key in the safe")
        }
    }

    /// Thresholds are far from the prices, so that no alert fires during a demo.
    ///
    /// - Parameter conversation: where one of the alerts is also posted
    static func alerts(to conversation: ConversationID) -> [NewAlert] {
        [
            NewAlert(coinId: "bitcoin", kind: .above, threshold: "150000", currency: "usd"),
            NewAlert(
                coinId: "ethereum", kind: .below, threshold: "800", currency: "usd",
                conversationId: conversation),
        ]
    }

    private static func holding(
        _ coin: String, _ amount: String, paid: String, in currency: String = "usd", on day: String,
        note: String? = nil
    ) throws -> NewHolding {
        try NewHolding(
            coinId: coin, amountText: amount, priceText: paid, currency: currency, boughtOn: day, note: note)
    }
}
