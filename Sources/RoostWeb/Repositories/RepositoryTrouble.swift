import Foundation
package import RoostServices

/// Something that went wrong with GitHub, in the place it concerns, with when and how it may be tried again.
package struct RepositoryTrouble: ViewFields {
    private let error: APIError
    private let retry: String
    private let keepsRest, isTrying: Bool

    /// - Parameters:
    ///   - retry: the address that "Try again" posts to
    ///   - keepsRest: something is shown all the same
    ///   - isTrying: it is being tried again
    package init(_ error: APIError, retry: String, keepsRest: Bool, isTrying: Bool) {
        self.error = error
        self.retry = retry
        self.keepsRest = keepsRest
        self.isTrying = isTrying
    }

    package func field(_ name: String) -> Any? {
        switch name {
        // The mission's sentence; its time stands apart, for a script to put it into the reader's own zone.
        case "trouble":
            reset == nil ? error.message(source: "GitHub") : "GitHub rate limit exceeded. Resets at"
        case "troubleReset": reset.map(AgeText.iso)
        case "troubleResetText": reset.map { "\(AgeText.day($0)), \(AgeText.clock($0))" }
        case "advice": error.recoverySuggestion
        case "keepsRest": keepsRest
        case "retryAddress": retry
        case "isTrying": isTrying
        default: nil
        }
    }

    private var reset: Date? { if case .rateLimited(let date) = error { date } else { nil } }

    /// "43 of 60 requests left".
    package static func words(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? "searches" : "requests"
        return "\(Figure.grouped(budget.remaining)) of \(Figure.grouped(budget.limit)) \(what) left"
    }
}
