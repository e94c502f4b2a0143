package import Foundation

/// What came of a click on "Refresh" or "Try again".
package enum RetryOutcome: Equatable, Sendable {
    case started
    /// The upstream asked to be left alone until then.
    case mustWait(until: Date)
}
