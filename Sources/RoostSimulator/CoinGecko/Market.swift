/// The simulated market at one moment: what every endpoint reads from.
struct Market: Sendable {
    let catalogue: CoinCatalogue
    let walk: PriceWalk
    let ranking: MarketRanking
    let switches: CoinGeckoSwitches
    /// Milliseconds since 1970.
    let now: Int

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

    /// When the coin's price was last made: with the running step, or whole days ago for a coin that went quiet.
    func lastUpdated(_ coin: SimulatedCoin) -> Int {
        let delay = walk.dice.index(0xDE1A, UInt64(coin.key), below: 15_000)
        guard coin.staleDays == 0 else {
            return now / Timestamp.day * Timestamp.day - coin.staleDays * Timestamp.day - delay
        }
        return now / walk.step * walk.step - delay
    }

    /// US dollars at a moment, never later than the coin's own last update; `nil` for a coin without a price.
    func price(of coin: SimulatedCoin, at moment: Int) -> Double? {
        guard !coin.traits.contains(.priceless) else { return nil }
        let latest = coin.staleDays == 0 ? now : lastUpdated(coin)
        return coin.price * walk.factor(of: coin, at: walk.number(at: min(moment, latest)))
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
        let share = 0.01 + 0.09 * walk.dice.unit(0x70_1D, UInt64(coin.key))
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
