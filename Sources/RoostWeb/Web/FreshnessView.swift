import Foundation
import HTMLTemplates
import TextFormats

/// How old a live region is, in the same words and place everywhere.
struct FreshnessView: Sendable {
    enum State: String, HTMLText, Sendable {
        /// Nothing to fetch: the list is empty.
        case idle
        /// Fetched for the first time; nothing to show yet.
        case loading
        /// Up to date.
        case live
        /// Older than it should be, or the last try failed; the last good data is shown with its age.
        case stale
    }

    let state: State
    let updatedAt: Date?
    let nextAt: Date?
    let staleAt: Date?
    let reason: String?
    let suggestion: String?
    let retry: String?
    let isTrying: Bool
    let source: String
    let now: Date

    /// - Parameters:
    ///   - updatedAt: when the source last answered well; nil if never
    ///   - nextAt: when it is asked next
    ///   - staleAt: when a page that hears nothing by then says itself that it is out of date
    ///   - reason: why it is stale, a sentence: "CoinGecko is temporarily unavailable."; times in it as in `TimedText`
    ///   - suggestion: what to do about it, a sentence
    ///   - retry: the address that "Try again" posts to; shown when stale
    ///   - isTrying: it is being tried again at this moment
    ///   - source: who is asked: "CoinGecko"
    init(
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

    var isIdle: Bool { state == .idle }
    var isLoading: Bool { state == .loading }
    var isLive: Bool { state == .live }
    var isStale: Bool { state == .stale }
    /// Without a reason only these words tell an old line from a fresh one. Scripts write the same when a page grows old.
    var staleWord: String { reason == nil ? "Out of date · updated" : "Updated" }
    var updated: String? { updatedAt.map(ISO8601.seconds) }
    var updatedAgo: String? { updatedAt.map { RelativeTime.ago($0, now: now) } }
    var next: String? { nextAt.map(ISO8601.seconds) }
    var nextIn: String? { nextAt.map { RelativeTime.until($0, now: now) } }
    var staleAfter: String? { staleAt.map(ISO8601.seconds) }
    var reasonText: TimedText? { reason.map(TimedText.init) }
    var retryWhereStale: String? { state == .stale ? retry : nil }
}
