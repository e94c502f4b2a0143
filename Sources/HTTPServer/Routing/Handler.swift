/// How a route makes its answers.
package enum Handler: Sendable {
    /// Runs on libmicrohttpd's own thread and must not block: for bytes that are there.
    case ready(@Sendable (Request) throws -> Answer)
    /// Like `ready`; where the first closure returns nil, the second one goes on in a task.
    case readyOr(@Sendable (Request) throws -> Answer?, @Sendable (Request) async throws -> Answer)
    /// Runs in a task, which is cancelled when the client leaves or the server stops.
    case async(@Sendable (Request) async throws -> Answer)
    /// For long polls: runs on libmicrohttpd's own thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}
