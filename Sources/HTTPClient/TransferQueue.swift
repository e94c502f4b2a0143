import CCurl
import Glibc
import Synchronization

/// The way from any thread to the loop's: what is to be started and cancelled, and the end of it all.
final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Submission)
        case cancel(UInt64)
    }

    /// Unchecked, and safe: `multi` is constant and given to nothing but `curl_multi_wakeup`, the one call that libcurl
    /// allows from every thread (curl_multi_wakeup(3)); and that under the queue's lock, which the loop takes to remove
    /// this before it frees the handle, so that the handle is alive.
    private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct State {
        var commands: [Command] = []
        var waker: Waker?
        var thread: pthread_t?
        var isStopping = false
        /// Set once nobody reads `commands` any more.
        var closed: HTTPClientError?
    }

    let userAgent: String
    let configuration: ClientConfiguration
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(1)

    init(userAgent: String, configuration: ClientConfiguration) {
        self.userAgent = userAgent
        self.configuration = configuration
    }

    func makeID() -> UInt64 {
        nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Makes the thread. The +1 on this object goes to the thread, or ends here if there is none.
    func start() {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runTransferLoop, context.toOpaque())
        guard code == 0 else {
            context.release()
            return close(with: .other(code: Int(code), "no thread: " + String(cString: strerror(code))))
        }
        state.withLock { $0.thread = thread }
    }

    func submit(_ command: Command) {
        let refusal = state.withLock { state -> HTTPClientError? in
            if let closed = state.closed { return closed }
            state.commands.append(command)
            wake(state)
            return nil
        }
        if let refusal, case .start(let submission) = command {
            submission.continuation.resume(returning: .failure(refusal))
        }
    }

    /// Fails all with `.shutDown` and waits for the thread: for what libcurl needs to close its sockets, no
    /// longer, since neither a name being resolved (CURLOPT_QUICK_EXIT) nor a server is waited for.
    /// Idempotent; of calls at the same time only one waits.
    func stop() {
        let thread = state.withLock { state -> pthread_t? in
            state.isStopping = true
            wake(state)
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        // The last reference may go away on the loop's own thread, which cannot wait for itself.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    // MARK: the loop's side

    func open(_ multi: UnsafeMutableRawPointer) {
        let waker = Waker(multi: multi)
        state.withLock { $0.waker = waker }
    }

    func take() -> (commands: [Command], isStopping: Bool) {
        state.withLock { state in
            defer { state.commands.removeAll(keepingCapacity: true) }
            return (state.commands, state.isStopping)
        }
    }

    /// From here on nobody wakes the loop, and every request fails with `error`.
    func close(with error: HTTPClientError) {
        let commands = state.withLock { state in
            state.closed = error
            state.waker = nil
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(let submission) in commands {
            submission.continuation.resume(returning: .failure(error))
        }
    }

    /// A wake-up that fails (a full pipe) is made good by the poll's own time limit.
    private func wake(_ state: borrowing State) {
        if let waker = state.waker { _ = curl_multi_wakeup(waker.multi) }
    }
}
