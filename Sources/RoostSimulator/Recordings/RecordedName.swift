/// The parts of a recorded file's name, like `422_coins_markets_ids_bitcoin.json` or
/// `search_bitcoin_2023-11.json`.
struct RecordedName: Sendable, Equatable {
    let status: Int?
    /// Path and query of the request, or nil if the name does not contain a whole request.
    let target: String?
    let words: [String]
    /// Whether the file is an error body, so that only its status matters.
    let isError: Bool

    init(path: String) {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        var stem = Substring(file)
        if let dot = file.lastIndex(of: ".") { stem = file[..<dot] }
        status = Self.status(&stem)
        words = stem.lowercased().split(separator: "_").map(String.init)
        let plain = String(stem).replacing("_SP", with: ", ")
        target = Self.target(plain, hasStatus: status != nil)
        let folder = path.split(separator: "/").dropLast().last
        isError = folder == "errors" || (status ?? 200) >= 400 && target == nil
    }

    private static func status(_ stem: inout Substring) -> Int? {
        guard let number = Int(stem.prefix(3)), 100..<600 ~= number, stem.dropFirst(3).first == "_" else {
            return nil
        }
        stem = stem.dropFirst(4)
        return number
    }

    /// A name without parameters is a request only if it starts with a status: `coins_list.json` is any list.
    private static func target(_ stem: String, hasStatus: Bool) -> String? {
        guard let (path, rest) = path(stem) else { return nil }
        if path == "/search", let query = searchText(rest) { return "/search?query=\(escaped(query))" }
        guard let items = parameters(rest), hasStatus || !items.isEmpty else { return nil }
        let query = items.map { "\($0.name)=\(escaped($0.value))" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func path(_ stem: String) -> (path: String, rest: Substring)? {
        for (name, path) in paths where stem.hasPrefix(name) {
            let rest = stem.dropFirst(name.count)
            if rest.isEmpty || rest.first == "_" { return (path, rest) }
        }
        guard stem.hasPrefix("coins_"), let end = stem.range(of: "_market_chart") else { return nil }
        return ("/coins/\(stem[..<end.lowerBound].dropFirst(6))/market_chart", stem[end.upperBound...])
    }

    /// `_bitcoin_2023-11` is a search for "bitcoin"; dates are ignored.
    private static func searchText(_ rest: Substring) -> String? {
        guard parameters(rest) == nil else { return nil }
        let words = rest.split(separator: "_").filter { $0.contains(where: \.isLetter) }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Splits `_ids_bitcoin_vs_currency_usd` into pairs. Returns nil if something is left over.
    private static func parameters(_ rest: Substring) -> [(name: String, value: String)]? {
        var items: [(name: String, value: String)] = []
        var rest = rest
        while !rest.isEmpty {
            if let name = names.first(where: { rest.hasPrefix("_\($0)_") }) {
                items.append((name, ""))
                rest = rest.dropFirst(name.count + 2)
            } else if items.isEmpty {
                return nil
            }
            while let next = rest.first, next != "_" || !names.contains(where: { rest.hasPrefix("_\($0)_") })
            {
                items[items.count - 1].value.append(next)
                rest.removeFirst()
            }
        }
        return items
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("%", with: "%25").replacing(" ", with: "%20").replacing("&", with: "%26")
            .replacing("+", with: "%2B")
    }

    private static let paths = [
        ("coins_markets", "/coins/markets"), ("coins_list", "/coins/list"), ("simple_price", "/simple/price"),
        ("simple_supported_vs_currencies", "/simple/supported_vs_currencies"),
        ("search_trending", "/search/trending"), ("search", "/search"), ("ping", "/ping"),
    ]

    /// Longer names come before their own prefixes.
    private static let names = [
        "include_contract_address", "include_platform", "include_market_cap", "include_24hr_vol",
        "include_24hr_change", "include_last_updated_at", "price_change_percentage", "vs_currencies",
        "vs_currency",
        "per_page", "precision", "sparkline", "interval", "symbols", "order", "query", "days", "page", "ids",
        "id",
    ]
}
