import Foundation
import HTTPServer

struct GitHubRequest: Sendable {
    let method: String
    let target: String
    /// Decoded segments, without Enterprise's `/api/v3` or the `/api` of its GraphQL.
    let path: [String]
    let query: [SimulatedRequest.QueryItem]
    let userAgent: String?
    let token: String?
    let ifNoneMatch: String?
    let accept: String
    let contentType: String
    let body: [UInt8]

    init(
        method: String = "GET", target: String, token: String? = nil, ifNoneMatch: String? = nil,
        userAgent: String? = "RoostTests/1", accept: String = "application/json",
        contentType: String = "application/x-www-form-urlencoded", body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        let parsed = SimulatedRequest(method: method, target: target)
        path = parsed.path.starts(with: ["api", "graphql"]) ? Array(parsed.path.dropFirst()) : parsed.path
        query = parsed.query
        self.userAgent = userAgent
        self.token = token
        self.ifNoneMatch = ifNoneMatch
        self.accept = accept
        self.contentType = contentType
        self.body = body
    }

    init(_ request: Request) {
        let parts = request.headers["Authorization"]?.split(separator: " ") ?? []
        let isToken = parts.count == 2 && ["bearer", "token"].contains(parts[0].lowercased())
        self.init(
            method: request.method.rawValue, target: request.target,
            token: isToken ? String(parts[1]) : parts.isEmpty ? nil : "",
            ifNoneMatch: request.headers["If-None-Match"], userAgent: request.headers["User-Agent"],
            accept: request.headers["Accept"] ?? "*/*",
            contentType: request.headers["Content-Type"] ?? "", body: request.body)
    }

    var route: String { "/" + path.joined(separator: "/") }

    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    func parameter(_ name: String) -> String? {
        if let value = self[name] { return value }
        if contentType.contains("json") {
            return RawJSON(body[...])?[name].flatMap { $0.string ?? $0.text }
        }
        return SimulatedRequest(target: "/?" + String(decoding: body, as: UTF8.self))[name]
    }

    /// Whether the path is under `/api`, so that it cannot be a web page.
    var isBelowAPI: Bool { target.hasPrefix("/api") }

    /// The rate limit that the request counts against.
    var resource: String {
        switch path.first {
        case "graphql": "graphql"
        case "search": "search"
        default: "core"
        }
    }
}

/// Base64 (RFC 4648 section 4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }

    /// The URL-safe alphabet, without padding (section 5).
    static func encodeForAddress(_ bytes: [UInt8]) -> String {
        encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
