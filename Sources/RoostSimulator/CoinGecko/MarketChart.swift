/// `GET /coins/{id}/market_chart`: 1 day in 5-minute steps, 2 to 90 days hourly, more daily. Free plans are
/// limited to 365 days.
struct MarketChart {
    let market: Market

    func answer(_ request: SimulatedRequest, _ errors: CoinGeckoErrors) -> SimulatedResponse {
        guard let code = request["vs_currency"], !code.isEmpty else {
            return .failure(422, errors.missingCurrency)
        }
        guard let days = request["days"], !days.isEmpty else {
            return .failure(422, CoinGeckoErrors.missing("days"))
        }
        guard let coin = market.coin(request.path[1]) else { return .failure(404, errors.coinNotFound) }
        guard let currency = CoinGeckoCurrency(code: code) else {
            return .failure(422, #"{"error":"invalid vs_currency"}"#)
        }
        let span = days == "max" ? 3650 : min(max(Int(days) ?? 1, 1), 3650)
        guard span <= 365 || request.proKey != nil else { return .failure(401, Self.tooLong) }
        let moments = moments(days: span, daily: request["interval"] == "daily")
        return .json(render(coin, moments, rate: currency.perDollar))
    }

    private func moments(days: Int, daily: Bool) -> [Int] {
        let pace: Int =
            switch days {
            case _ where daily: Timestamp.day
            case 1: 5 * 60 * Timestamp.second
            case ...90: Timestamp.hour
            default: Timestamp.day
            }
        let first = (market.now - days * Timestamp.day) / pace * pace + pace
        return Array(stride(from: first, through: market.now, by: pace)) + [market.now]
    }

    private func render(_ coin: SimulatedCoin, _ moments: [Int], rate: Double) -> [UInt8] {
        let series: [(name: String, value: (Int) -> Double?)] = [
            ("prices", { market.price(of: coin, at: $0) }),
            ("market_caps", { market.cap(of: coin, at: $0) }),
            ("total_volumes", { market.volume(of: coin, at: $0) }),
        ]
        var json = JSONWriter(capacity: moments.count * 110)
        json.object { json in
            for (name, value) in series {
                json.key(name)
                json.array { json in
                    for moment in moments {
                        json.array { json in
                            json.number(moment)
                            json.number(value(moment).map { $0 * rate })
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private static let tooLong = CoinGeckoErrors.nested(
        10012,
        "Your request exceeds the allowed time range. Public API users are limited to querying "
            + "historical data within the past 365 days.")
}
