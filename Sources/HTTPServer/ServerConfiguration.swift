/// A server's settings.
package struct ServerConfiguration: Sendable {
    /// "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:8080"; port 0 takes a free one.
    package var address = "127.0.0.1:0"
    /// Answers HTTPS only, TLS 1.2 and newer; nil is plain HTTP.
    package var tls: TLSIdentity?
    package var threads = 2
    /// Above it clients are told 503 with `Retry-After`; lowered at start to what the limit of open files
    /// allows.
    package var connectionLimit = 12_000
    /// Connections of one address, so that one neighbour cannot take them all: above it 503 as above the limit of
    /// all; 0 for none.
    var connectionsPerPeer = 512
    /// Says which addresses are free of it: this machine's, and proxies, which bring many clients.
    package var isExemptPeer: @Sendable (PeerAddress) -> Bool = { $0.isLoopback }
    /// Bytes of path and query: 414 above.
    package var uriLimit = 4_096
    /// Bytes of the request line and all header fields: 431 above.
    package var headerLimit = 8_192
    /// Bytes that libmicrohttpd keeps for each connection: request line, headers (each costs some 64 bytes more, each
    /// cookie too, besides a copy) and buffers. What leaves no room for the answer's head gets our 431; what does not fit
    /// at all (from some 5 KB of cookies, or 120 of them) gets libmicrohttpd's own 414 or 431, without our headers. It
    /// overwrites all of it between two requests, so that 10,000 long polls take 10,000 times as much.
    package var connectionMemory = 10_240
    /// How long a connection may be silent.
    var idleTimeout: Duration = .seconds(60)
    /// For one whole request, headers and body, however steadily it drips.
    var receiveTimeout: Duration = .seconds(30)
    /// For one whole answer.
    var sendTimeout: Duration = .seconds(300)
    /// Put on every answer that does not set them itself.
    package var headers: [Response.Header] = []
    /// Asked before routing, without the body; an answer of it ends the request.
    package var filter: (@Sendable (Request) -> Response?)?
    /// Finds the words for what the server answers in place of a handler; `Allow` and `Retry-After` are
    /// added.
    package var fault: @Sendable (ServerFault, Request) -> Response = { fault, _ in
        .text(fault.reason + "\n", status: fault.status)
    }
    /// Answers GET and HEAD at an address without a route; nil: `fault` does. A handler may wait, `fault` must not.
    package var notFound: Handler?
    /// Where handlers that have waited go on; nil for Swift's own threads.
    package var executor: (any TaskExecutor)?
    /// Called once per finished request, on libmicrohttpd's thread: must not block.
    package var accessLog: (@Sendable (AccessEntry) -> Void)?
    /// Takes libmicrohttpd's own messages and the server's, one line each.
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
}

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
