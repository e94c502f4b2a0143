/// What a simulated upstream needs to know of a request: decoded path, decoded query in order, four headers.
struct SimulatedRequest: Sendable {
    let method: String
    /// As sent: path and query, percent-encoded.
    let target: String
    /// Decoded segments, without the `/api/v3` that both CoinGecko hosts put in front.
    let path: [String]
    let query: [QueryItem]
    let userAgent: String?
    let demoKey: String?
    let proKey: String?
    /// "127.0.0.1:43121", where it came over HTTP.
    let host: String?

    struct QueryItem: Sendable, Hashable {
        let name: String
        let value: String
    }

    init(
        method: String = "GET", target: String, userAgent: String? = nil, demoKey: String? = nil,
        proKey: String? = nil, host: String? = nil
    ) {
        self.host = host
        self.method = method
        self.target = target
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.segments(of: parts.first ?? "")
        query = parts.count > 1 ? Self.items(of: parts[1]) : []
        self.userAgent = userAgent
        // The documentation allows the key in the query too (docs.coingecko.com, "Authentication").
        self.demoKey = demoKey ?? query.first { $0.name == "x_cg_demo_api_key" }?.value
        self.proKey = proKey ?? query.first { $0.name == "x_cg_pro_api_key" }?.value
    }

    /// - Parameter address: path and query, or a whole address, of which the host is dropped.
    init(address: String) {
        var target = Substring(address)
        if let scheme = target.range(of: "://") {
            let host = target[scheme.upperBound...]
            target = host.firstIndex(of: "/").map { host[$0...] } ?? "/"
        }
        self.init(target: String(target))
    }

    /// The first value under a name, `nil` when the name does not occur.
    subscript(name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The decoded path as one text, `/coins/markets`, for logs, faults and look-ups.
    var route: String {
        "/" + path.joined(separator: "/")
    }

    private static func segments(of path: Substring) -> [String] {
        let all = path.split(separator: "/").map { PercentDecoding.decode($0, plusIsSpace: false) }
        return all.starts(with: ["api", "v3"]) ? Array(all.dropFirst(2)) : all
    }

    private static func items(of query: Substring) -> [QueryItem] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return QueryItem(
                name: PercentDecoding.decode(parts[0], plusIsSpace: true),
                value: PercentDecoding.decode(value, plusIsSpace: true))
        }
    }
}
