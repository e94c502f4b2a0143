package import Foundation
package import RoostSupport

package struct PriceStatus: Sendable, Equatable {
    package var updatedAt: Date?
    package var error: APIError?
    package var isLoading = false
    package var nextTryAt: Date?
    /// The plan's current interval in seconds.
    package var interval: Double
    /// Calls left this month; nil on a plan without a monthly limit.
    package var callsLeft: Int?
    /// When the next month begins, if the remaining calls do not suffice for a refresh.
    package var usedUpUntil: Date?
    /// The plan's monthly calls; set together with `usedUpUntil`.
    package var monthlyCalls = 0
    /// When the current refresh times out, if it began in time. Until then the prices count as up to date.
    var refreshTimeout: Date?

    /// In seconds: 30 (mission), or one and a half intervals on plans with longer ones. Always 30 while the month's
    /// calls are used up.
    var freshFor: TimeInterval {
        usedUpUntil == nil && interval > 30 ? interval * 1.5 : 30
    }

    /// A refresh that begins within this many seconds of the last update is in time.
    static func latestRefresh(interval: Double) -> TimeInterval { max(30, interval) * 1.5 }

    package func isUpToDate(at now: Date) -> Bool {
        guard error == nil, let freshUntil else { return false }
        return now <= freshUntil
    }

    private var freshUntil: Date? { updatedAt.map { max($0 + freshFor, refreshTimeout ?? $0) } }

    /// When a page without further updates becomes out of date. Allows for the next refresh, if that is near.
    package var staleAt: Date? {
        guard let updatedAt, let freshUntil else { return nil }
        guard error == nil, let nextTryAt,
            nextTryAt.timeIntervalSince(updatedAt) <= Self.latestRefresh(interval: interval),
            usedUpUntil == nil
        else { return freshUntil }
        return max(freshUntil, nextTryAt + CoinGeckoAPI.timeout)
    }

    package var loading: LoadingState<Date> {
        if isLoading { return .loading }
        if let error { return .failed(error) }
        return updatedAt.map { .loaded($0) } ?? .idle
    }
}

package struct PriceSnapshot: Sendable {
    package var currency = "usd"
    package let table: PriceTable
    package let status: PriceStatus
    package let now: Date
    let dates: WallClock.Dates

    package func fetchedAt(_ entry: PriceTable.Entry) -> Date { dates.date(of: entry.fetchedAt) }

    /// Whether to show the price as old: fetched too long ago, or not updated by CoinGecko for an hour.
    package func isStale(_ entry: PriceTable.Entry) -> Bool {
        isOld(entry) || isCoinOld(entry.quote.coin)
    }

    /// Whether the price was invalidated or fetched too long ago: longer than the cache's lifetime, or than
    /// `PriceStatus.freshFor` if that is longer and there is no error.
    package func isOld(_ entry: PriceTable.Entry) -> Bool {
        let lifetime =
            status.error == nil ? max(PriceTable.lifetime, status.freshFor) : PriceTable.lifetime
        return entry.isInvalid || now.timeIntervalSince(fetchedAt(entry)) > lifetime
    }

    /// Whether CoinGecko itself has had no newer price for an hour. Coins without a time count as current.
    package func isCoinOld(_ coin: Coin) -> Bool {
        coin.lastUpdated.map { now.timeIntervalSince($0) > PriceTable.coinLifetime } ?? false
    }
}
