import Foundation
import RoostServices

extension PriceStatus {
    /// That the month's calls are used up, and until when, for `TimedText`; nil where they are not.
    var usedUpReason: String? {
        usedUpUntil.map { until in
            let calls = NumberText.grouped(monthlyCalls)
            return "This month's \(calls) calls to CoinGecko are used up until \(ISO8601.seconds(until))."
        }
    }
}

/// From what the services know to what the pages show.
extension FreshnessView {
    /// The freshness of prices; `isEmpty`: the list has no coins.
    init(_ prices: PriceSnapshot, isEmpty: Bool, retry: String?) {
        let status = prices.status
        let state: State =
            if isEmpty { .idle } else if status.isUpToDate(at: prices.now) {
                .live
            } else if status.updatedAt == nil, status.error == nil, status.usedUpUntil == nil {
                .loading
            } else { .stale }
        let waits = status.usedUpReason ?? (status.error == nil ? "New prices are on their way." : nil)
        self.init(
            state: state, updatedAt: status.updatedAt, nextAt: status.nextTryAt,
            staleAt: status.staleAt,
            reason: status.error?.message(source: PriceRefresher.source) ?? waits,
            suggestion: status.error?.recoverySuggestion, retry: retry, isTrying: status.isLoading,
            source: PriceRefresher.source, now: prices.now)
    }
}

extension WatchlistRow {
    init(
        _ entry: WatchlistEntry, in list: WatchlistService.List, currency: String, isFirst: Bool,
        isLast: Bool, isMyOrder: Bool
    ) {
        self.init(
            coinId: entry.item.coinId, name: entry.name, symbol: entry.symbol, price: entry.currentPrice,
            currency: currency, change: entry.priceChange24h, week: entry.quote?.sparkline ?? [],
            notes: Self.notes(entry, in: list), isOld: entry.isStale || !entry.isListed,
            isFirst: isFirst, isLast: isLast, isMyOrder: isMyOrder, now: list.prices.now)
    }

    /// The first rows of a list, for the tile on the home page.
    static func rows(of list: WatchlistService.List, currency: String, limit: Int) -> [WatchlistRow] {
        list.entries.prefix(limit).map { entry in
            WatchlistRow(
                entry, in: list, currency: currency, isFirst: false, isLast: false, isMyOrder: false)
        }
    }

    static func notes(_ entry: WatchlistEntry, in list: WatchlistService.List) -> [Note] {
        var notes: [Note] = []
        if !entry.isListed { notes.append(.delisted) }
        if let former = entry.formerName { notes.append(.renamed(from: former)) }
        if let quote = entry.quote {
            if quote.coin.currentPrice == nil {
                notes.append(.noPrice)
            } else if entry.isCoinOld, let lastUpdated = quote.coin.lastUpdated {
                notes.append(.asOf(lastUpdated))
            } else if entry.isOld, let fetchedAt = entry.fetchedAt {
                notes.append(.asOf(fetchedAt))
            }
        } else if entry.isListed {
            notes.append(entry.isAwaited && list.prices.status.error == nil ? .loading : .noPrice)
        }
        return notes
    }
}
