package import Foundation

/// An upstream error, and the delay that the upstream requested.
package protocol UpstreamFailure: Error {
    var error: APIError { get }
    /// In seconds, or nil if the upstream did not specify it.
    var retryAfter: Double? { get }
}

extension UpstreamFailure {
    /// The time until the upstream accepts requests again, or 0 if unknown.
    package func requestedWait(at now: Date) -> Duration {
        guard case .rateLimited(let reset) = error else { return .seconds(retryAfter ?? 0) }
        return .seconds(max(retryAfter ?? 0, reset.timeIntervalSince(now)))
    }
}

/// The delay after failures in a row: it doubles each time, has jitter, and is never shorter than the upstream
/// requested.
package struct Backoff: Sendable {
    /// After the first failure.
    package let initial: Duration
    /// The longest delay, unless the upstream requests a longer one.
    package let maximum: Duration
    package let minimumAfterLimit: Duration
    /// Longer requests of the upstream are cut to this.
    package let maximumRequested: Duration

    package init(
        initial: Duration, maximum: Duration, minimumAfterLimit: Duration = .zero,
        maximumRequested: Duration = .seconds(10 * 365 * 86_400)
    ) {
        self.initial = initial
        self.maximum = maximum
        self.minimumAfterLimit = minimumAfterLimit
        self.maximumRequested = maximumRequested
    }

    /// Returns the time until the next attempt after `failures` failures in a row; `jitter` is in 0.8 ... 1.2.
    package func delay(failures: Int, failure: any UpstreamFailure, jitter: Double, at now: Date) -> Duration
    {
        let grown = min(initial * (1 << min(30, max(0, failures - 1))), maximum) * jitter
        let requested = min(failure.requestedWait(at: now), maximumRequested)
        if case .rateLimited = failure.error { return max(grown, requested, minimumAfterLimit) }
        return max(grown, requested)
    }
}

package enum RetryAfter {
    /// Reads seconds or an HTTP date (RFC 9110, section 10.2.3), limited to a day; nil for anything else.
    package static func seconds(_ header: String, now: Date) -> Double? {
        if let seconds = Double(header.trimmingCharacters(in: .whitespaces)), seconds.isFinite {
            return min(max(0, seconds), 86_400)
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: header).map { min(max(0, $0.timeIntervalSince(now)), 86_400) }
    }
}

package enum RetryOutcome: Equatable, Sendable {
    case started
    /// The upstream accepts no requests until then.
    case mustWait(until: Date)
}
