package import Foundation
package import RoostSupport

/// Counts of an account's outcomes since the start, for monitoring. Says nothing about what was requested.
package struct GitHubOutcomes: Equatable, Sendable {
    package var lastSuccess: Date?
    package var lastError: APIError?
    /// Counts by `APIError.code`.
    package private(set) var failures: [String: Int] = [:]

    package init() {}

    /// - Parameter status: the response's, or 0 without a response
    package mutating func count(_ error: APIError, status: Int = 0) {
        // A missing or closed resource says nothing about the account or GitHub.
        if !Self.isResourceSpecific(error, status) { lastError = error }
        failures[error.code, default: 0] += 1
    }

    /// True for errors that only concern the requested resource: it is missing, or closed to this token.
    private static func isResourceSpecific(_ error: APIError, _ status: Int) -> Bool {
        switch error {
        case .forbidden, .singleSignOn, .legallyBlocked: true
        default: [404, 410, 422].contains(status)
        }
    }
}
