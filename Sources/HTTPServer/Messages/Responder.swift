/// Gives a deferred request its answer: once, from any thread; what comes later is ignored.
///
/// When the last copy goes away unused, the request is answered 500.
package struct Responder: Sendable {
    private let promise: Promise

    init(_ pending: PendingResponse) { promise = Promise(pending) }

    /// Only the first answer counts; false if there was one already, or the client is gone.
    @discardableResult
    package func respond(_ answer: HandlerResult) -> Bool { promise.pending.answer(answer) }

    @discardableResult
    package func respond(_ response: Response) -> Bool { respond(.response(response)) }

    @discardableResult
    package func respond(_ prepared: PreparedResponse) -> Bool { respond(.prepared(prepared)) }

    /// Has the answer made when libmicrohttpd's thread comes to send it: where many are told at once, its threads share
    /// the work, and all are sent before the first client asks again.
    ///
    /// - Parameter make: must not wait; it is not called for a client who has left
    @discardableResult
    package func respond(with make: @escaping @Sendable () -> PreparedResponse) -> Bool {
        promise.pending.answer { .prepared(make()) }
    }

    /// Whether an answer would still be sent.
    package var isOpen: Bool { promise.pending.isOpen }

    /// Notices that nobody can answer any more.
    private final class Promise: Sendable {
        let pending: PendingResponse

        init(_ pending: PendingResponse) { self.pending = pending }

        deinit { if pending.isOpen { pending.fail(.thrown(ResponderDropped())) } }
    }
}

/// A deferred handler let go of its responder without an answer.
struct ResponderDropped: Error {}
