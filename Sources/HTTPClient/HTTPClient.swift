/// Sends HTTP requests over libcurl: HTTP/2 where TLS offers it, connections reused, every limit enforced.
///
/// All requests of a client share one thread and one connection cache. No cookies are kept.
package final class HTTPClient: Sendable {
    private let queue: TransferQueue

    /// `userAgent`: goes with every request that names none itself; many servers refuse requests without.
    /// Must be fit to be a header's value, and not empty.
    package init(userAgent: String, configuration: ClientConfiguration = ClientConfiguration()) {
        precondition(!userAgent.isEmpty && ClientRequest.isHeaderValue(userAgent), "not a User-Agent")
        queue = TransferQueue(userAgent: userAgent, configuration: configuration)
        queue.start()
    }

    deinit {
        queue.stop()
    }

    /// The final answer, whatever its status. Ends at the latest when the total timeout has passed;
    /// cancelling the task drops the connection's work at once and throws `.cancelled`.
    package func send(_ request: ClientRequest) async throws(HTTPClientError) -> ClientResponse {
        let deadline = ContinuousClock.now + request.totalTimeout
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
                // A cancellation that came before the start was handed over found nothing to cancel.
                if Task.isCancelled { queue.submit(.cancel(id)) }
            }
        } onCancel: {
            queue.submit(.cancel(id))
        }
        return try result.get()
    }

    /// Fails what runs, and all that is sent later, with `.shutDown`; returns when the thread has ended,
    /// which waits for no server. May be called more than once and from any thread.
    package func shutdown() {
        queue.stop()
    }
}

/// What all requests of one client share.
package struct ClientConfiguration: Sendable {
    /// A PEM file of the authorities to trust instead of the system's; `nil`: the system's.
    var certificateAuthority: String?
    /// Open connections to one host and port; a request past it waits, within its own total timeout.
    var connectionsPerHost = 32
    /// Open connections in all; likewise.
    package var connections = 512
    /// Open connections, busy ones among them, above which one that becomes idle is closed instead of kept
    /// for the next request.
    var idleConnections = 64
    /// `nil`: what the environment names (`https_proxy`, `no_proxy`); empty: none. Loopback and
    /// `publicAddressesOnly` never go through one.
    package var proxy: String?
    /// What `publicAddressesOnly` lets through; another rule is for demonstrations and tests, whose
    /// strangers' servers are on loopback. Called on the client's thread: must not block.
    var countsAsPublic: @Sendable (IPAddress) -> Bool = { $0.isPublic }
    /// Hosts in lower case that `publicAddressesOnly` finds at these addresses, which need not be public, and nowhere else;
    /// no other host is let through to them. For demonstrations and tests.
    package var hostMap: [String: HostTarget] = [:]

    package init() {}
}

/// Where a host really is, whatever the name servers say: for demonstrations and tests.
package struct HostTarget: Sendable, Equatable {
    package let address: IPAddress
    package let port: Int

    package init(address: IPAddress, port: Int) {
        self.address = address
        self.port = port
    }

    /// Reads "127.0.0.1:8081" and "[::1]:8081"; nil for anything else.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = bytes[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        }
        let digits = bytes[(colon + 1)...]
        guard let address = IPAddress(String(decoding: host, as: UTF8.self)), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
        else { return nil }
        self.init(address: address, port: port)
    }

    /// As libcurl takes it: an IPv6 address in brackets.
    var text: String {
        let text = address.description
        return (text.utf8.contains(UInt8(ascii: ":")) ? "[\(text)]" : text) + ":\(port)"
    }
}
