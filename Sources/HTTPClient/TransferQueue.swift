import CCurl
import Glibc
import Synchronization

final class TransferQueue: Sendable {
    enum Command: Sendable {
        case start(Submission)
        case cancel(UInt64)
    }

    /// `@unchecked Sendable` is safe: `multi` is constant and passed only to `curl_multi_wakeup`, the one call that
    /// libcurl allows on every thread (curl_multi_wakeup(3)). This happens under the queue's lock, which the loop takes
    /// to remove the waker before it frees the handle (EndTests: shutdown while requests are being made).
    private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct State {
        var commands: [Command] = []
        var waker: Waker?
        var thread: pthread_t?
        var isStopping = false
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

    /// Creates the thread, which takes ownership of the retained reference.
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

    /// Fails everything with `.shutDown` and waits until libcurl has closed its sockets. It does not wait for name
    /// resolution (CURLOPT_QUICK_EXIT) or servers. Idempotent; of concurrent calls only one waits.
    func stop() {
        let thread = state.withLock { state -> pthread_t? in
            state.isStopping = true
            wake(state)
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        // The last reference may be released on the loop's own thread, which cannot join itself.
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

    func dequeueCommands() -> (commands: [Command], isStopping: Bool) {
        state.withLock { state in
            defer { state.commands.removeAll(keepingCapacity: true) }
            return (state.commands, state.isStopping)
        }
    }

    /// Fails all further requests with `error`; the loop is not woken any more.
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

    /// If the wake-up fails (a full pipe), the poll's time limit makes up for it.
    private func wake(_ state: borrowing State) {
        if let waker = state.waker { _ = curl_multi_wakeup(waker.multi) }
    }
}
