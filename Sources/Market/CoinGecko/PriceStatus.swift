package import Foundation
package import RoostSupport

/// How fresh the prices are, for the line under a title and for `/healthz`.
package struct PriceStatus: Sendable, Equatable {
    package var updatedAt: Date?
    package var error: APIError?
    package var isLoading = false
    package var nextTryAt: Date?
    /// The plan's present interval in seconds.
    package var interval: Double
    /// Calls left this month, where the plan counts them.
    package var callsLeft: Int?
    /// When the next month's calls begin, if those that are left do not suffice for a refresh.
    package var usedUpUntil: Date?
    /// Those of the plan, set with `usedUpUntil`.
    package var monthlyCalls = 0
    /// When the refresh under way times out, if it began in time: until then the prices count as up to date.
    var refreshTimeout: Date?

    package init(interval: Double) {
        self.interval = interval
    }

    /// The mission's rule: within 30 s, or one and a half intervals where the plan's interval is longer.
    ///
    /// Until the next month there is no interval that could be kept.
    var freshFor: TimeInterval {
        usedUpUntil == nil && interval > 30 ? interval * 1.5 : 30
    }

    /// A refresh that begins within so many seconds of the last update comes in time.
    static func latestRefresh(interval: Double) -> TimeInterval { max(30, interval) * 1.5 }

    /// True within `freshFor` of the last update, and while a refresh is under way that began in time.
    package func isUpToDate(at now: Date) -> Bool {
        guard error == nil, let freshUntil else { return false }
        return now <= freshUntil
    }

    private var freshUntil: Date? { updatedAt.map { max($0 + freshFor, refreshTimeout ?? $0) } }

    /// When a page that hears nothing by then is out of date: the next refresh, if it is near, has its time too.
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

/// The prices in one currency and their status at one moment.
package struct PriceSnapshot: Sendable {
    /// CoinGecko's code in lower case, "usd".
    package let currency: String
    package let board: PriceTable
    package let status: PriceStatus
    package let now: Date

    package init(currency: String = "usd", board: PriceTable, status: PriceStatus, now: Date) {
        self.currency = currency
        self.board = board
        self.status = status
        self.now = now
    }

    /// True when the price should be shown as old: fetched too long ago, or the coin's own clock stands still.
    package func isStale(_ entry: PriceTable.Entry) -> Bool {
        isOld(entry) || isCoinOld(entry.quote.coin)
    }

    /// Our clock: fetched longer ago than the cache's lifetime, or, while all goes well, than the plan allows to be
    /// fresher.
    package func isOld(_ entry: PriceTable.Entry) -> Bool {
        let lifetime =
            status.error == nil ? max(PriceTable.lifetime, status.freshFor) : PriceTable.lifetime
        return entry.isInvalid || now.timeIntervalSince(entry.fetchedAt) > lifetime
    }

    /// The coin's clock: CoinGecko itself has had no newer price for an hour. What it does not say is not old.
    package func isCoinOld(_ coin: Coin) -> Bool {
        coin.lastUpdated.map { now.timeIntervalSince($0) > PriceTable.coinLifetime } ?? false
    }
}
