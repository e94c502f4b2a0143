import Testing

/// What a test waited for and did not get.
package struct NeverCame: Error {
    package let what: String

    package init(what: String) {
        self.what = what
    }
}

/// Waits for a condition, forty seconds at most.
package func wait(for what: String, until condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(40)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverCame(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
