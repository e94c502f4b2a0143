import Foundation
import GRDB
package import RoostSupport

/// Lists, notes, holdings and wallets in an export of all data.
extension WatchlistService {
    package var transferParts: [TransferPart] { [listsPart, notesPart, holdingsPart, walletsPart] }

    // MARK: Lists

    private struct ListRow: Codable {
        var id: WatchlistID
        var name: String
        var sort: String
        var showsTotals: Bool
        var coins: [TransferFields]
    }

    private var listsPart: TransferPart {
        TransferPart("watchlists") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let lines = try reads.watchlists(of: user).map { list in
                let coins = try reads.watchlistItems(of: list.id).map { TransferFields($0) }
                return try TransferLine.json(
                    ListRow(
                        id: list.id, name: list.name, sort: list.sort.rawValue,
                        showsTotals: list.showsTotals,
                        coins: coins))
            }
            return TransferPart.all(lines, after: key)
        } merge: { row in
            let (user, context) = (try row.user, row.context)
            let draft: ListRow = try row.decode()
            let name = try Self.listName(draft.name)
            guard let sort = WatchlistOrder(rawValue: draft.sort) else {
                throw RoostError.file("“sort” has an invalid value.")
            }
            guard draft.coins.count <= Self.coinLimit else { throw Self.tooManyCoins }
            let coins: [StoredItem] = try draft.coins.map { try $0.record() }
            guard coins.allSatisfy({ WatchlistItem.isPossible($0.item.coinId) }) else {
                throw RoostError.file("“coinId” has an invalid value.")
            }
            return { writes in
                let lists = try writes.watchlists(of: user)
                let existing = lists.first { $0.name == name }
                // A new user's empty list becomes the file's first one.
                let only = row.number == 1 && lists.count == 1 ? lists.first : nil
                let isEmpty = try only.map { try writes.coinCount(on: $0.id) == 0 } ?? false
                var list: Watchlist
                if isEmpty, let only {
                    list = only.name == name ? only : try writes.renameWatchlist(only.id, to: name, of: user)
                } else if let existing {
                    list = existing
                } else {
                    try Self.checkLists(lists, field: "name")
                    try Self.checkName(name, among: lists)
                    let position = (lists.map(\.position).max() ?? -1) + 1
                    list = try writes.addWatchlist(name, of: user, at: position)
                }
                context.setID(list.id, of: "list/\(user)/\(draft.id)")
                let (added, why) = try Self.add(coins, to: list, context.now, of: user, in: writes)
                if isEmpty || existing == nil {
                    if list.sort != sort { try writes.setSort(sort, of: list.id) }
                    if draft.showsTotals { list = try writes.showTotals(true, of: list.id, for: user) }
                }
                writes.publish(Topic.watchlist(user))
                if existing == nil { return TransferResult(.added, why: why) }
                return TransferResult(added > 0 ? .updated : .unchanged, why: why)
            }
        }
    }

    private static func add(
        _ coins: [StoredItem], to list: Watchlist, _ now: Date, of user: UserID, in writes: Writes
    ) throws -> (added: Int, why: String?) {
        var (added, refused, why): (Int, Int, String?) = (0, 0, nil)
        var known = Set(try writes.coinIds(on: list.id))
        var position = try writes.nextPosition(
            on: list.id, ignoringAbove: WatchlistStore.maximumPosition - limit)
        for coin in coins.sorted(by: { $0.item.sortOrder < $1.item.sortOrder })
        where known.insert(coin.item.coinId).inserted {
            do {
                try checkRoom(for: coin.item.coinId, on: list.id, of: user, writes)
                let item = try WatchlistItem(
                    coinId: coin.item.coinId, dateAdded: min(coin.item.dateAdded, now), sortOrder: position)
                try writes.addItem(
                    StoredItem(
                        item: item, symbol: try OwnText.line(coin.symbol, field: "symbol", limit: 64),
                        name: try OwnText.line(coin.name, field: "name", limit: 200)), to: list.id)
                (added, position) = (added + 1, position + 1)
            } catch let error as RoostError {
                (refused, why) = (refused + 1, error.message)
            }
        }
        return (added, why.map { "\(refused) coins were skipped: \($0)" })
    }

    // MARK: Notes, holdings and wallets

    private var notesPart: TransferPart {
        TransferPart("coin-notes") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let notes = try reads.coinNotes(of: user).sorted { $0.key < $1.key }
            let lines = try notes.map { coin, note in
                var fields = TransferFields(note)
                fields.values["coinId"] = .text(coin)
                return try TransferLine.json(fields)
            }
            return TransferPart.all(lines, after: key)
        } merge: { row in
            let user = try row.user
            let fields = try row.decode(TransferFields.self)
            let draft: CoinNote = try fields.record()
            let note = try CoinNote(note: draft.note, category: draft.category)
            guard let coin = fields.text("coinId"), WatchlistItem.isPossible(coin) else {
                throw RoostError.file("“coinId” has an invalid value.")
            }
            return { writes in
                if let existing = try writes.coinNote(of: coin, of: user) {
                    return existing == note ? .unchanged : .skipped("You already have a note for this coin.")
                }
                guard try writes.noteCount(of: user, besides: coin) < Self.noteLimit else {
                    throw Self.tooManyNotes
                }
                guard !note.isEmpty else { return .unchanged }
                try writes.setNote(note, of: coin, for: user)
                writes.publish(Topic.watchlist(user))
                return .added
            }
        }
    }

    /// Equal rows are counted: two purchases can be equal, but importing a file twice adds nothing.
    private var holdingsPart: TransferPart {
        TransferPart("holdings") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let holdings = try reads.holdings(of: user)
            return TransferPart.all(
                try holdings.map { try TransferLine.json(TransferFields($0.details)) }, after: key)
        } merge: { row in
            let (user, context) = (try row.user, row.context)
            let draft: NewHolding = try row.decode(TransferFields.self).record()
            let holding = try NewHolding(
                coinId: draft.coinId, amount: draft.amount, price: draft.price, currency: draft.currency,
                boughtOn: draft.boughtOn, note: draft.note)
            let earlier = context.count(["\(user)", "holding", "\(holding)"])
            return { writes in
                let equal = try writes.holdings(of: user, coin: holding.coinId).count {
                    $0.details == holding
                }
                guard equal <= earlier else { return .unchanged }
                try Self.checkHoldings(with: holding.coinId, of: user, adding: 1, writes)
                try writes.addHolding(holding, for: user)
                writes.publish(Topic.watchlist(user))
                return .added
            }
        }
    }

    private var walletsPart: TransferPart {
        TransferPart("wallets") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let wallets = try reads.wallets(of: user)
            return TransferPart.all(
                try wallets.map { try TransferLine.json(TransferFields($0.details)) }, after: key)
        } merge: { row in
            let (user, context) = (try row.user, row.context)
            let draft: NewWallet = try row.decode(TransferFields.self).record()
            let wallet = try NewWallet(coinId: draft.coinId, address: draft.address, label: draft.label)
            let earlier = context.count(["\(user)", "wallet", "\(wallet)"])
            return { writes in
                let equal = try writes.wallets(of: user, coin: wallet.coinId).count { $0.details == wallet }
                guard equal <= earlier else { return .unchanged }
                try Self.checkWallets(of: user, adding: 1, writes)
                _ = try writes.addWallet(wallet, for: user)
                writes.publish(Topic.watchlist(user))
                return .added
            }
        }
    }
}
