/// A route's judgement of a request that brings a body, made from the headers before any of the body is kept.
///
/// A request without a body is not judged here: there is nothing to keep, and its handler judges it.
package struct BodyAdmission: Sendable {
    /// Throws what the request is answered with in place of its handler. Runs on libmicrohttpd's own thread and must not
    /// block.
    let judge: @Sendable (Request) throws -> Void

    package init(judge: @escaping @Sendable (Request) throws -> Void) { self.judge = judge }
}
