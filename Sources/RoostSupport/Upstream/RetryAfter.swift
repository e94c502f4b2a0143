package import Foundation

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
