/// Coins by market cap, as of a full hour: CoinGecko's ranks too are older than its prices.
struct MarketRanking: Sendable {
    let hour: Int
    /// Keys of all coins, the largest first, those without a cap last.
    let order: [Int]
    /// Place in `order`, by key.
    private let places: [Int]
    /// How many coins have a market cap, and so a rank.
    private let ranked: Int

    init(catalogue: CoinCatalogue, walk: PriceWalk, hour: Int) {
        self.hour = hour
        let tape = PriceHistory(walk: walk, now: hour * Timestamp.hour)
        let caps = catalogue.coins.map { coin in
            coin.hasMarketCap ? coin.supply * (tape.price(of: coin, at: tape.now) ?? 0) : 0
        }
        order = caps.indices.sorted { caps[$0] == caps[$1] ? $0 < $1 : caps[$0] > caps[$1] }
        ranked = caps.count { $0 > 0 }
        var places = Array(repeating: 0, count: order.count)
        for (place, key) in order.enumerated() {
            places[key] = place
        }
        self.places = places
    }

    func place(of coin: SimulatedCoin) -> Int {
        places[coin.key]
    }

    /// 1 for the largest, `nil` without a market cap.
    func rank(of coin: SimulatedCoin) -> Int? {
        let place = places[coin.key]
        return place < ranked ? place + 1 : nil
    }
}

extension SimulatedCoin {
    var hasMarketCap: Bool {
        price > 0 && traits.isDisjoint(with: [.priceless, .unranked])
    }
}
