import CMicroHTTPD
import Synchronization

/// A request that is answered later. Its connection is suspended in the meantime.
final class PendingResponse: SuspendedWork {
    private enum Progress {
        case running, suspended, answered(NativeResponse), over
        /// libmicrohttpd's thread makes the answer when it resumes the connection.
        case due(@Sendable () -> HandlerResult)
    }

    private struct State {
        var progress = Progress.running
        var task: Task<Void, Never>?
    }

    let isDeferred: Bool
    private let engine: Engine
    private let client: ClientConnection
    private let request: Request
    /// `nonisolated(unsafe)` is safe: a constant that is used only under the state's lock. It is suspended in
    /// libmicrohttpd's own callback for that connection. Only the one who moves the state out of `suspended` resumes
    /// it, which may be done on any thread (DeferredTests: answers from many threads at the moment of suspension).
    /// libmicrohttpd frees no suspended connection.
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
                if isOpen { finish(await engine.encoder.makeInPieces(answer, for: request)) }
            } catch is CancellationError {
                // The client has left and gets no answer, or the server is stopping.
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

    /// Returns the answer if there is one, or if the server is stopping. Otherwise suspends the connection, under the
    /// lock so that nothing resumes it first.
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
        case .due(let make): engine.encoder.make(make(), for: request)
        case .over: .reset
        }
    }

    private func suspend(_ state: inout State) {
        if client.wait(for: self, suspend: { MHD_suspend_connection(connection) }) {
            state.progress = .suspended
        } else {
            state.progress = .answered(
                engine.encoder.make(
                    .response(engine.response(to: ServerFault.stopping, request)), for: request))
        }
    }

    /// Can be called on any thread. Returns false if there is an answer already or the client has left.
    @discardableResult
    func answer(_ answer: HandlerResult) -> Bool {
        // Made here, because compression would block libmicrohttpd's thread.
        isOpen && finish(engine.encoder.make(answer, for: request))
    }

    /// Like `answer(_:)`, but libmicrohttpd's thread makes the answer, just before it is sent.
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

    func cancel() { state.withLock(\.task)?.cancel() }

    /// Called when the request is over. The connection is not used afterwards.
    func close() {
        let task = state.withLock { state in
            state.progress = .over
            return state.task
        }
        task?.cancel()
    }
}

protocol SuspendedWork: AnyObject, Sendable {
    /// True for a long poll, which may be ended at any time; false for work that should finish.
    var isDeferred: Bool { get }

    func clientLeft()

    func cancel()

    /// Answers with a fault; returns false if there is an answer already.
    func fail(_ fault: ServerFault) -> Bool
}
