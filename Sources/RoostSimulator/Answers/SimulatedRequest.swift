import TextFormats

struct SimulatedRequest: Sendable {
    let method: String
    let target: String
    /// Decoded segments, without the `/api/v3` prefix of both CoinGecko hosts.
    let path: [String]
    let query: [QueryItem]
    let userAgent: String?
    let demoKey: String?
    let proKey: String?
    /// "127.0.0.1:43121", or nil unless it came over HTTP.
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
        // The documentation also allows the key in the query (docs.coingecko.com, "Authentication").
        self.demoKey = demoKey ?? query.first { $0.name == "x_cg_demo_api_key" }?.value
        self.proKey = proKey ?? query.first { $0.name == "x_cg_pro_api_key" }?.value
    }

    /// - Parameter address: path and query, or a full URL, whose host is dropped.
    init(address: String) {
        var target = Substring(address)
        if let scheme = target.range(of: "://") {
            let host = target[scheme.upperBound...]
            target = host.firstIndex(of: "/").map { host[$0...] } ?? "/"
        }
        self.init(target: String(target))
    }

    subscript(name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The decoded path, like `/coins/markets`, for logs and faults.
    var route: String {
        "/" + path.joined(separator: "/")
    }

    private static func segments(of path: Substring) -> [String] {
        let all = path.split(separator: "/").map { PercentEncoding.decoded($0) }
        return all.starts(with: ["api", "v3"]) ? Array(all.dropFirst(2)) : all
    }

    private static func items(of query: Substring) -> [QueryItem] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return QueryItem(
                name: PercentEncoding.decoded(parts[0], plusIsSpace: true),
                value: PercentEncoding.decoded(value, plusIsSpace: true))
        }
    }
}
