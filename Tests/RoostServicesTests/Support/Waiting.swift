import Testing

/// What a test waited for and did not get.
struct NeverCame: Error {
    let what: String
}

/// Waits for a condition, ten seconds at most.
func wait(for what: String, until condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(40)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverCame(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
