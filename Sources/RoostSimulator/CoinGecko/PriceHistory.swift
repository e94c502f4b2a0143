/// Prices as they can be known at a moment: no coin is newer than its own last update.
struct PriceHistory: Sendable {
    let walk: PriceWalk
    /// Milliseconds since 1970.
    let now: Int

    /// When the coin's price was last made: with the running step, or whole days ago for a coin that went
    /// quiet.
    func lastUpdated(_ coin: SimulatedCoin) -> Int {
        let delay = walk.dice.index(0xDE1A, UInt64(coin.key), below: 15_000)
        guard coin.staleDays == 0 else {
            return now / Timestamp.day * Timestamp.day - coin.staleDays * Timestamp.day - delay
        }
        return now / walk.step * walk.step - delay
    }

    /// US dollars; `nil` for a coin without a price.
    func price(of coin: SimulatedCoin, at moment: Int) -> Double? {
        guard !coin.traits.contains(.priceless) else { return nil }
        let latest = coin.staleDays == 0 ? now : lastUpdated(coin)
        return coin.price * walk.factor(of: coin, at: walk.number(at: min(moment, latest)))
    }
}
