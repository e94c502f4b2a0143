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
