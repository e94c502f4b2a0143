/// `GET /coins/markets`: a page of coins by market cap, or the coins given by `ids` or `symbols`.
struct MarketsPage {
    let market: Market

    func answer(_ request: SimulatedRequest, _ errors: CoinGeckoErrors) -> SimulatedResponse {
        guard let code = request["vs_currency"], !code.isEmpty else {
            return .failure(422, errors.missingCurrency)
        }
        guard let currency = CoinGeckoCurrency(code: code) else {
            return .failure(422, #"{"error":"invalid vs_currency"}"#)
        }
        let paging = Paging(request)
        let coins = paging.page(of: chosen(by: request))
        let options = MarketItem.Options(
            currency: currency, format: PriceFormat(parameter: request["precision"]),
            sparkline: request["sparkline"] == "true", windows: windows(request["price_change_percentage"]),
            host: request.host)
        var json = JSONWriter(capacity: coins.count * (options.sparkline ? 4500 : 900))
        json.array { json in
            if market.controls.strayItems { writeStrayItems(to: &json) }
            for coin in coins {
                MarketItem(coin: coin, market: market, options: options).write(to: &json)
            }
        }
        return .json(json.bytes)
    }

    /// Skips unknown ids and trims ids, unlike `/simple/price`.
    private func chosen(by request: SimulatedRequest) -> [SimulatedCoin] {
        if let ids = request["ids"], !ids.isEmpty {
            let requested = Set(ids.split(separator: ",").map { $0.trimmingBlanks })
            return ordered(market.byMarketCap(requested.compactMap(market.coin)), by: request["order"])
        }
        let everything = market.ranking.order.map { market.catalogue.coins[$0] }.filter(market.isListed)
        guard let symbols = request["symbols"], !symbols.isEmpty else {
            return ordered(everything, by: request["order"])
        }
        return ordered(
            named(symbols, in: everything, all: request["include_tokens"] == "all"), by: request["order"])
    }

    /// Returns only the largest coin of each symbol, unless `include_tokens=all`.
    private func named(_ symbols: String, in coins: [SimulatedCoin], all: Bool) -> [SimulatedCoin] {
        var requested = Set(symbols.lowercased().split(separator: ",").map { $0.trimmingBlanks })
        return coins.filter { coin in
            all ? requested.contains(coin.symbol) : requested.remove(coin.symbol) != nil
        }
    }

    private func ordered(_ ranked: [SimulatedCoin], by order: String?) -> [SimulatedCoin] {
        switch order {
        case "market_cap_asc": ranked.reversed()
        case "id_asc": ranked.sorted { $0.id < $1.id }
        case "id_desc": ranked.sorted { $0.id > $1.id }
        default: ranked
        }
    }

    private func windows(_ parameter: String?) -> [ChangeWindow] {
        let requested = Set((parameter ?? "").split(separator: ",").map { $0.trimmingBlanks })
        return ChangeWindow.allCases.filter { requested.contains($0.rawValue) }
    }

    private func writeStrayItems(to json: inout JSONWriter) {
        json.raw(#"{"symbol":"lost","name":"Without Id","current_price":1.5}"#)
        json.raw(#"{"id":null,"symbol":"nul","name":"Null Id","current_price":2.5}"#)
        json.raw("17")
        json.raw("null")
    }
}

/// `page` and `per_page`: 100 per page by default, at most 250.
struct Paging {
    let number: Int
    let size: Int

    init(_ request: SimulatedRequest) {
        number = max(1, request["page"].flatMap(Int.init) ?? 1)
        let requested = request["per_page"].flatMap(Int.init) ?? 100
        size = requested < 1 ? 100 : min(requested, 250)
    }

    func page<Item>(of items: [Item]) -> ArraySlice<Item> {
        let (start, isTooFar) = (number - 1).multipliedReportingOverflow(by: size)
        return isTooFar || start >= items.count ? [] : items[start..<min(start + size, items.count)]
    }
}

extension Substring {
    var trimmingBlanks: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
