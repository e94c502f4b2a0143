import Foundation
package import RoostSupport
import TextFormats

/// Imports and exports lists and holdings as CSV files.
package struct WatchlistFiles: Sendable {
    package enum Content: String, CaseIterable, Sendable {
        case list, holdings
    }

    package static let rules = WatchlistFile.rules

    private struct ListEntry: Sendable {
        let coinId: String
        /// Nil only for a coin that is already on the list.
        let listed: CoinListItem?
        /// Nil if the file has no text.
        let note, category: String?
    }

    private let watchlist: WatchlistService
    private let heavyWork: HeavyWorkQueue

    package init(watchlist: WatchlistService, heavyWork: HeavyWorkQueue) {
        self.watchlist = watchlist
        self.heavyWork = heavyWork
    }

    private var catalog: CoinCatalog { watchlist.catalog }

    /// Exports RFC 4180 CSV in UTF-8, with a heading line. Throws `RoostError.notFound` for another user's list.
    ///
    /// - Parameter list: nil for the first list; ignored for holdings
    package func export(
        _ content: Content, of user: UserID, list: WatchlistID? = nil
    ) async throws -> [UInt8] {
        switch content {
        case .list:
            let contents = try await watchlist.database.read { try $0.watchlistContents(list, of: user) }
            let rows = contents.items.map { stored in
                let note = contents.notes[stored.item.coinId] ?? .none
                return [
                    stored.item.coinId, stored.symbol,
                    catalog.coin(id: stored.item.coinId)?.name ?? stored.name, note.category, note.note,
                ]
            }
            return ([["coin_id", "symbol", "name", "category", "note"]] + rows).flatMap(CSV.line)
        case .holdings:
            let holdings = try await watchlist.holdings(of: user)
            return try await heavyWork.run(for: user, rows: holdings.count) {
                let rows = holdings.map { holding in
                    let coin = catalog.coin(id: holding.coinId)
                    return [
                        holding.coinId, coin?.symbol ?? "", coin?.name ?? "", holding.amount.plainText,
                        holding.price?.plainText ?? "", holding.currency ?? "", holding.boughtOn ?? "",
                        holding.note,
                    ]
                }
                let header = [
                    "coin_id", "symbol", "name", "amount", "price", "currency", "bought_on", "note",
                ]
                return ([header] + rows).flatMap(CSV.line)
            }
        }
    }

    /// Imports coins of a list with categories and notes, or holdings, in one transaction. Adds only what is not there
    /// yet; categories and notes in the file replace existing ones. Rows without a coin id are matched by symbol. The
    /// symbol of several coins means the one that is much larger than the others.
    ///
    /// Throws `RoostError.invalid(field: "file")` if it is not a CSV file of coins, and `RoostError.unavailable` until
    /// the list of coins is loaded.
    package func read(
        _ file: [UInt8], as content: Content, for user: UserID, list: WatchlistID? = nil
    ) async throws -> ImportReport {
        await catalog.waitUntilLoaded(within: .seconds(5))
        guard catalog.count > 0 else {
            throw RoostError.unavailable(
                "The coin list is still loading. Please try again in a moment.", retryAfter: 15)
        }
        let report = try await heavyWork.run(for: user) {
            let file = try WatchlistFile(file, as: content)
            switch content {
            case .list:
                let (list, existing) = try await watchlist.database.read { reads in
                    let list = try reads.watchlist(list, of: user).id
                    return (list, Set(try reads.coinIds(on: list)))
                }
                let entries = entries(file, existing: existing) { row, coin in
                    let note = try CoinNote(note: row[.note], category: row[.category])
                    return ListEntry(
                        coinId: coin.id, listed: coin.listed, note: row[.note].isBlank ? nil : note.note,
                        category: row[.category].isBlank ? nil : note.category)
                }
                let now = watchlist.clock.now()
                return try await write(for: user) { writes in
                    try Self.add(entries, to: writes.watchlist(list, of: user).id, of: user, at: now, writes)
                }
            case .holdings:
                let existing = Set(try await watchlist.holdings(of: user).map(\.coinId))
                let holdings = entries(file, existing: existing) { row, coin in
                    if let kind = row.otherKind {
                        throw RoostError.file(
                            "Only purchases are imported. This row is “\(String(kind.prefix(40)).sanitized)”."
                        )
                    }
                    let amount = try file.numbers.plain(row.number(.amount), field: "amount")
                    let holding = try NewHolding(
                        coinId: coin.id, amountText: amount,
                        priceText: row.price(file.numbers, amount: amount),
                        currency: row.priceCurrency, boughtOn: row.boughtOn, note: row[.note])
                    _ = try holding.currency.map(watchlist.supportedCurrency)
                    return holding
                }
                return try await write(for: user) { try Self.add(holdings, of: user, $0) }
            }
        }
        if report.hasChanges {
            let ids =
                try await content == .list
                ? watchlist.coinIds(of: user, list: list)
                : Set(watchlist.holdings(of: user).map(\.coinId))
            try await watchlist.watchPrices(of: Array(ids), for: user)
        }
        return report
    }

    /// Adds coins that are not on the list yet at its end. Notes and categories in the file replace existing ones;
    /// missing ones leave them unchanged.
    private static func add(
        _ entries: FileImport<ListEntry>, to list: WatchlistID, of user: UserID, at now: Date,
        _ writes: Writes
    ) throws -> ImportReport {
        var present = Set(try writes.coinIds(on: list))
        var coins = try writes.coinIds(of: user)
        var notes = try writes.coinNotes(of: user)
        var position = try writes.nextPosition(
            on: list, ignoringAbove: WatchlistStore.maximumPosition - WatchlistService.limit - 1)
        return try entries.report { entry, problems in
            let isNew = !present.contains(entry.coinId)
            if isNew {
                guard let coin = entry.listed else { return .refused(unknownCoin(entry.coinId)) }
                guard present.count < WatchlistService.limit else {
                    return .refused(WatchlistService.fullList)
                }
                guard coins.contains(coin.id) || coins.count < WatchlistService.coinLimit else {
                    return .refused(WatchlistService.tooManyCoins)
                }
                let item = try WatchlistItem(coinId: coin.id, dateAdded: now, sortOrder: position)
                try writes.addItem(StoredItem(item: item, symbol: coin.symbol, name: coin.name), to: list)
                position += 1
                present.insert(coin.id)
                coins.insert(coin.id)
            }
            let old = notes[entry.coinId] ?? .none
            let new = try CoinNote(note: entry.note ?? old.note, category: entry.category ?? old.category)
            guard new != old else { return isNew ? .added : .unchanged }
            if old.isEmpty, notes.count >= WatchlistService.noteLimit {
                guard isNew else { return .refused(WatchlistService.tooManyNotes) }
                problems.append(WatchlistService.tooManyNotes.message)
                return .added
            }
            try writes.setNote(new, of: entry.coinId, for: user)
            notes[entry.coinId] = new
            return isNew ? .added : .updated
        }
    }

    /// Adds holdings that are not there yet. Equal rows are counted, so that importing a file twice adds nothing.
    private static func add(
        _ entries: FileImport<NewHolding>, of user: UserID, _ writes: Writes
    ) throws -> ImportReport {
        let holdings = try writes.holdings(of: user)
        var existing = holdings.reduce(into: [:]) { $0[$1.details, default: 0] += 1 }
        var coins = try writes.coinIds(of: user)
        var count = holdings.count
        return try entries.report { holding, _ in
            if let remaining = existing[holding], remaining > 0 {
                existing[holding] = remaining - 1
                return .unchanged
            }
            guard count < WatchlistService.holdingLimit else {
                return .refused(WatchlistService.tooManyHoldings)
            }
            guard coins.contains(holding.coinId) || coins.count < WatchlistService.coinLimit else {
                return .refused(WatchlistService.tooManyCoins)
            }
            try writes.addHolding(holding, for: user)
            coins.insert(holding.coinId)
            count += 1
            return .added
        }
    }

    private func write(
        for user: UserID, _ work: @escaping @Sendable (Writes) throws -> ImportReport
    ) async throws -> ImportReport {
        try await watchlist.database.write { writes in
            let report = try work(writes)
            if report.hasChanges { writes.publish(Topic.watchlist(user)) }
            return report
        }
    }

    /// A row's coin; `listed` is nil if the user already has the coin and CoinGecko no longer lists it.
    private typealias NamedCoin = (id: String, listed: CoinListItem?)

    private func entries<Entry: Sendable>(
        _ file: WatchlistFile, existing: Set<String>,
        _ make: (WatchlistFile.Row, NamedCoin) throws -> Entry
    ) -> FileImport<Entry> {
        let symbols = catalog.coins(symbols: Set(file.rows.drafts.map { $0.symbol.lowercased() }))
        return file.rows.map { row throws(RoostError) in
            do {
                let coin = try coin(of: row, symbols, existing: existing)
                return try make(row, coin)
            } catch {
                throw error as? RoostError
                    ?? .file((error as? WatchlistError)?.message ?? "It could not be read.")
            }
        }
    }

    private func coin(
        of row: WatchlistFile.Row, _ symbols: [String: [RankedCoin]], existing: Set<String>
    ) throws -> NamedCoin {
        if let why = row.otherAsset { throw RoostError.file(why) }
        let id = row[.id].trimmed
        let possible = id.isEmpty ? row[.coin].trimmed : id
        for id in [possible, possible.lowercased()] where !id.isEmpty {
            if let coin = catalog.coin(id: id) { return (id, coin) }
            if existing.contains(id) { return (id, nil) }
        }
        // A row with an unknown id is not matched by its symbol.
        let text = id.isEmpty ? row.symbol : id
        guard !text.isEmpty else { throw RoostError.file("The row names no coin.") }
        let named = String(text.unicodeScalars.prefix(60)).sanitized
        let found = id.isEmpty ? symbols[text.lowercased()] ?? [] : []
        guard let coin = Self.largest(found, existing: existing) else {
            if found.isEmpty { throw Self.unknownCoin(named) }
            let ids = found.prefix(Self.maximumIDs).map(\.coin.id).joined(separator: ", ")
            let more = found.count > Self.maximumIDs ? ", and others" : ""
            throw RoostError.file(
                "“\(named)” is the symbol of \(found.count) coins. Use the coin’s id: \(ids)\(more).")
        }
        return (coin.id, coin)
    }

    /// Of coins that a refusal names.
    private static let maximumIDs = 5
    /// The largest coin is meant if the next one's rank is at least this many times as high.
    private static let clearLead = 3

    /// The coin that people mean by a symbol: the only one, the only one that the user has, or a much larger one than
    /// the others.
    ///
    /// - Parameter coins: with the same symbol, largest first
    static func largest(_ coins: [RankedCoin], existing: Set<String>) -> CoinListItem? {
        guard let first = coins.first, coins.count > 1 else { return coins.first?.coin }
        let known = coins.filter { existing.contains($0.coin.id) }
        if known.count == 1 { return known[0].coin }
        guard let rank = first.rank, known.isEmpty else { return nil }
        guard let next = coins[1].rank else { return first.coin }
        return next >= rank * clearLead ? first.coin : nil
    }

    private static func unknownCoin(_ name: String) -> RoostError {
        .file("CoinGecko has no coin “\(name)”.")
    }
}
