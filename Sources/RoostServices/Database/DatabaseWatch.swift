import GRDB

/// Notices that another process, such as `roost token revoke`, has written to the database.
struct DatabaseWatch: Sendable {
    let database: any DatabaseWriter

    /// Calls back about a second after each commit that is not this process's, until cancelled; and once at the start,
    /// for what was written since its caller last read.
    func run(changed: () async -> Void) async {
        var known: Int?
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            guard let version = try? await version(), version != known else { continue }
            known = version
            await changed()
        }
    }

    /// SQLite's `data_version` stays the same for commits of the connection that asks: here the only writer's.
    private func version() async throws -> Int? {
        try await database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
    }
}
