/// Prices known at a moment: no price is newer than its coin's last update.
struct PriceHistory: Sendable {
    let walk: PriceWalk
    let now: Int

    /// When the price was last updated: in the current step, or whole days ago for a stale coin.
    func lastUpdated(_ coin: SimulatedCoin) -> Int {
        let delay = walk.dice.index(0xDE1A, UInt64(coin.key), below: 15_000)
        guard coin.staleDays == 0 else {
            return now / Timestamp.day * Timestamp.day - coin.staleDays * Timestamp.day - delay
        }
        return now / walk.step * walk.step - delay
    }

    /// Returns US dollars, or nil for a coin without a price.
    func price(of coin: SimulatedCoin, at moment: Int) -> Double? {
        guard !coin.traits.contains(.priceless) else { return nil }
        let latest = coin.staleDays == 0 ? now : lastUpdated(coin)
        return coin.price * walk.factor(of: coin, at: walk.number(at: min(moment, latest)))
    }
}
