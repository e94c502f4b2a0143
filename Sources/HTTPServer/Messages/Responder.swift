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

    /// Makes the answer without sending it: where many are told at once, all answers are made before the first is
    /// sent, whose client would ask again while the others still wait.
    ///
    /// - Returns: sends it; only the first answer counts
    package func prepare(_ prepared: PreparedResponse) -> @Sendable () -> Void {
        let send = promise.pending.prepare(.prepared(prepared))
        // Not dropped before it is sent.
        return { [promise] in withExtendedLifetime(promise, send) }
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
