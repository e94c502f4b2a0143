/// What CoinGecko grants: how often a new answer can be had, and what a month may cost.
///
/// Figures: answers are cached at CoinGecko's edge for 60 s (keyless, Demo) or 20 s (paid); a Demo key has about
/// 10,000 calls a month (CoinGecko's documentation; `UPSTREAMS.md`).
package enum CoinGeckoPlan: String, Sendable, CaseIterable {
    case keyless, demo, paid

    /// The shortest useful time between two requests for prices, in seconds.
    package var minimumInterval: Int {
        switch self {
        case .keyless, .demo: 60
        case .paid: 30
        }
    }

    /// Calls that a calendar month may take, nil where none are counted.
    package var monthlyCalls: Int? {
        self == .demo ? 10_000 : nil
    }

    /// How many requests for prices a minute may take, all currencies together. Clear of what CoinGecko grants (100 with a
    /// Demo key, 250 and more paid; without a key it does not say, and answered about ten), so that charts, searches and
    /// other programs at the same address have room.
    var priceCallsPerMinute: Int {
        switch self {
        case .keyless: 5
        case .demo: 30
        case .paid: 120
        }
    }

    /// The shortest time between two requests for charts, in seconds: a click through all ranges does not use up
    /// the minute.
    var chartSpacing: Double {
        switch self {
        case .keyless: 6
        case .demo: 1
        case .paid: 0.2
        }
    }

    /// How long CoinGecko's edge repeats the same answer, in seconds.
    var edgeCache: Int { self == .paid ? 20 : 60 }

    /// The header that carries the key.
    var keyHeader: String? {
        switch self {
        case .keyless: nil
        case .demo: "x-cg-demo-api-key"
        case .paid: "x-cg-pro-api-key"
        }
    }

    /// Where the plan's requests go unless a setting says otherwise.
    package var defaultURL: String {
        self == .paid ? "https://pro-api.coingecko.com/api/v3" : "https://api.coingecko.com/api/v3"
    }
}
