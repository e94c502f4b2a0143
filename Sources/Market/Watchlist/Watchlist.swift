package import RoostSupport

package typealias WatchlistID = Int64

/// One of a user's lists of coins; every user has at least one.
package struct Watchlist: Equatable, Sendable, Identifiable {
    package private(set) var id: WatchlistID
    package private(set) var userId: UserID
    package private(set) var name: String
    /// The position among the user's lists, from 0. The first list is the default.
    package var position = 0
    package var sort: WatchlistOrder = .mine
    /// Whether walls may show its value.
    package var showsTotals = false
}

extension Watchlist: ColumnRecord {
    package init() { self.init(id: 0, userId: 0, name: "") }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column("name", &name)
        try columns.column("place", &position)
        try columns.column("sort", &sort)
        try columns.column("shows_totals", &showsTotals)
        // Adding one to that of a damaged row could overflow.
        position = min(max(position, 0), WatchlistStore.maximumPosition)
    }
}
