import CMicroHTTPD
import Synchronization

/// A request whose answer comes later: while it waits, its connection is suspended.
final class PendingResponse: SuspendedWork {
    private enum Progress {
        case running, suspended, answered(NativeResponse), over
        /// The answer is made by libmicrohttpd's thread when it comes back to the connection.
        case due(@Sendable () -> HandlerResult)
    }

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
            case .answered, .due, .over: false
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
        let progress = state.withLock { state in
            switch state.progress {
            case .running, .suspended: suspend(&state)
            case .answered, .due, .over: break
            }
            return state.progress
        }
        return switch progress {
        case .running, .suspended: nil
        case .answered(let reply): reply
        case .due(let make): engine.replies.make(make(), for: request)
        case .over: .reset
        }
    }

    private func suspend(_ state: inout State) {
        if client.wait(for: self, suspend: { MHD_suspend_connection(connection) }) {
            state.progress = .suspended
        } else {
            state.progress = .answered(
                engine.replies.make(
                    .response(engine.response(to: ServerFault.stopping, request)), for: request))
        }
    }

    /// From any thread; false if there was an answer already, or the client is gone.
    @discardableResult
    func answer(_ answer: HandlerResult) -> Bool {
        // Made here, since compressing takes its time: libmicrohttpd's thread has other clients.
        isOpen && finish(engine.replies.make(answer, for: request))
    }

    /// The same, but the answer is made on libmicrohttpd's thread, just before it goes out.
    @discardableResult
    func answer(with make: @escaping @Sendable () -> HandlerResult) -> Bool { finish(.due(make)) }

    @discardableResult
    func fail(_ fault: ServerFault) -> Bool {
        isOpen && answer(.response(engine.response(to: fault, request)))
    }

    @discardableResult
    private func finish(_ reply: NativeResponse) -> Bool { finish(.answered(reply)) }

    private func finish(_ progress: Progress) -> Bool {
        state.withLock { state in
            switch state.progress {
            case .running: state.progress = progress
            case .suspended:
                state.progress = progress
                MHD_resume_connection(connection)
            case .answered, .due, .over: return false
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

/// What a suspended connection waits for.
protocol SuspendedWork: AnyObject, Sendable {
    /// A long poll, which may be ended at any time, as opposed to work that should finish.
    var isDeferred: Bool { get }

    /// The client has closed its end and no longer waits for the answer.
    func clientLeft()

    /// Asks what runs to end.
    func cancel()

    /// Answers with a fault if there is no answer yet; false if there is one.
    func fail(_ fault: ServerFault) -> Bool
}
