public import TextFormats

/// Sends HTTP requests with libcurl: HTTP/2 if the server supports it over TLS, with connection reuse and enforced
/// limits.
///
/// All requests of a client share one thread and one connection cache. Cookies are not stored.
public final class HTTPClient: Sendable {
    private let queue: TransferQueue
    private let counts = RequestCounts()

    /// - Parameter userAgent: for requests without one, because many servers refuse requests without; must be a valid
    ///   header value and not empty
    public init(userAgent: String, configuration: ClientConfiguration = ClientConfiguration()) {
        precondition(!userAgent.isEmpty && ClientRequest.isHeaderValue(userAgent), "not a User-Agent")
        queue = TransferQueue(userAgent: userAgent, configuration: configuration)
        queue.start()
    }

    deinit {
        queue.stop()
    }

    /// Returns the final answer, whatever its status. Ends within the total timeout. Cancelling the task aborts the
    /// transfer immediately and throws `.cancelled`.
    public func send(_ request: ClientRequest) async throws(HTTPClientError) -> ClientResponse {
        let start = ContinuousClock.now
        let deadline = start + request.totalTimeout
        try request.validate()
        let address = try WebAddress(request.url)
        let id = queue.makeID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit(
                    .start(
                        Submission(
                            id: id, request: request, address: address, deadline: deadline,
                            continuation: continuation)))
                // A cancellation before the start was submitted found nothing to cancel.
                if Task.isCancelled { queue.submit(.cancel(id)) }
            }
        } onCancel: {
            queue.submit(.cancel(id))
        }
        counts.add(result, upstream: request.upstream, duration: .now - start)
        return try result.get()
    }

    /// The finished requests since the start, without those that were cancelled.
    package var requestCounts: [RequestCount] { counts.all }

    /// Fails running and future requests with `.shutDown`, and returns when the thread has ended, without waiting for
    /// servers. Can be called repeatedly and on any thread.
    public func shutdown() {
        queue.stop()
    }
}

/// How a client connects, for all its requests.
public struct ClientConfiguration: Sendable {
    /// A PEM file of authorities to trust instead of the system's, or nil.
    public var certificateAuthority: String?
    /// The maximum open connections to one host and port. Further requests wait, within their total timeouts.
    public var connectionsPerHost = 32
    /// The maximum open connections in all. Further requests wait.
    public var connections = 512
    /// Above this number of open connections, including busy ones, a connection that becomes idle is closed instead of
    /// kept.
    public var idleConnections = 64
    /// Nil uses the environment's proxy (`https_proxy`, `no_proxy`), "" none. Loopback addresses and requests with
    /// `publicAddressesOnly` never use a proxy.
    public var proxy: String?
    /// The rule for `publicAddressesOnly`. Demonstrations and tests replace it, because their servers are on loopback.
    /// Called on the client's thread: must not block.
    public var countsAsPublic: @Sendable (IPAddress) -> Bool = { $0.isPublic }
    /// Hosts in lower case, and their addresses for `publicAddressesOnly`. These hosts may have only these addresses,
    /// which need not be public and are allowed for no other host. For demonstrations and tests.
    public var hostMap: [String: HostTarget] = [:]

    public init() {}
}

/// The actual address of a host, overriding DNS. For demonstrations and tests.
public struct HostTarget: Sendable, Equatable {
    /// The address to connect to.
    public let address: IPAddress
    public let port: Int

    /// - Parameter port: 1 to 65535
    public init(address: IPAddress, port: Int) {
        self.address = address
        self.port = port
    }

    /// Reads "127.0.0.1:8081" and "[::1]:8081"; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = bytes[(colon + 1)...]
        guard let address = IPAddress(host: String(decoding: bytes[..<colon], as: UTF8.self)),
            (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
        else { return nil }
        self.init(address: address, port: port)
    }

    var text: String {
        (address.isIPv4 ? "\(address)" : "[\(address)]") + ":\(port)"
    }
}
