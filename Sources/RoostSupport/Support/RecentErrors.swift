package import Foundation
import Synchronization

/// The last warnings and errors of the log, which owners see on the status page. They are lost when the process ends.
package final class RecentErrors: Sendable {
    /// An event of the log. Repetitions of it are counted.
    package struct Entry: Equatable, Sendable {
        package let isError: Bool
        package let message: String
        /// "error=..., path=...", or "".
        package let details: String
        package fileprivate(set) var count = 1
        package let firstAt: Date
        package fileprivate(set) var lastAt: Date
    }

    package static let capacity = 50
    /// In code points, for each text.
    private static let maximumLength = 500

    /// Oldest first.
    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// Newest first.
    package var latest: [Entry] { entries.withLock { $0.reversed() } }

    /// - Parameters:
    ///   - message: without secrets
    ///   - details: without secrets
    package func note(_ message: String, details: String, isError: Bool, at now: Date) {
        let (message, details) = (Self.shortened(message), Self.shortened(details))
        entries.withLock { entries in
            let index = entries.firstIndex {
                $0.message == message && $0.details == details && $0.isError == isError
            }
            if let index {
                var entry = entries.remove(at: index)
                entry.count += 1
                entry.lastAt = now
                return entries.append(entry)
            }
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(
                Entry(isError: isError, message: message, details: details, firstAt: now, lastAt: now))
        }
    }

    private static func shortened(_ text: String) -> String {
        guard text.unicodeScalars.count > maximumLength else { return text }
        return String(Substring(text.unicodeScalars.prefix(maximumLength))) + "…"
    }
}
