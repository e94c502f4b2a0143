import Foundation
import Market
import RoostWeb
import TextFormats

/// `/watchlist/coins`: explains why coins cannot be searched yet; empty once the coin list has loaded.
struct CoinListView: Sendable {
    private let status: CoinCatalog.ListStatus?

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
    var reason: String? {
        error.map { "Couldn’t load the coin list: \($0.message(source: PriceRefresher.source))" }
    }

    var message: String {
        guard let reason else {
            return "Loading the coin list. The first start takes a few seconds."
        }
        guard !isTrying, let nextTryAt else { return "\(reason) Trying…" }
        return "\(reason) Next try \(RelativeTime.until(nextTryAt, now: now))."
    }
}
