package import Foundation

/// What went wrong at an upstream, and how long it asked to be left alone.
package protocol UpstreamFailure: Error {
    var error: APIError { get }
    /// In seconds; nil where the upstream did not say.
    var retryAfter: Double? { get }
    /// The same failure after the machine's clock was set by so many seconds.
    func moved(by seconds: TimeInterval) -> Self
}

extension UpstreamFailure {
    /// Seconds until the upstream takes requests again, as far as it says so.
    package func requestedWait(at now: Date) -> TimeInterval {
        guard case .rateLimited(let reset) = error else { return retryAfter ?? 0 }
        return max(retryAfter ?? 0, reset.timeIntervalSince(now))
    }
}

/// How long an upstream is left alone after failures in a row: twice as long each time, with jitter, and never shorter
/// than it asked for.
package struct Backoff: Sendable {
    /// Seconds after the first failure.
    package let initial: TimeInterval
    /// The longest wait of our own, in seconds; the upstream may ask for a longer one.
    package let maximum: TimeInterval
    /// At least so long after a rate limit, in seconds, whatever the upstream says.
    package let minimumAfterLimit: TimeInterval
    /// The longest wait that the upstream may ask for, in seconds.
    package let maximumRequested: TimeInterval

    package init(
        initial: TimeInterval, maximum: TimeInterval, minimumAfterLimit: TimeInterval = 0,
        maximumRequested: TimeInterval = .infinity
    ) {
        self.initial = initial
        self.maximum = maximum
        self.minimumAfterLimit = minimumAfterLimit
        self.maximumRequested = maximumRequested
    }

    /// Seconds until the next try after `failures` failures in a row; `jitter` is in 0.8 ... 1.2.
    package func delay(failures: Int, failure: any UpstreamFailure, jitter: Double, at now: Date)
        -> TimeInterval
    {
        let grown = min(initial * pow(2, Double(min(30, max(0, failures - 1)))), maximum) * jitter
        let requested = min(failure.requestedWait(at: now), maximumRequested)
        if case .rateLimited = failure.error { return max(grown, requested, minimumAfterLimit) }
        return max(grown, requested)
    }
}

/// What a `Retry-After` header asks for.
package enum RetryAfter {
    /// As seconds or as an HTTP date (RFC 9110, section 10.2.3), within a day; nil for anything else.
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

/// What came of a click on "Refresh" or "Try again".
package enum RetryOutcome: Equatable, Sendable {
    case started
    /// The upstream asked to be left alone until then.
    case mustWait(until: Date)
}
