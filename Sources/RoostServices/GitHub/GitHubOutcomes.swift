package import Foundation

/// What became of the requests of one account since the start, for monitoring: nothing of what was asked.
package struct GitHubOutcomes: Equatable, Sendable {
    package var lastSuccess: Date?
    /// What kept GitHub from answering since that success; nil where nothing did.
    package var lastError: APIError?
    /// By `APIError.code`.
    package private(set) var failures: [String: Int] = [:]

    package init() {}

    /// - Parameter status: of the answer; 0 where none came
    package mutating func count(_ error: APIError, status: Int = 0) {
        // That something is not there, or not to be had, is no fault of the account's or of GitHub's.
        if ![404, 410, 422, 451].contains(status) { lastError = error }
        failures[error.code, default: 0] += 1
    }

    /// The same by a clock that is so many seconds ahead.
    func moved(by seconds: TimeInterval) -> GitHubOutcomes {
        var moved = self
        moved.lastSuccess = lastSuccess.map { $0 + seconds }
        return moved
    }
}
