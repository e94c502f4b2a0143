/// All recorded market items by currency and id. Of several recordings of a coin, the last updated is kept.
struct RecordedTable: Sendable {
    private var markets: [String: [String: RecordedItem]] = [:]
    private var sorted: [String: [RecordedItem]] = [:]
    private var prices: [String: [String: RawJSON]] = [:]
    private var searchResults: [String: RawJSON] = [:]
    private(set) var currencyCodes: SimulatedResponse?

    init(_ answers: [RecordedResponse]) {
        for answer in answers where answer.status == 200 {
            switch answer.kind {
            case .markets: merge(answer)
            case .simplePrice: mergePrices(answer)
            case .search: mergeSearchResults(answer)
            case .currencies: currencyCodes = answer.replayed
            default: break
            }
        }
        // A `Double` is enough, because the market cap is only compared.
        sorted = markets.mapValues { items in
            items.values.sorted { ($0.cap, $1.id) > ($1.cap, $0.id) }
        }
    }

    var ids: Set<String> {
        Set(markets.values.flatMap(\.keys))
    }

    /// Each coin once, in US dollars if recorded.
    var coins: [RecordedItem] {
        var seen: Set<String> = []
        let currencies = sorted.keys.sorted { ($0 == "usd" ? "" : $0) < ($1 == "usd" ? "" : $1) }
        return currencies.flatMap { sorted[$0] ?? [] }.filter { seen.insert($0.id).inserted }
    }

    /// Returns items by market cap, optionally only those with the ids, or nil if nothing was recorded in the
    /// currency.
    func items(in currency: String, ids: [String]?) -> [RecordedItem]? {
        guard let ids else { return sorted[currency] }
        guard let items = markets[currency] else { return nil }
        return Set(ids).compactMap { items[$0] }.sorted { ($0.cap, $1.id) > ($1.cap, $0.id) }
    }

    func simplePrice(ids: [String], codes: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            for id in ids where prices[id] != nil || markets.values.contains(where: { $0[id] != nil }) {
                json.key(id)
                json.object { json in
                    for code in codes.map({ $0.lowercased() }) {
                        guard let price = markets[code]?[id]?.price ?? prices[id]?[code] else { continue }
                        json.key(code)
                        json.raw(price.bytes)
                    }
                }
            }
        }
        return json.bytes
    }

    private mutating func merge(_ answer: RecordedResponse) {
        for json in answer.json.elements ?? [] {
            guard let item = RecordedItem(json) else { continue }
            let other = markets[answer.currency]?[item.id]
            if let other, other.updated > item.updated { continue }
            markets[answer.currency, default: [:]][item.id] = item
        }
    }

    private mutating func mergePrices(_ answer: RecordedResponse) {
        for (id, values) in answer.json.members ?? [] {
            for (code, price) in values.members ?? [] {
                prices[id, default: [:]][code] = price
            }
        }
    }

    private mutating func mergeSearchResults(_ answer: RecordedResponse) {
        for json in answer.json["coins"]?.elements ?? [] {
            if let id = json["id"]?.string { searchResults[id] = json }
        }
    }
}

extension RecordedTable {
    /// Returns matching results of all recorded searches and matching coins known from prices, by rank.
    func search(_ query: String) -> [UInt8] {
        let term = query.lowercased()
        var hits: [(rank: Double, id: String, json: [UInt8])] = []
        for (id, json) in searchResults {
            let fields = [id, json["name"]?.string ?? "", json["symbol"]?.string ?? ""]
            guard term.isEmpty || fields.contains(where: { $0.lowercased().contains(term) }) else {
                continue
            }
            hits.append((json["market_cap_rank"]?.number ?? .infinity, id, Array(json.bytes)))
        }
        for item in coins where searchResults[item.id] == nil && item.matches(term) {
            hits.append((item.rank ?? .infinity, item.id, item.searchResult))
        }
        var json = JSONWriter()
        json.object { json in
            json.key("coins")
            json.array { json in
                for hit in hits.sorted(by: { ($0.rank, $0.id) < ($1.rank, $1.id) }) { json.raw(hit.json) }
            }
            for kind in ["exchanges", "icos", "categories", "nfts"] {
                json.key(kind)
                json.raw("[]")
            }
        }
        return json.bytes
    }
}
