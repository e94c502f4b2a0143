public import TextFormats

/// Where a server listens, how much it accepts, and what it does for all requests.
public struct ServerConfiguration: Sendable {
    /// Such as "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:8080". Port 0 chooses a free one.
    public var address = "127.0.0.1:0"
    /// For HTTPS only, with TLS 1.2 or newer; nil for plain HTTP.
    public var tls: TLSIdentity?
    /// libmicrohttpd's threads. Synchronous handlers run on them.
    public var threads = 2
    /// Clients above it are answered 503 with `Retry-After`. Lowered at start to what the limit of open files allows.
    public var connectionLimit = 12_000
    /// The limit for each address, so that one client cannot take all connections; 503 above, 0 for no limit.
    public var connectionsPerPeer = 512
    /// Returns true for addresses without this limit: this machine, and proxies, which forward many clients.
    public var isExemptPeer: @Sendable (IPAddress) -> Bool = { $0.isLoopback }
    /// In bytes, for path and query: 414 above.
    public var uriLimit = 4_096
    /// In bytes, for the request line and all header fields: 431 above.
    public var headerLimit = 8_192
    /// In bytes, for each connection in libmicrohttpd: request line, headers (about 64 bytes extra for each header and
    /// cookie, plus a copy of the cookies) and buffers. A request that leaves no room for the answer's head gets
    /// `fault`'s 431. One that does not fit at all (from about 5 KB of cookies, or 120 of them) gets libmicrohttpd's own
    /// 414 or 431, without `headers`. libmicrohttpd overwrites all of it between two requests, so 10,000 long
    /// polls really use 10,000 times as much.
    public var connectionMemory = 10_240
    /// A connection without a request is closed after this time.
    public var idleTimeout: Duration = .seconds(60)
    /// In place of `idleTimeout` when three quarters of the connections are taken, and for the first request of a
    /// connection that gets 503.
    public var crowdedTimeout: Duration = .seconds(5)
    /// For a whole request, headers and body, however steadily it arrives.
    public var receiveTimeout: Duration = .seconds(30)
    /// A client that takes no byte of an answer for this time is disconnected.
    public var sendTimeout: Duration = .seconds(300)
    /// Added to every answer of the server, unless the answer has a header of this name.
    public var headers: [Response.Header] = []
    /// Called before routing, without the body. If it returns a response, that is the answer.
    public var filter: (@Sendable (Request) -> Response?)?
    /// Makes the answers of the server itself; `Allow` and `Retry-After` are added.
    public var fault: @Sendable (ServerFault, Request) -> Response = { fault, _ in
        .text(fault.reason + "\n", status: fault.status)
    }
    /// Answers GET and HEAD for addresses without a route; nil uses `fault`. Unlike `fault`, a handler may wait.
    public var notFound: Handler?
    /// Where handlers continue after suspending; nil for Swift's own threads.
    public var executor: (any TaskExecutor)?
    /// Called once for each finished request, on libmicrohttpd's thread. Must not block.
    public var accessLog: (@Sendable (AccessEntry) -> Void)?
    /// Receives a sentence for the operator about what goes wrong. Called on any thread; must not block.
    public var log: @Sendable (String) -> Void = { _ in }

    public init() {}
}

/// One finished request, for the access log and metrics.
public struct AccessEntry: Sendable {
    public let method: Method
    /// The route's pattern, or nil if none matched. There are few, as metrics need.
    public let route: String?
    /// As sent, without the query, which may contain secrets.
    public let path: String
    /// 499 if the client left before the answer, 408 if it was cut off for being slow.
    public let status: Int
    /// The size of the sent body after compression; 0 for HEAD and 304.
    public let bytesSent: Int
    /// From the request's first byte to the end of the answer.
    public let duration: Duration
    public let peer: IPAddress
    /// As sent; "" if it is missing.
    public let userAgent: String
}

/// The address that a server listens on, as operators write it.
package enum ListenAddress {
    /// Completes a port without an address, "8080" or ":8080", to "127.0.0.1:8080"; other text stays as it is.
    ///
    /// Both mean loopback, although some servers listen on all addresses for ":8080": opening a server to the network
    /// needs an explicit address, such as "0.0.0.0:8080".
    package static func completed(_ text: String) -> String {
        let port = text.hasPrefix(":") ? text.dropFirst() : text[...]
        guard UInt16(port) != nil, port.utf8.allSatisfy(isDigit) else { return text }
        return "127.0.0.1:\(port)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
