/// Gives a deferred request its answer: once, from any thread; what comes later is ignored.
///
/// When the last copy goes away unused, the request is answered 500.
package struct Responder: Sendable {
    /// Only the first answer counts; false if there was one already, or the client is gone.
    @discardableResult
    package func respond(_ answer: Answer) -> Bool { false }

    @discardableResult
    package func respond(_ response: Response) -> Bool { respond(.response(response)) }

    @discardableResult
    package func respond(_ prepared: PreparedResponse) -> Bool { respond(.prepared(prepared)) }

    /// Whether an answer would still be sent.
    package var isOpen: Bool { false }
}
