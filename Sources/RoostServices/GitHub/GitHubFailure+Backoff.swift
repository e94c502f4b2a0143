package import Foundation

extension GitHubFailure {
    /// The longest back-off, in seconds, where GitHub asks for none itself.
    package static let maximumBackoff: TimeInterval = 600

    /// Seconds until the next try after `failures` failures in a row; `jitter` is in 0.8 ... 1.2.
    package func backoff(failures: Int, jitter: Double, at now: Date) -> TimeInterval {
        let grown = min(15 * pow(2, Double(min(20, max(0, failures - 1)))), Self.maximumBackoff) * jitter
        let asked = retryAfter ?? 0
        if case .rateLimited(let reset) = error { return max(grown, asked, reset.timeIntervalSince(now)) }
        return max(grown, asked)
    }
}
