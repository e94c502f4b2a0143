/// One coin of the simulated market, as it is before time, currency and switches act on it.
struct SimulatedCoin: Sendable {
    /// Its number in the catalogue, from which its walk follows.
    let key: Int
    let id: String
    let symbol: String
    let name: String
    /// US dollars around which the price walks; zero for a coin that never traded.
    let price: Double
    /// Coins in circulation.
    let supply: Double
    /// 1 is an ordinary coin, 0.02 one that is pegged to the dollar.
    let volatility: Double
    let traits: Traits
    /// Days for which nobody has reported a price.
    let staleDays: Int

    /// What is odd about a coin; each was seen in recorded answers.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16

        /// Every figure is null, the price too.
        static let priceless = Traits(rawValue: 1)
        /// No market cap, hence no rank.
        static let unranked = Traits(rawValue: 2)
        /// Changes in percent are null.
        static let changeless = Traits(rawValue: 4)
        /// `sparkline_in_7d` is null.
        static let sparkless = Traits(rawValue: 8)
        /// `sparkline_in_7d` holds an empty list.
        static let emptySparkline = Traits(rawValue: 16)
        /// Not in `/coins/list` yet, but in `/search` and `/coins/markets`.
        static let newcomer = Traits(rawValue: 32)
    }

    init(
        key: Int, id: String, symbol: String, name: String, price: Double, supply: Double,
        volatility: Double = 1, traits: Traits = [], staleDays: Int = 0
    ) {
        self.key = key
        self.id = id
        self.symbol = symbol
        self.name = name
        self.price = price
        self.supply = supply
        self.volatility = volatility
        self.traits = traits
        self.staleDays = staleDays
    }
}
