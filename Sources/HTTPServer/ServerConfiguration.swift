package import TextFormats

package struct ServerConfiguration: Sendable {
    /// Such as "127.0.0.1:8080", "[::1]:8080" or "0.0.0.0:8080". Port 0 chooses a free one.
    package var address = "127.0.0.1:0"
    /// For HTTPS only, with TLS 1.2 or newer; nil for plain HTTP.
    package var tls: TLSIdentity?
    package var threads = 2
    /// Clients above it are answered 503 with `Retry-After`. Lowered at start to what the limit of open files allows.
    package var connectionLimit = 12_000
    /// The limit for each address, so that one client cannot take all connections; 503 above, 0 for no limit.
    var connectionsPerPeer = 512
    /// Returns true for addresses without this limit: this machine, and proxies, which forward many clients.
    package var isExemptPeer: @Sendable (IPAddress) -> Bool = { $0.isLoopback }
    /// In bytes, for path and query: 414 above.
    package var uriLimit = 4_096
    /// In bytes, for the request line and all header fields: 431 above.
    package var headerLimit = 8_192
    /// In bytes, for each connection in libmicrohttpd: request line, headers (about 64 bytes extra for each header and
    /// cookie, plus a copy of the cookies) and buffers. A request that leaves no room for the answer's head gets
    /// Roost's 431. One that does not fit at all (from about 5 KB of cookies, or 120 of them) gets libmicrohttpd's own
    /// 414 or 431, without Roost's headers. libmicrohttpd overwrites all of it between two requests, so 10,000 long
    /// polls really use 10,000 times as much.
    package var connectionMemory = 10_240
    var idleTimeout: Duration = .seconds(60)
    /// In place of `idleTimeout` when three quarters of the connections are taken, and for the first request of a
    /// connection that gets 503.
    var crowdedTimeout: Duration = .seconds(5)
    /// For a whole request, headers and body, however steadily it arrives.
    var receiveTimeout: Duration = .seconds(30)
    var sendTimeout: Duration = .seconds(300)
    package var headers: [Response.Header] = []
    /// Called before routing, without the body. If it returns a response, that is the answer.
    package var filter: (@Sendable (Request) -> Response?)?
    /// Makes the answers of the server itself; `Allow` and `Retry-After` are added.
    package var fault: @Sendable (ServerFault, Request) -> Response = { fault, _ in
        .text(fault.reason + "\n", status: fault.status)
    }
    /// Answers GET and HEAD for addresses without a route; nil uses `fault`. Unlike `fault`, a handler may wait.
    package var notFound: Handler?
    /// Where handlers continue after suspending; nil for Swift's own threads.
    package var executor: (any TaskExecutor)?
    /// Called once for each finished request, on libmicrohttpd's thread. Must not block.
    package var accessLog: (@Sendable (AccessEntry) -> Void)?
    package var log: @Sendable (String) -> Void = { _ in }

    package init() {}
}

package struct AccessEntry: Sendable {
    package let method: Method
    /// The route's pattern, or nil if none matched. There are few, as metrics need.
    package let route: String?
    /// As sent, without the query, which may contain secrets.
    package let path: String
    /// 499 if the client left before the answer, 408 if it was cut off for being slow.
    package let status: Int
    /// The size of the sent body after compression; 0 for HEAD and 304.
    package let bytesSent: Int
    package let duration: Duration
    package let peer: IPAddress
    package let userAgent: String
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
