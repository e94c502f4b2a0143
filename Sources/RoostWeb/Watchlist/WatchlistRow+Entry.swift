import Foundation
import Market
import TextFormats

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
    /// A row of the list's page.
    ///
    /// - Parameter places: of the columns that the reader chose
    init(
        _ entry: WatchlistEntry, in list: WatchlistService.List, places: [ColumnPlace] = [],
        logo: String? = nil, isFirst: Bool = false, isLast: Bool = false, isMyOrder: Bool = false,
        bell: RenderedView? = nil
    ) {
        self.init(
            coinId: entry.item.coinId, name: entry.name, symbol: entry.symbol, price: entry.currentPrice,
            currency: list.currency, change: entry.priceChange24h, week: entry.quote?.sparkline ?? [],
            notes: Self.notes(entry, in: list), isOld: entry.isStale || !entry.isListed,
            isFirst: isFirst, isLast: isLast, isMyOrder: isMyOrder, logo: logo, note: entry.note,
            cells: places.map { WatchlistCell($0.column, of: entry, currency: list.currency, place: $0) },
            bell: bell, now: list.prices.now)
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
