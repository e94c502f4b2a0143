/// How a route makes its answers.
package enum Handler: Sendable {
    /// Runs on libmicrohttpd's own thread and must not block: for bytes that are there.
    case ready(@Sendable (Request) throws -> HandlerResult)
    /// Runs in a task, which is cancelled when the client leaves or the server stops. It begins on libmicrohttpd's own
    /// thread: an answer that waits for nothing costs no change of thread. After its first wait it goes on elsewhere, and
    /// with a large body it begins there.
    case async(@Sendable (Request) async throws -> HandlerResult)
    /// For long polls: runs on libmicrohttpd's own thread, must not block, and answers later without a task.
    case deferred(@Sendable (Request, Responder) -> Void)
}
