import GRDB

extension DatabaseReader {
    /// Reads at once in a task whose threads may wait, as requests' may; in others, which run on Swift's own threads, over one of
    /// GRDB's, with two changes of thread.
    func fetch<Value: Sendable>(_ work: @Sendable (GRDB.Database) throws -> Value) async throws -> Value {
        guard Self.mayWait else { return try await read(work) }
        try Task.checkCancellation()
        if let value = try SharedRead.current?.read(self, work) { return value }
        return try fetchNow(work)
    }

    private func fetchNow<Value>(_ work: (GRDB.Database) throws -> Value) throws -> Value { try read(work) }

    /// A task that prefers an executor runs on that one's threads, or begins on the server's.
    private static var mayWait: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}
