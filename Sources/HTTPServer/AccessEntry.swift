/// One finished request, for the access log.
package struct AccessEntry: Sendable {
    package let method: Method
    /// The route's pattern, nil if none matched: low in number, for metrics.
    package let route: String?
    /// As sent, without the query, which may hold secrets.
    package let path: String
    /// 499 if the client left before its answer, 408 if it was cut off for being slow.
    package let status: Int
    /// The body's bytes as handed to the connection, after compression; 0 for HEAD and 304.
    package let bytesSent: Int
    package let duration: Duration
    package let peer: PeerAddress
    /// "" if there was none.
    package let userAgent: String
}
