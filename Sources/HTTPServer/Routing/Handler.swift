/// How a route makes its answers.
package enum Handler: Sendable {
    /// Runs on libmicrohttpd's own thread and must not block: for bytes that are there.
    case ready(@Sendable (Request) throws -> HandlerResult)
    /// Like `ready`; where the first closure returns nil, the second one goes on in a task.
    case readyOr(
        @Sendable (Request) throws -> HandlerResult?, @Sendable (Request) async throws -> HandlerResult)
    /// Runs in a task, which is cancelled when the client leaves or the server stops.
    case async(@Sendable (Request) async throws -> HandlerResult)
    /// For long polls: runs on libmicrohttpd's own thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}
