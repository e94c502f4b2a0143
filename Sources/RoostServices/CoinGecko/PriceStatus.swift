package import Foundation

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

    package init(interval: Double) {
        self.interval = interval
    }

    /// The mission's rule: within 30 s, or one and a half intervals where the plan's interval is longer.
    package var freshFor: TimeInterval { interval > 30 ? interval * 1.5 : 30 }

    package func isUpToDate(at now: Date) -> Bool {
        guard error == nil, let updatedAt else { return false }
        return now.timeIntervalSince(updatedAt) <= freshFor
    }

    package var loading: LoadingState<Date> {
        if isLoading { return .loading }
        if let error { return .failed(error) }
        return updatedAt.map { .loaded($0) } ?? .idle
    }
}

/// The prices and their status at one moment.
package struct PriceSnapshot: Sendable {
    package let board: PriceTable
    package let status: PriceStatus
    package let now: Date

    package init(board: PriceTable, status: PriceStatus, now: Date) {
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

    /// The coin's clock: CoinGecko itself has had no newer price for an hour.
    package func isCoinOld(_ coin: Coin) -> Bool {
        now.timeIntervalSince(coin.lastUpdated) > PriceTable.coinLifetime
    }
}
