package import Foundation
import HTMLTemplates
import TextFormats

package struct FreshnessView: Sendable {
    package enum State: String, HTMLText, Sendable {
        /// The list is empty, so there is nothing to fetch.
        case idle
        /// The first fetch is running; there is nothing to show yet.
        case loading
        case live
        /// Older than it should be, or the last fetch failed. The page shows the last good data with its age.
        case stale
    }

    package let state: State
    package let updatedAt: Date?
    package let nextAt: Date?
    package let staleAt: Date?
    package let reason: String?
    package let suggestion: String?
    package let retry: String?
    package let isTrying: Bool
    package let source: String
    package let now: Date

    /// - Parameters:
    ///   - staleAt: when a page without news marks itself as out of date
    ///   - reason: why it is stale, a sentence: "CoinGecko is temporarily unavailable."; times as in `TimedText`
    ///   - retry: the address that "Try again" posts to; shown when stale
    package init(
        state: State, updatedAt: Date? = nil, nextAt: Date? = nil, staleAt: Date? = nil,
        reason: String? = nil, suggestion: String? = nil, retry: String? = nil, isTrying: Bool = false,
        source: String, now: Date
    ) {
        self.state = state
        self.updatedAt = updatedAt
        self.nextAt = nextAt
        self.staleAt = staleAt
        self.reason = reason
        self.suggestion = suggestion
        self.retry = retry
        self.isTrying = isTrying
        self.source = source
        self.now = now
    }

    package var isIdle: Bool { state == .idle }
    package var isLoading: Bool { state == .loading }
    var isLive: Bool { state == .live }
    package var isStale: Bool { state == .stale }
    /// Without a reason, only this text distinguishes a stale line from a fresh one. Scripts write the same when a page
    /// becomes stale.
    var staleLabel: String { reason == nil ? "Out of date · updated" : "Updated" }
    package var updated: String? { updatedAt.map(ISO8601.seconds) }
    package var updatedAgo: String? { updatedAt.map { RelativeTime.ago($0, now: now) } }
    package var next: String? { nextAt.map(ISO8601.seconds) }
    package var nextIn: String? { nextAt.map { RelativeTime.until($0, now: now) } }
    package var staleAfter: String? { staleAt.map(ISO8601.seconds) }
    package var reasonText: TimedText? { reason.map(TimedText.init) }
    var retryIfStale: String? { state == .stale ? retry : nil }
}
