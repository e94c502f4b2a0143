/// Coins by market cap as of a full hour. CoinGecko's ranks are also older than its prices.
struct MarketRanking: Sendable {
    let hour: Int
    /// Keys of all coins, largest first; those without a market cap come last.
    let order: [Int]
    private let positions: [Int]
    private let ranked: Int

    init(catalogue: CoinCatalogue, walk: PriceWalk, hour: Int) {
        self.hour = hour
        let history = PriceHistory(walk: walk, now: hour * Timestamp.hour)
        let caps = catalogue.coins.map { coin in
            coin.hasMarketCap ? coin.supply * (history.price(of: coin, at: history.now) ?? 0) : 0
        }
        order = caps.indices.sorted { caps[$0] == caps[$1] ? $0 < $1 : caps[$0] > caps[$1] }
        ranked = caps.count { $0 > 0 }
        var positions = Array(repeating: 0, count: order.count)
        for (position, key) in order.enumerated() {
            positions[key] = position
        }
        self.positions = positions
    }

    func position(of coin: SimulatedCoin) -> Int {
        positions[coin.key]
    }

    func rank(of coin: SimulatedCoin) -> Int? {
        let position = positions[coin.key]
        return position < ranked ? position + 1 : nil
    }
}

extension SimulatedCoin {
    var hasMarketCap: Bool {
        price > 0 && traits.isDisjoint(with: [.priceless, .unranked])
    }
}
