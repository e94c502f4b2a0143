/// The simulated market at one moment: what every endpoint reads from.
struct Market: Sendable {
    let catalogue: CoinCatalogue
    let tape: PriceHistory
    let ranking: MarketRanking
    let switches: CoinGeckoControls

    /// Milliseconds since 1970.
    var now: Int { tape.now }

    private var dice: SeededRandom { tape.walk.dice }

    /// `nil` when nobody ever heard of the id, or it was delisted.
    func coin(_ id: String) -> SimulatedCoin? {
        switches.delisted.contains(id) ? nil : catalogue[id]
    }

    func name(of coin: SimulatedCoin) -> String {
        switches.renamed[coin.id] ?? coin.name
    }

    func isListed(_ coin: SimulatedCoin) -> Bool {
        !switches.delisted.contains(coin.id)
    }

    func lastUpdated(_ coin: SimulatedCoin) -> Int {
        tape.lastUpdated(coin)
    }

    /// US dollars at a moment, never later than the coin's own last update; `nil` for a coin without a price.
    func price(of coin: SimulatedCoin, at moment: Int) -> Double? {
        tape.price(of: coin, at: moment)
    }

    func price(of coin: SimulatedCoin) -> Double? {
        price(of: coin, at: now)
    }

    /// Per cent, full digits.
    func change(of coin: SimulatedCoin, over window: Int) -> Double? {
        guard !coin.traits.contains(.changeless), let price = price(of: coin), price > 0,
            let before = self.price(of: coin, at: now - window)
        else { return nil }
        return (price / before - 1) * 100
    }

    /// US dollars traded in 24 hours.
    func volume(of coin: SimulatedCoin, at moment: Int) -> Double? {
        let share = 0.01 + 0.09 * dice.unit(0x70_1D, UInt64(coin.key))
        return price(of: coin, at: moment).map { $0 * coin.supply * share }
    }

    /// US dollars; `nil` without a price or a cap.
    func cap(of coin: SimulatedCoin, at moment: Int) -> Double? {
        coin.hasMarketCap ? price(of: coin, at: moment).map { $0 * coin.supply } : nil
    }

    /// 168 hourly prices in US dollars, the oldest first, the last one of the running hour's begin.
    func sparkline(of coin: SimulatedCoin) -> [Double] {
        let hour = now / Timestamp.hour
        return (hour - 167...hour).compactMap { price(of: coin, at: $0 * Timestamp.hour) }
    }

    /// Largest first, as CoinGecko sorts by default.
    func byMarketCap(_ coins: [SimulatedCoin]) -> [SimulatedCoin] {
        coins.sorted { ranking.place(of: $0) < ranking.place(of: $1) }
    }
}
