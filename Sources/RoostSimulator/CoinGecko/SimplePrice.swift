/// `GET /simple/price`. Like CoinGecko, it does not trim ids and silently skips unknown ids and currencies.
struct SimplePrice {
    let market: Market

    static let currencies: SimulatedResponse = {
        var json = JSONWriter()
        json.array { json in
            for currency in CoinGeckoCurrency.rates {
                json.string(currency.code)
            }
        }
        return .json(json.bytes)
    }()

    func answer(_ request: SimulatedRequest, _ errors: CoinGeckoErrors) -> SimulatedResponse {
        guard let ids = request["ids"], !ids.isEmpty else { return .failure(422, errors.missingIDs) }
        guard let codes = request["vs_currencies"], !codes.isEmpty else {
            return .failure(422, CoinGeckoErrors.missing("vs_currencies"))
        }
        let currencies = codes.split(separator: ",").compactMap { CoinGeckoCurrency(code: String($0)) }
        var json = JSONWriter()
        json.object { json in
            for coin in ids.split(separator: ",").compactMap({ market.coin(String($0)) }) {
                json.key(coin.id)
                json.object { write(coin, in: currencies, request, to: &$0) }
            }
        }
        return .json(json.bytes)
    }

    private func write(
        _ coin: SimulatedCoin, in currencies: [CoinGeckoCurrency], _ request: SimulatedRequest,
        to json: inout JSONWriter
    ) {
        let format = PriceFormat(parameter: request["precision"])
        for currency in currencies {
            let rate = currency.perDollar
            json.key(currency.code)
            json.raw(market.price(of: coin).map { format.text($0 * rate) } ?? "null")
            if request["include_market_cap"] == "true" {
                json.key("\(currency.code)_market_cap")
                json.number(market.cap(of: coin, at: market.now).map { $0 * rate })
            }
            if request["include_24hr_vol"] == "true" {
                json.key("\(currency.code)_24h_vol")
                json.number(market.volume(of: coin, at: market.now).map { $0 * rate })
            }
            if request["include_24hr_change"] == "true" {
                json.key("\(currency.code)_24h_change")
                json.number(market.change(of: coin, over: Timestamp.day))
            }
        }
        if request["include_last_updated_at"] == "true" {
            json.key("last_updated_at")
            json.number(market.lastUpdated(coin) / 1000)
        }
    }
}
