/// The simulated market at one moment, shared by all endpoints.
struct Market: Sendable {
    let catalogue: CoinCatalogue
    let history: PriceHistory
    let ranking: MarketRanking
    let controls: CoinGeckoControls

    var now: Int { history.now }

    private var dice: SeededRandom { history.walk.dice }

    func coin(_ id: String) -> SimulatedCoin? {
        controls.delisted.contains(id) ? nil : catalogue[id]
    }

    func name(of coin: SimulatedCoin) -> String {
        controls.renamed[coin.id] ?? coin.name
    }

    func isListed(_ coin: SimulatedCoin) -> Bool {
        !controls.delisted.contains(coin.id)
    }

    func lastUpdated(_ coin: SimulatedCoin) -> Int {
        history.lastUpdated(coin)
    }

    /// Returns US dollars, no later than the coin's last update, or nil for a coin without a price.
    func price(of coin: SimulatedCoin, at moment: Int) -> Double? {
        history.price(of: coin, at: moment)
    }

    func price(of coin: SimulatedCoin) -> Double? {
        price(of: coin, at: now)
    }

    /// Returns percent, unrounded.
    func change(of coin: SimulatedCoin, over window: Int) -> Double? {
        guard !coin.traits.contains(.changeless), let price = price(of: coin), price > 0,
            let before = self.price(of: coin, at: now - window)
        else { return nil }
        return (price / before - 1) * 100
    }

    /// Returns the US dollars traded in 24 hours.
    func volume(of coin: SimulatedCoin, at moment: Int) -> Double? {
        let share = 0.01 + 0.09 * dice.unit(0x70_1D, UInt64(coin.key))
        return price(of: coin, at: moment).map { $0 * coin.supply * share }
    }

    /// Returns US dollars, or nil without a price or a market cap.
    func cap(of coin: SimulatedCoin, at moment: Int) -> Double? {
        coin.hasMarketCap ? price(of: coin, at: moment).map { $0 * coin.supply } : nil
    }

    /// Returns 168 hourly prices in US dollars, oldest first, up to the start of the current hour.
    func sparkline(of coin: SimulatedCoin) -> [Double] {
        let hour = now / Timestamp.hour
        return (hour - 167...hour).compactMap { price(of: coin, at: $0 * Timestamp.hour) }
    }

    func byMarketCap(_ coins: [SimulatedCoin]) -> [SimulatedCoin] {
        coins.sorted { ranking.position(of: $0) < ranking.position(of: $1) }
    }
}
