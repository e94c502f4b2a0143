package import GRDB

extension DatabaseReader {
    /// Reads at once in a task whose threads may wait, as requests' may; in others, which run on Swift's own threads, on a thread for
    /// such reads.
    ///
    /// GRDB's own `read` of a task needs one of Swift's threads to return its connection. If all of those wait for a connection, as
    /// the identity cache may, no connection would ever be returned.
    package func fetch<Value: Sendable>(_ work: @Sendable (GRDB.Database) throws -> Value) async throws
        -> Value
    {
        try Task.checkCancellation()
        if let value = try SharedRead.current?.read(self, work) { return value }
        guard !Self.mayWait else { return try fetchNow(work) }
        guard BackgroundReads.threads.start() else { return try await read(work) }
        return try await withTaskExecutorPreference(BackgroundReads.threads) {
            try Task.checkCancellation()
            return try fetchNow(work)
        }
    }

    private func fetchNow<Value>(_ work: (GRDB.Database) throws -> Value) throws -> Value { try read(work) }

    /// A task that prefers an executor runs on that one's threads, or begins on the server's.
    private static var mayWait: Bool { withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil } }
}

/// The threads on which background work reads, for the whole process.
private enum BackgroundReads {
    static let threads = TaskThreads(count: 2)
}
