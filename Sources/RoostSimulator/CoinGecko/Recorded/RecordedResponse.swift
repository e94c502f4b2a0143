/// One recorded CoinGecko body, recognised by its content because file names differ between collections.
struct RecordedResponse: Sendable {
    let kind: Kind
    let file: RecordedFile
    let json: RawJSON
    let name: RecordedName

    enum Kind: Sendable {
        case markets, list, search, chart, chartsByDays, simplePrice, currencies
        case other
    }

    /// Fails for files from elsewhere, truncated files, and errors without a request.
    init?(_ file: RecordedFile) {
        let name = RecordedName(path: file.path)
        guard file.path.hasSuffix(".json"), !name.isError || file.exchange != nil,
            Self.mayBeCoinGecko(file, name),
            let json = RawJSON(file.bytes[...])
        else { return nil }
        let target = file.exchange?.target ?? name.target
        guard let kind = Self.kind(of: json, name: name, hasRequest: target != nil) else { return nil }
        self.kind = kind
        self.file = file
        self.json = json
        self.name = name
    }

    var target: String? {
        file.exchange?.target ?? name.target
    }

    var request: SimulatedRequest? {
        target.map(SimulatedRequest.init(address:))
    }

    var status: Int {
        file.exchange?.status ?? name.status ?? 200
    }

    /// The currency of the prices, US dollars by default. `btc` or `eth` in a file name more likely means the
    /// coin.
    var currency: String {
        let requested = request?["vs_currency"]?.lowercased()
        return requested ?? name.words.first { Self.fiat.contains($0) } ?? "usd"
    }

    var replayed: SimulatedResponse {
        var answer = SimulatedResponse.json(file.bytes)
        if status != 200 { answer = .failure(status, String(decoding: file.bytes, as: UTF8.self)) }
        for header in file.exchange?.headers ?? [] where Self.isReplayed(header.name.lowercased()) {
            answer.headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
            answer.headers.append(header)
        }
        return answer
    }

    private static func isReplayed(_ name: String) -> Bool {
        ["content-type", "cache-control", "etag", "vary", "retry-after", "link", "per-page", "total"]
            .contains(name)
            || name.hasPrefix("x-ratelimit") || name.hasPrefix("access-control")
    }

    private static let fiat = Set(CoinGeckoCurrency.rates.map(\.code)).subtracting([
        "btc", "eth", "ltc", "bch", "bnb", "eos", "xrp", "xlm", "link", "dot", "yfi", "sol", "bits", "sats",
        "try",
    ])
}

extension RecordedResponse {
    /// A quick check before parsing: recordings contain many megabytes of other upstreams.
    private static func mayBeCoinGecko(_ file: RecordedFile, _ name: RecordedName) -> Bool {
        let folders = file.path.split(separator: "/").dropLast()
        guard folders.allSatisfy({ !["github", "articles"].contains($0) }) else { return false }
        if let target = file.exchange?.target ?? name.target {
            return !target.contains("://") || target.contains("coingecko") || target.contains("/api/v3/")
        }
        let head = Array(file.bytes.prefix(4096))
        return ["current_price", "\"symbol\"", "market_cap", "gecko_says", "\"usd\"", "\"prices\""].contains {
            head.contains(slice: Array($0.utf8))
        }
    }

    private static func kind(of json: RawJSON, name: RecordedName, hasRequest: Bool) -> Kind? {
        if let elements = json.elements { return kind(of: elements) ?? (hasRequest ? .other : nil) }
        guard let members = json.members else { return hasRequest ? .other : nil }
        if let coins = members.first(where: { $0.key == "coins" })?.value.elements {
            return coins.contains { $0["id"]?.string != nil } ? .search : hasRequest ? .other : nil
        }
        if members.contains(where: { $0.key == "prices" && $0.value.elements != nil }) { return .chart }
        if let first = members.first, first.value["prices"] != nil { return .chartsByDays }
        if !members.isEmpty, members.allSatisfy({ isPrices($0.value) }) { return .simplePrice }
        return hasRequest ? .other : nil
    }

    private static func kind(of elements: [RawJSON]) -> Kind? {
        if let item = elements.first(where: { $0["id"]?.string != nil }) {
            guard item["symbol"] != nil, item["name"] != nil else { return nil }
            return item["current_price"] != nil ? .markets : .list
        }
        let isCurrencies = elements.count > 3 && elements.allSatisfy { $0.string != nil }
        return isCurrencies && elements.contains { $0.string == "usd" } ? .currencies : nil
    }

    private static func isPrices(_ value: RawJSON) -> Bool {
        guard let members = value.members, !members.isEmpty else { return false }
        return members.allSatisfy { $0.value.isNull || $0.value.number != nil }
            && members.contains { CoinGeckoCurrency(code: $0.key) != nil }
    }
}
