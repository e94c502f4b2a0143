import Foundation
import HTTPServer

/// What the simulated GitHub needs to know of a request.
struct GitHubRequest: Sendable {
    let method: String
    let target: String
    /// Decoded segments, without the `/api/v3` of Enterprise, and without the `/api` of its GraphQL.
    let path: [String]
    let query: [SimulatedRequest.QueryItem]
    let userAgent: String?
    /// Of `Authorization: Bearer ...` or `token ...`.
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
        let words = request.headers["Authorization"]?.split(separator: " ") ?? []
        let isToken = words.count == 2 && ["bearer", "token"].contains(words[0].lowercased())
        self.init(
            method: request.method.rawValue, target: request.target,
            token: isToken ? String(words[1]) : words.isEmpty ? nil : "",
            ifNoneMatch: request.headers["If-None-Match"], userAgent: request.headers["User-Agent"],
            accept: request.headers["Accept"] ?? "*/*",
            contentType: request.headers["Content-Type"] ?? "", body: request.body)
    }

    var route: String { "/" + path.joined(separator: "/") }

    subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    /// A field of the query, or of the body as a form or as JSON.
    func parameter(_ name: String) -> String? {
        if let value = self[name] { return value }
        if contentType.contains("json") {
            return RawJSON(body[...])?[name].flatMap { $0.string ?? $0.text }
        }
        return SimulatedRequest(target: "/?" + String(decoding: body, as: UTF8.self))[name]
    }

    /// Asked below `/api/v3` or of GraphQL; what lies at the bare root may be a page as well.
    var isBelowAPI: Bool { target.hasPrefix("/api") }

    /// What a limit counts it as.
    var resource: String {
        switch path.first {
        case "graphql": "graphql"
        case "search": "search"
        default: "core"
        }
    }
}

/// Base 64 of bytes (RFC 4648 section 4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }

    /// The alphabet for addresses, without padding (section 5).
    static func encodeForAddress(_ bytes: [UInt8]) -> String {
        encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
