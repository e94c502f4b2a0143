import Synchronization

/// Work that joins the first write transaction of a request, such as a check of what its client has read. An error undoes
/// the write.
package final class FirstWrite: Sendable {
    private enum State { case open, taken, closed }

    @TaskLocal package static var current: FirstWrite?

    private let work: @Sendable (Writes) throws -> Void
    private let state = Mutex(State.open)

    package init(_ work: @escaping @Sendable (Writes) throws -> Void) { self.work = work }

    /// Call it when the request ends, because tasks that it has started may still write.
    package func close() { state.withLock { $0 = .closed } }

    /// True once it was committed.
    package var isDone: Bool {
        state.withLock { state in
            if case .taken = state { true } else { false }
        }
    }

    /// Returns the work for one transaction; nil once it was committed, or while another transaction has it.
    func take() -> (@Sendable (Writes) throws -> Void)? {
        state.withLock { state in
            guard case .open = state else { return nil }
            state = .taken
            return work
        }
    }

    /// Call after a transaction that failed.
    func giveBack() {
        state.withLock { state in
            if case .taken = state { state = .open }
        }
    }
}
