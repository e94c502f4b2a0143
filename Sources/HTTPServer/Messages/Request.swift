import FoundationEssentials
import Glibc

/// One request, fully received.
package struct Request: Sendable {
    /// HEAD stays `.head`, although the route of GET answers it.
    package let method: Method
    /// "HTTP/1.1", or "HTTP/1.0" from old programs and from proxies that were told nothing else.
    package var version = "HTTP/1.1"
    /// As sent: path and query, not decoded.
    package let target: String
    /// As sent, percent-encoded; without the query.
    package let path: String
    package var query: Query
    package let headers: Headers
    package let peer: PeerAddress
    /// It came over TLS to this server; of a proxy's own TLS the server knows nothing.
    package var isSecure = false
    package var parameters: PathParameters
    package var body: [UInt8]

    /// For tests of handlers; the server makes its own.
    ///
    /// Throws `RequestError.malformed` if the target's query cannot be decoded.
    package init(
        _ method: Method = .get, _ target: String = "/", headers: [(String, String)] = [], body: [UInt8] = [],
        parameters: PathParameters = PathParameters(), peer: PeerAddress = PeerAddress("127.0.0.1"),
        version: String = "HTTP/1.1", isSecure: Bool = false
    ) throws {
        self.init(method: method, target: target, headers: Headers(headers), peer: peer)
        query = try Query(parsing: Self.split(target).query)
        self.parameters = parameters
        self.body = body
        self.version = version
        self.isSecure = isSecure
    }

    /// The query stays empty until the server has found it decodable.
    init(method: Method, target: String, headers: Headers, peer: PeerAddress) {
        self.method = method
        self.target = target
        self.path = Self.split(target).path
        self.headers = headers
        self.peer = peer
        query = Query()
        parameters = PathParameters()
        body = []
    }

    package var cookies: Cookies { Cookies(headers: headers) }

    /// The body as a form, urlencoded or multipart.
    ///
    /// Throws `RequestError.notAForm` for another content type, `.malformed` for a form that is cut or
    /// broken.
    package func form() throws -> Form {
        try FormReader.read(body, contentType: headers["Content-Type"] ?? "")
    }

    /// Whether the body is said to be JSON.
    package var hasJSON: Bool { MediaType(headers["Content-Type"] ?? "").isJSON }

    /// The body as JSON.
    ///
    /// Throws `RequestError.notJSON` for another content type, `.malformed` for what does not decode.
    package func json<T: Decodable>(_ type: T.Type) throws -> T {
        guard hasJSON else { throw RequestError.notJSON }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw RequestError.malformed(Self.reason(error))
        }
    }

    /// Says where the JSON is wrong, never what it holds.
    private static func reason(_ error: DecodingError) -> String {
        let (words, path): (String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context): ("is missing", context.codingPath + [key])
            case .valueNotFound(_, let context): ("is null", context.codingPath)
            case .typeMismatch(_, let context): ("is of the wrong type", context.codingPath)
            case .dataCorrupted(let context): ("is not valid", context.codingPath)
            @unknown default: ("is not valid", [])
            }
        guard !path.isEmpty else { return "The JSON of the body \(words)." }
        return "\"\(path.map(\.stringValue).joined(separator: "."))\" in the JSON \(words)."
    }

    /// Path and query of a target; `http://host/path`, which proxies send, loses its first part (RFC 9112
    /// 3.2.2).
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

/// A request's method; the raw value is its name on the wire (RFC 9110 section 9).
package enum Method: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case connect = "CONNECT"
    /// Any other word: answered 501 by the server, so no handler sees it.
    case unknown = "?"

    init(_ name: UnsafePointer<CChar>) { self = Method(rawValue: String(cString: name)) ?? .unknown }
}

/// The address at the other end of the connection, without its port.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// "127.0.0.1", "::1", "192.168.1.7"; IPv4 over an IPv6 socket is written as IPv4.
    package let description: String

    package init(_ description: String) {
        let mapped = "::ffff:"
        let isMapped =
            description.lowercased().hasPrefix(mapped) && description.utf8.contains(UInt8(ascii: "."))
        self.description = isMapped ? String(description.dropFirst(mapped.count)) : description
    }

    init(of address: UnsafePointer<sockaddr>) { self.init(SocketAddress(copying: address).host) }

    init(of connection: OpaquePointer) { self.init(SocketAddress.ofClient(connection)?.host ?? "") }

    /// Whether the client runs on this machine: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool { description.hasPrefix("127.") || description == "::1" }
}

/// What is wrong with a request that a handler tried to read; thrown on, the server answers 400, 404 or 415.
package enum RequestError: Error, Equatable {
    /// 400: the query, form or JSON cannot be read; the text says which and why.
    case malformed(String)
    /// 404: the route matches, but what its parameters name is not there.
    case notFound
    /// 415: JSON is wanted and the content type says something else.
    case notJSON
    /// 415: a form is wanted and the content type says something else.
    case notAForm
}
