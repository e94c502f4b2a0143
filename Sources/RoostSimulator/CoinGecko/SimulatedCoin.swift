/// One coin of the simulated market, independent of time, currency and controls.
struct SimulatedCoin: Sendable {
    /// Its index in the catalogue, which also determines its price walk.
    let key: Int
    let id: String
    let symbol: String
    let name: String
    /// The US dollars that the price moves around; zero for a coin that was never traded.
    let price: Double
    let supply: Double
    /// 1 for an ordinary coin, about 0.01 for one pegged to the dollar.
    var volatility: Double = 1
    var traits: Traits = []
    var staleDays = 0

    /// Oddities seen in recorded responses.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16

        /// Every number is null, including the price.
        static let priceless = Traits(rawValue: 1)
        /// No market cap, and therefore no rank.
        static let unranked = Traits(rawValue: 2)
        /// Changes in percent are null.
        static let changeless = Traits(rawValue: 4)
        static let sparkless = Traits(rawValue: 8)
        static let emptySparkline = Traits(rawValue: 16)
        /// Not in `/coins/list` yet, but in `/search` and `/coins/markets`.
        static let newcomer = Traits(rawValue: 32)
    }
}
