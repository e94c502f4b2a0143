/// The limits of CoinGecko's plans: how often answers change, and how many calls a month has.
///
/// CoinGecko's edge caches answers for 60 s (keyless, Demo) or 20 s (paid). A Demo key has about 10,000 calls a month
/// (CoinGecko's documentation; `UPSTREAMS.md`).
package enum CoinGeckoPlan: String, Sendable, CaseIterable {
    case keyless, demo, paid

    /// The shortest useful interval between price requests, in seconds.
    package var minimumInterval: Int {
        switch self {
        case .keyless, .demo: 60
        case .paid: 30
        }
    }

    /// The maximum number of calls in a calendar month, or nil if unlimited.
    package var monthlyCalls: Int? {
        self == .demo ? 10_000 : nil
    }

    /// The maximum number of price requests a minute, for all currencies together. It stays well below CoinGecko's
    /// limit (100 with a Demo key, 250 and more when paid; undocumented without a key, about ten in tests), to leave
    /// room for charts, searches and other programs at the same address.
    var priceCallsPerMinute: Int {
        switch self {
        case .keyless: 5
        case .demo: 30
        case .paid: 120
        }
    }

    /// The minimum interval between chart requests, in seconds, so that clicking through all ranges does not use up the
    /// minute.
    var chartSpacing: Double {
        switch self {
        case .keyless: 6
        case .demo: 1
        case .paid: 0.2
        }
    }

    var edgeCache: Int { self == .paid ? 20 : 60 }

    var keyHeader: String? {
        switch self {
        case .keyless: nil
        case .demo: "x-cg-demo-api-key"
        case .paid: "x-cg-pro-api-key"
        }
    }

    package var defaultURL: String {
        self == .paid ? "https://pro-api.coingecko.com/api/v3" : "https://api.coingecko.com/api/v3"
    }
}
