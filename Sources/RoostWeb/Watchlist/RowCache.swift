import Foundation
import RoostServices
import Synchronization

/// Rows of watchlists as text: a coin's row is rendered once an answer of CoinGecko, for every list it stands on.
final class RowCache: Sendable {
    /// All that a row's text depends on.
    struct Key: Hashable, Sendable {
        let coinId: String
        let name: String
        let symbol: String
        let formerName: String?
        let fetchedAt: Date?
        let isListed: Bool
        let isWaiting: Bool
        let isFirst: Bool
        let isLast: Bool
        let isMyOrder: Bool
    }

    /// A few hundred coins in their few states; more are answers that have been superseded.
    private static let limit = 2_000

    private let rows = Mutex<[Key: String]>([:])

    /// The row's text, rendered when it is not kept; without a key it is not kept either.
    func text(_ key: Key?, rendering render: () -> String) -> String {
        guard let key else { return render() }
        if let row = rows.withLock({ $0[key] }) { return row }
        let row = render()
        rows.withLock { rows in
            if rows.count >= Self.limit { rows.removeAll() }
            rows[key] = row
        }
        return row
    }
}

extension RowCache.Key {
    /// Nil for a row that names an age: its words change by themselves.
    init?(
        _ entry: WatchlistEntry, in list: WatchlistService.List, isFirst: Bool, isLast: Bool, isMyOrder: Bool
    ) {
        guard !entry.isStale else { return nil }
        coinId = entry.item.coinId
        name = entry.name
        symbol = entry.symbol
        formerName = entry.formerName
        fetchedAt = entry.fetchedAt
        isListed = entry.isListed
        isWaiting = entry.isAwaited && list.prices.status.error == nil
        self.isFirst = isFirst
        self.isLast = isLast
        self.isMyOrder = isMyOrder
    }
}
