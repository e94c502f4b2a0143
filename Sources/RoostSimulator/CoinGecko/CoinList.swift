/// `GET /coins/list`: every listed coin in one answer of about a megabyte, no paging.
struct CoinList {
    let market: Market

    var answer: SimulatedResponse {
        var json = JSONWriter(capacity: market.catalogue.coins.count * 72)
        json.array { json in
            for coin in market.catalogue.coins where !coin.traits.contains(.newcomer) && market.isListed(coin)
            {
                json.object { json in
                    json.key("id")
                    json.string(coin.id)
                    json.key("symbol")
                    json.string(coin.symbol)
                    json.key("name")
                    json.string(market.name(of: coin))
                }
            }
        }
        return .json(json.bytes, isStable: true)
    }
}
