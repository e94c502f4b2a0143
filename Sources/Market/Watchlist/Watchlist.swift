package import RoostSupport

/// A watchlist's number in this database.
package typealias WatchlistID = Int64

/// One of a user's lists of coins; everybody has at least one.
package struct Watchlist: Equatable, Sendable, Identifiable {
    package let id: WatchlistID
    package let userId: UserID
    /// 1 to 64 characters.
    package let name: String
    /// Among the user's lists, from 0; the first is the one that is meant where none is named.
    package let place: Int
    /// The order that its owner chose last.
    package let sort: WatchlistOrder
    /// Whether walls may show what it is worth.
    package let showsTotals: Bool

    package init(
        id: WatchlistID, userId: UserID, name: String, place: Int = 0, sort: WatchlistOrder = .mine,
        showsTotals: Bool = false
    ) {
        self.id = id
        self.userId = userId
        self.name = name
        self.place = place
        self.sort = sort
        self.showsTotals = showsTotals
    }
}
