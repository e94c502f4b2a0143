package import Foundation

/// What became of a click on "Refresh" or "Try again".
package enum RetryOutcome: Equatable, Sendable {
    case started
    /// GitHub asked for patience.
    case mustWait(until: Date)
}
