import CMicroHTTPD
import Synchronization

/// A request whose answer comes later: while it waits, its connection is suspended.
final class PendingResponse: SuspendedWork {
    private enum Progress { case running, suspended, answered(NativeResponse), over }

    private struct State {
        var progress = Progress.running
        var task: Task<Void, Never>?
    }

    /// A long poll, which may be ended at any time, as opposed to work that should finish.
    let isDeferred: Bool
    private let engine: Engine
    private let client: ClientConnection
    private let request: Request
    /// Unchecked, and safe: a constant, used under the state's lock alone. It is suspended in libmicrohttpd's own call
    /// about that connection, and resumed (which may be done from any thread) only by the one who takes the state out of
    /// `suspended`: libmicrohttpd frees no connection that is suspended.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let state = Mutex(State())

    init(
        _ engine: Engine, _ client: ClientConnection, _ connection: OpaquePointer, _ request: Request,
        isDeferred: Bool
    ) {
        self.engine = engine
        self.client = client
        self.connection = connection
        self.request = request
        self.isDeferred = isDeferred
    }

    var isOpen: Bool {
        state.withLock { state in
            switch state.progress {
            case .running, .suspended: true
            case .answered, .over: false
            }
        }
    }

    func run(_ handler: @escaping @Sendable (Request) async throws -> HandlerResult) {
        let executor = engine.configuration.executor
        let work: @Sendable () async -> Void = { [self] in
            do {
                let answer = try await handler(request)
                if isOpen { finish(await engine.replies.makeInPieces(answer, for: request)) }
            } catch is CancellationError {
                // The client has left, and hears nothing; or the server stops, and has no time for it.
                fail(.stopping)
            } catch {
                answer(.response(engine.response(to: error, request)))
            }
        }
        let task =
            request.body.count > EngineLimits.bodyHandledAtOnce
            ? Task(executorPreference: executor, operation: work)
            : Task.immediate(executorPreference: executor, operation: work)
        state.withLock { $0.task = task }
    }

    /// The answer if it is there already, or must be since the server is about to end. Otherwise the connection is
    /// suspended: under the lock, so that nothing resumes it before.
    func suspendUnlessAnswered() -> NativeResponse? {
        state.withLock { state in
            switch state.progress {
            case .answered(let reply): return reply
            case .over: return .reset
            case .running, .suspended:
                if client.wait(for: self, suspend: { MHD_suspend_connection(connection) }) {
                    state.progress = .suspended
                    return nil
                }
                let reply = engine.replies.make(
                    .response(engine.response(to: ServerFault.stopping, request)), for: request)
                state.progress = .answered(reply)
                return reply
            }
        }
    }

    /// From any thread; false if there was an answer already, or the client is gone.
    @discardableResult
    func answer(_ answer: HandlerResult) -> Bool {
        // Made here, since compressing takes its time: libmicrohttpd's thread has other clients.
        isOpen && finish(engine.replies.make(answer, for: request))
    }

    /// The answer is made here, and goes out with a call of what is returned.
    func prepare(_ answer: HandlerResult) -> @Sendable () -> Void {
        guard isOpen else { return {} }
        let reply = engine.replies.make(answer, for: request)
        return { self.finish(reply) }
    }

    @discardableResult
    func fail(_ fault: ServerFault) -> Bool {
        isOpen && answer(.response(engine.response(to: fault, request)))
    }

    @discardableResult
    private func finish(_ reply: NativeResponse) -> Bool {
        state.withLock { state in
            switch state.progress {
            case .running: state.progress = .answered(reply)
            case .suspended:
                state.progress = .answered(reply)
                MHD_resume_connection(connection)
            case .answered, .over: return false
            }
            return true
        }
    }

    func clientLeft() {
        finish(.reset)
        cancel()
    }

    /// Asks the handler to end; its answer, if any, still counts.
    func cancel() { state.withLock(\.task)?.cancel() }

    /// The request is over: nothing touches the connection any more.
    func close() {
        let task = state.withLock { state in
            state.progress = .over
            return state.task
        }
        task?.cancel()
    }
}
