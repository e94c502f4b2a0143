import Foundation
import Market
import TextFormats

/// `/watchlist/coins`: why no coin can be searched for, while the coin list is missing; nothing once it is there.
struct CoinListView: Sendable {
    private let status: CoinCatalog.ListStatus?

    /// - Parameter status: nil: the list is there
    init(_ status: CoinCatalog.ListStatus?) {
        self.status = status
    }

    var isLoading: Bool { status.map { $0.error == nil } ?? false }
    var reason: TimedText? { status?.reason.map(TimedText.init) }
    var suggestion: String? { status?.error?.recoverySuggestion }
    var isTrying: Bool { status?.isTrying ?? false }
    var next: String? { nextTryAt.map(ISO8601.seconds) }
    var nextIn: String? {
        status.flatMap { status in nextTryAt.map { RelativeTime.until($0, now: status.now) } }
    }

    private var nextTryAt: Date? { isTrying ? nil : status?.nextTryAt }
}

extension CoinCatalog.ListStatus {
    /// "The coin list could not be loaded: No internet connection. Please check your network."
    var reason: String? {
        error.map { "The coin list could not be loaded: \($0.message(source: PriceRefresher.source))" }
    }

    /// All that is to be said, for a program and for a script.
    var words: String {
        guard let reason else {
            return "The coin list is being loaded. This takes a few seconds on the first start."
        }
        guard !isTrying, let nextTryAt else { return "\(reason) Trying…" }
        return "\(reason) Next try \(RelativeTime.until(nextTryAt, now: now))."
    }
}
