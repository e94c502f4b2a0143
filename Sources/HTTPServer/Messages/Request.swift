import Glibc
public import TextFormats

/// A request, complete with its body. The server has checked its framing, sizes and encoding.
public struct Request: Sendable {
    /// HEAD stays `.head`, although the route of GET answers it.
    public let method: Method
    /// "HTTP/1.1", or "HTTP/1.0" from old programs and some proxies.
    public var version = "HTTP/1.1"
    /// Path and query as sent, not decoded.
    public let target: String
    /// As sent, percent-encoded, without the query.
    public let path: String
    /// The decoded query.
    public var query: Query
    /// The header fields as sent.
    public let headers: Headers
    /// The client's address. IPv4 over an IPv6 socket is IPv4.
    public let peer: IPAddress
    /// True if it came over TLS to this server. The server does not see a proxy's TLS.
    public var isSecure = false
    /// The values of the route's parameters, decoded.
    public var parameters: PathParameters
    /// At most the route's `bodyLimit`.
    public var body: [UInt8]
    /// A value that the program keeps with the request; the server ignores it.
    public var context: (any Sendable)?

    /// For tests of handlers.
    ///
    /// Throws `RequestError.malformed` if the query cannot be decoded.
    public init(
        _ method: Method = .get, _ target: String = "/", headers: [(String, String)] = [], body: [UInt8] = [],
        parameters: PathParameters = PathParameters(), peer: IPAddress = .loopback,
        version: String = "HTTP/1.1", isSecure: Bool = false
    ) throws {
        self.init(method: method, target: target, headers: Headers(headers), peer: peer)
        query = try Query(parsing: Self.split(target).query)
        self.parameters = parameters
        self.body = body
        self.version = version
        self.isSecure = isSecure
    }

    /// The query stays empty until the server has decoded it.
    init(method: Method, target: String, headers: Headers, peer: IPAddress) {
        self.method = method
        self.target = target
        self.path = Self.split(target).path
        self.headers = headers
        self.peer = peer
        query = Query()
        parameters = PathParameters()
        body = []
    }

    /// A GET of the same address by the same client, without a body.
    package var reading: Request {
        var request = Request(method: .get, target: target, headers: headers, peer: peer)
        (request.version, request.query, request.parameters) = (version, query, parameters)
        (request.isSecure, request.context) = (isSecure, context)
        return request
    }

    /// The cookies of all `Cookie` headers.
    public var cookies: Cookies { Cookies(headers: headers) }

    /// Reads the body as a form, urlencoded or multipart.
    ///
    /// Throws `RequestError.notAForm` for another content type, and `.malformed` for a truncated or broken form.
    public func form() throws -> Form {
        try FormReader.read(body, contentType: headers["Content-Type"] ?? "")
    }

    /// True if the content type says JSON, such as `application/problem+json`.
    public var hasJSON: Bool { MediaType(headers["Content-Type"] ?? "").isJSON }

    /// Splits a target into path and query. Removes scheme and host of `http://host/path`, which proxies send (RFC 9112
    /// section 3.2.2).
    static func split(_ target: String) -> (path: String, query: Substring) {
        var rest = target[...]
        if !target.utf8.starts(with: "/".utf8), let scheme = target.utf8.firstRange(of: "://".utf8) {
            let authority = target[scheme.upperBound...]
            rest = authority.utf8.firstIndex { "/?".utf8.contains($0) }.map { authority[$0...] } ?? "/"
        }
        guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(rest), "") }
        return (String(rest[..<mark]), rest[rest.utf8.index(after: mark)...])
    }
}

/// A request's method; the raw value is its name in HTTP (RFC 9110 section 9).
public enum Method: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case connect = "CONNECT"
    /// Any other method. The server answers 501, so no handler sees it.
    case unknown = "?"

    init(_ name: UnsafePointer<CChar>) { self = Method(rawValue: String(cString: name)) ?? .unknown }
}

/// Errors that handlers throw for invalid requests. The server answers 400, 404 or 415.
public enum RequestError: Error, Equatable {
    /// 400: the query, form or JSON cannot be read. The text says which and why.
    case malformed(String)
    /// 404: the route matches, but what its parameters name does not exist.
    case notFound
    /// 415: the route expects JSON, but the content type differs.
    case notJSON
    /// 415: the route expects a form, but the content type differs.
    case notAForm
}
