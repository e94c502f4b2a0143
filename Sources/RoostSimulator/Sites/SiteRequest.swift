import HTTPServer

struct SiteRequest: Sendable {
    let method: String
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

    var path: String { String(target.prefix { $0 != "?" }) }

    /// The page's URL without query and port: "http://www.harbour-gazette.example/2026/10/night-ferry"
    var address: String { "http://\(host)\(path)" }

    var isMember: Bool { cookie.contains("member=1") }

    var items: [SimulatedRequest.QueryItem] { SimulatedRequest(target: target).query }

    func query(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// The URL to redirect to if the query has tracking parameters, otherwise nil.
    var withoutTracking: String? {
        items.contains { $0.name.hasPrefix("utm_") } ? address : nil
    }
}
