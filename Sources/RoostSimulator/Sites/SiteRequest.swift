import HTTPServer

/// What a simulated site needs to know of a request.
struct SiteRequest: Sendable {
    let method: String
    /// As sent: path and query.
    let target: String
    /// Lower case, without a port.
    let host: String
    let cookie: String
    let userAgent: String?

    init(
        method: String = "GET", target: String, host: String, cookie: String = "", userAgent: String? = nil
    ) {
        self.method = method
        self.target = target
        self.host = String(host.lowercased().prefix { $0 != ":" })
        self.cookie = cookie
        self.userAgent = userAgent
    }

    init(_ request: Request) {
        self.init(
            method: request.method.rawValue, target: request.target, host: request.headers["Host"] ?? "",
            cookie: request.headers["Cookie"] ?? "", userAgent: request.headers["User-Agent"])
    }

    /// As sent, without the query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// "http://www.harbour-gazette.example/2026/10/night-ferry": without query and port, as a page is known.
    var address: String { "http://\(host)\(path)" }

    var isMember: Bool { cookie.contains("member=1") }

    var items: [SimulatedRequest.QueryItem] { SimulatedRequest(target: target).query }

    func query(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// Where a site sends those on who come with marks of where they come from; nil: they bring none.
    var withoutTracking: String? {
        items.contains { $0.name.hasPrefix("utm_") } ? address : nil
    }
}
