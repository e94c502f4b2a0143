/// `GET /search?query=`: at most 25 coins by market cap, with upper-case symbols. Includes newcomers, and
/// finds some coins by terms that are in none of their names.
struct CoinSearch {
    let market: Market

    private static let synonyms = ["etherium": "ethereum", "digital gold": "bitcoin"]

    func answer(_ request: SimulatedRequest) -> SimulatedResponse {
        let query = request["query"] ?? ""
        let term = Self.synonyms[query.lowercased()] ?? query
        let found = market.catalogue.containing(term).filter(market.isListed)
        var json = JSONWriter(capacity: 8192)
        json.object { json in
            json.key("coins")
            json.array { json in
                for coin in market.byMarketCap(found).prefix(25) {
                    json.object { write(coin, to: &$0) }
                }
            }
            for kind in ["exchanges", "icos", "categories", "nfts"] {
                json.key(kind)
                json.raw("[]")
            }
        }
        return .json(json.bytes)
    }

    private func write(_ coin: SimulatedCoin, to json: inout JSONWriter) {
        json.key("id")
        json.string(coin.id)
        json.key("name")
        json.string(market.name(of: coin))
        json.key("api_symbol")
        json.string(coin.id)
        json.key("symbol")
        json.string(coin.symbol.uppercased())
        json.key("market_cap_rank")
        json.number(market.ranking.rank(of: coin))
        for size in ["thumb", "large"] {
            json.key(size)
            json.string("https://coin-images.coingecko.com/coins/images/\(coin.key + 1)/\(size)/coin.png")
        }
    }
}
