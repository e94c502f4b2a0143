/// One coin in `/coins/markets`, with the fields in the order recorded in 2026.
struct MarketItem {
    let coin: SimulatedCoin
    let market: Market
    let options: Options

    struct Options {
        let currency: CoinGeckoCurrency
        let format: PriceFormat
        let sparkline: Bool
        let windows: [ChangeWindow]
        let host: String?
    }

    func write(to json: inout JSONWriter) {
        guard malformation != .notAnObject else { return json.number(42) }
        json.object { json in
            writeIdentity(to: &json)
            writePrices(to: &json)
            writeSupply(to: &json)
            writeRecords(to: &json)
            json.key("roi")
            json.raw("null")
            writeUpdate(to: &json)
            writeSparkline(to: &json)
            writeWindows(to: &json)
        }
    }

    private var malformation: CoinGeckoControls.Malformation? {
        market.controls.malformed[coin.id]
    }

    private func money(_ dollars: Double?) -> String {
        dollars.map { options.format.text($0 * options.currency.perDollar) } ?? "null"
    }

    /// Whole numbers from 1,000 on, every digit below.
    private func sum(_ dollars: Double?) -> String {
        guard let value = dollars.map({ $0 * options.currency.perDollar }) else { return "null" }
        return abs(value) >= 1000 && abs(value) < 1e15 ? String(Int(value)) : value.description
    }

    private func writeRaw(_ key: String, _ text: String, _ json: inout JSONWriter) {
        json.key(key)
        json.raw(text)
    }
}

extension MarketItem {
    private func writeIdentity(to json: inout JSONWriter) {
        if malformation != .missingID {
            json.key("id")
            if malformation == .numericID { json.number(coin.key) } else { json.string(coin.id) }
        }
        json.key("symbol")
        json.string(coin.symbol)
        json.key("name")
        json.string(malformation == .nullName ? nil : market.name(of: coin))
        json.key("image")
        json.string(CoinPicture.url(of: coin, host: options.host))
    }

    private func writePrices(to json: inout JSONWriter) {
        let price = market.price(of: coin)
        let yesterday = market.price(of: coin, at: market.now - Timestamp.day)
        let cap = market.cap(of: coin, at: market.now)
        let hours = (0...24).compactMap { market.price(of: coin, at: market.now - $0 * Timestamp.hour) }
        switch malformation {
        case .missingPrice: break
        case .negativePrice: writeRaw("current_price", money(price.map { -abs($0) - 1 }), &json)
        case .textPrice: writeRaw("current_price", "\"n/a\"", &json)
        default: writeRaw("current_price", money(price), &json)
        }
        writeRaw("market_cap", sum(cap), &json)
        json.key("market_cap_rank")
        json.number(market.ranking.rank(of: coin))
        writeRaw("fully_diluted_valuation", sum(cap.map { $0 * 1.05 }), &json)
        writeRaw("total_volume", sum(market.volume(of: coin, at: market.now)), &json)
        writeRaw("high_24h", money(hours.max()), &json)
        writeRaw("low_24h", money(hours.min()), &json)
        writeChanges(price: price, yesterday: yesterday, to: &json)
    }

    private func writeChanges(price: Double?, yesterday: Double?, to json: inout JSONWriter) {
        let percent = market.change(of: coin, over: Timestamp.day)
        let difference = percent == nil ? nil : price.flatMap { now in yesterday.map { now - $0 } }
        let rate = options.currency.perDollar
        let rounded = percent.map { SignificantDigits.round($0, fractionDigits: 5) }
        json.key("price_change_24h")
        json.number(difference.map { $0 * rate })
        json.key("price_change_percentage_24h")
        json.number(rounded)
        json.key("market_cap_change_24h")
        json.number(coin.hasMarketCap ? difference.map { $0 * coin.supply * rate } : nil)
        json.key("market_cap_change_percentage_24h")
        json.number(coin.hasMarketCap ? rounded : nil)
    }

    /// Coin counts are written like `19990746.0`.
    private func writeSupply(to json: inout JSONWriter) {
        let supply = coin.hasMarketCap ? coin.supply : nil
        json.key("circulating_supply")
        json.number(supply)
        json.key("total_supply")
        json.number(supply.map { $0 * 1.05 })
        json.key("max_supply")
        json.number(coin.key % 3 == 0 ? supply.map { $0 * 1.05 } : nil)
    }

    /// The factors are outside the walk's range of 0.37 to 1.63 times the base price.
    private func writeRecords(to json: inout JSONWriter) {
        let price = market.price(of: coin)
        let base = price == nil ? nil : coin.price
        for (name, factor, date) in [
            ("ath", 1.8, "2025-10-06T18:57:42.558Z"), ("atl", 0.2, "2022-11-21T06:11:02.000Z"),
        ] {
            let record = base.map { $0 * factor }
            let change = price.flatMap { now in record.map { ($0 > 0 ? now / $0 - 1 : 0) * 100 } }
            writeRaw(name, money(record), &json)
            json.key("\(name)_change_percentage")
            json.number(change.map { SignificantDigits.round($0, fractionDigits: 5) })
            json.key("\(name)_date")
            json.string(record == nil ? nil : date)
        }
    }

    private func writeUpdate(to json: inout JSONWriter) {
        json.key("last_updated")
        if malformation == .objectDate {
            json.raw("{\"when\":\"yesterday\"}")
        } else {
            json.string(coin.traits.contains(.priceless) ? nil : Timestamp.text(market.lastUpdated(coin)))
        }
    }

    private func writeSparkline(to json: inout JSONWriter) {
        guard options.sparkline else { return }
        json.key("sparkline_in_7d")
        guard !coin.traits.contains(.sparkless) else { return json.raw("null") }
        let points = coin.traits.contains(.emptySparkline) ? [] : market.sparkline(of: coin)
        json.object { json in
            json.key("price")
            json.array { json in
                for point in points {
                    json.number(point * options.currency.perDollar)
                }
            }
        }
    }

    private func writeWindows(to json: inout JSONWriter) {
        for window in options.windows {
            json.key("price_change_percentage_\(window.rawValue)_in_currency")
            json.number(market.change(of: coin, over: window.milliseconds))
        }
    }
}

enum ChangeWindow: String, CaseIterable {
    case hour = "1h", day = "24h", week = "7d", fortnight = "14d", month = "30d", halfYear = "200d", year =
        "1y"

    var milliseconds: Int {
        switch self {
        case .hour: Timestamp.hour
        case .day: Timestamp.day
        case .week: 7 * Timestamp.day
        case .fortnight: 14 * Timestamp.day
        case .month: 30 * Timestamp.day
        case .halfYear: 200 * Timestamp.day
        case .year: 365 * Timestamp.day
        }
    }
}
