import Foundation
import GRDB
import RoostSupport

/// What files bring, in one transaction each.
extension WatchlistStore {
    /// A row of a file of a list's coins.
    struct ListEntry: Sendable {
        let line: Int
        let coinId: String
        /// Nil only for a coin that is on the list.
        let listed: CoinListItem?
        /// Nil where the file says nothing.
        let note, category: String?
    }

    /// A row of a file of holdings.
    struct HoldingEntry: Sendable {
        let line: Int
        let holding: NewHolding
    }

    /// What became of the rows.
    struct Taken: Sendable {
        var (added, updated, unchanged) = (0, 0, 0)
        var failures: [WatchlistFiles.Report.Failure] = []

        mutating func fail(_ line: Int, _ error: RoostError) {
            failures.append(.init(row: line, why: error.message))
        }
    }

    /// Adds the coins that are not on the list, behind the others; what the file says of a coin takes the place of what
    /// was noted, and what it does not say stays.
    func takeIn(
        _ entries: [ListEntry], list: WatchlistID, of user: UserID, at now: Date
    ) async throws -> Taken {
        try await database.write { database in
            let list = try Self.listId(of: user, list, in: database)
            var present = try String.fetchSet(
                database.cachedStatement(sql: "SELECT coin_id FROM watchlist_items WHERE list_id = ?"),
                arguments: [list])
            var coins = try Self.coinIds(of: user, in: database)
            var notes = try Self.notes(of: user, in: database)
            let last = try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT max(sort_order) FROM watchlist_items WHERE list_id = ? AND sort_order < ?"),
                arguments: [list, Self.lastPlace - Self.listLimit])
            var place = last.map { $0 + 1 } ?? 0
            var taken = Taken()
            for entry in entries {
                let isNew = !present.contains(entry.coinId)
                if isNew {
                    guard let coin = entry.listed else { continue }
                    guard present.count < Self.listLimit else {
                        taken.fail(entry.line, Self.fullList)
                        continue
                    }
                    guard coins.contains(coin.id) || coins.count < Self.coinLimit else {
                        taken.fail(entry.line, Self.tooManyCoins)
                        continue
                    }
                    let item = try WatchlistItem(coinId: coin.id, dateAdded: now, sortOrder: place)
                    try Self.insert(
                        StoredItem(item: item, symbol: coin.symbol, name: coin.name), list, into: database)
                    place += 1
                    present.insert(coin.id)
                    coins.insert(coin.id)
                    taken.added += 1
                }
                let old = notes[entry.coinId] ?? .none
                let new = try CoinNote(
                    note: entry.note ?? old.note, category: entry.category ?? old.category)
                let isNoted = new != old
                if isNoted, old.isEmpty, notes.count >= Self.noteLimit {
                    taken.fail(entry.line, Self.tooManyNotes)
                    continue
                }
                if isNoted {
                    try Self.keepNote(new, of: entry.coinId, for: user, in: database)
                    notes[entry.coinId] = new
                }
                if !isNew { if isNoted { taken.updated += 1 } else { taken.unchanged += 1 } }
            }
            return taken
        }
    }

    /// Adds the holdings that are not there: as many of the same as the file has, and no more at a second time.
    func takeIn(_ entries: [HoldingEntry], of user: UserID) async throws -> Taken {
        try await database.write { database in
            let holdings = try Self.holdings(of: user, coin: nil, in: database)
            var there = holdings.reduce(into: [:]) { $0[$1.details, default: 0] += 1 }
            var coins = try Self.coinIds(of: user, in: database)
            var count = holdings.count
            var taken = Taken()
            for entry in entries {
                if let same = there[entry.holding], same > 0 {
                    there[entry.holding] = same - 1
                    taken.unchanged += 1
                } else if count >= Self.holdingLimit {
                    taken.fail(entry.line, Self.tooManyHoldings)
                } else if !coins.contains(entry.holding.coinId), coins.count >= Self.coinLimit {
                    taken.fail(entry.line, Self.tooManyCoins)
                } else {
                    try Self.insert(entry.holding, for: user, into: database)
                    coins.insert(entry.holding.coinId)
                    count += 1
                    taken.added += 1
                }
            }
            return taken
        }
    }
}
