package import Foundation
package import RoostSupport

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
        // A missing or closed resource is no failure of the account or of GitHub.
        if !Self.isAboutOneThing(error, status) { lastError = error }
        failures[error.code, default: 0] += 1
    }

    /// Whether it says no more than that what was asked for is not there, or is closed to this token.
    private static func isAboutOneThing(_ error: APIError, _ status: Int) -> Bool {
        switch error {
        case .forbidden, .singleSignOn, .legallyBlocked: true
        default: [404, 410, 422].contains(status)
        }
    }

    /// The same by a clock that is so many seconds ahead.
    func moved(by seconds: TimeInterval) -> GitHubOutcomes {
        var moved = self
        moved.lastSuccess = lastSuccess.map { $0 + seconds }
        return moved
    }
}
