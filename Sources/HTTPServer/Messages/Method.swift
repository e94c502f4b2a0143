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
