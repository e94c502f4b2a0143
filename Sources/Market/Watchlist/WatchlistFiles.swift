package import RoostSupport
import TextFormats

/// Lists and holdings as CSV files, from elsewhere and to elsewhere.
package struct WatchlistFiles: Sendable {
    package enum Content: String, CaseIterable, Sendable {
        case list, holdings
    }

    /// What an import did, row by row where it did not.
    package struct Report: Equatable, Sendable {
        package struct Failure: Equatable, Sendable {
            /// The line in the file, from 1.
            package let row: Int
            package let why: String

            package init(row: Int, why: String) {
                self.row = row
                self.why = why
            }
        }

        package let added, updated, unchanged: Int
        /// In the order of the rows.
        package let failures: [Failure]

        package init(added: Int, updated: Int, unchanged: Int, failures: [Failure]) {
            self.added = added
            self.updated = updated
            self.unchanged = unchanged
            self.failures = failures.sorted { $0.row < $1.row }
        }
    }

    private let watchlist: WatchlistService
    private let heavyWork: HeavyWorkQueue

    package init(watchlist: WatchlistService, heavyWork: HeavyWorkQueue) {
        self.watchlist = watchlist
        self.heavyWork = heavyWork
    }

    private var catalog: CoinCatalog { watchlist.catalog }

    /// RFC 4180, in UTF-8, with the columns named in the first line. Throws `RoostError.notFound` for a list that is not
    /// the user's.
    ///
    /// - Parameter list: the first one where none is named; of no meaning for holdings
    package func export(
        _ content: Content, of user: UserID, list: WatchlistID? = nil
    ) async throws -> [UInt8] {
        switch content {
        case .list:
            let contents = try await watchlist.store.contents(of: user, list)
            let rows = contents.items.map { stored in
                let note = contents.notes[stored.item.coinId] ?? .none
                return [
                    stored.item.coinId, stored.symbol,
                    catalog.coin(id: stored.item.coinId)?.name ?? stored.name, note.category, note.note,
                ]
            }
            return Self.csv([["coin_id", "symbol", "name", "category", "note"]] + rows)
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
                let heads = [
                    "coin_id", "symbol", "name", "amount", "price", "currency", "bought_on", "note",
                ]
                return Self.csv([heads] + rows)
            }
        }
    }

    private static func csv(_ rows: [[String]]) -> [UInt8] {
        rows.flatMap { Array(($0.map(CSV.written).joined(separator: ",") + "\r\n").utf8) }
    }

    /// Takes in what is not there yet, in one transaction: coins of a list with their categories and notes, or holdings.
    /// A coin is found by its id, and in a row without one by a symbol that no other coin has.
    ///
    /// Throws `RoostError.invalid(field: "file")` for what is no CSV file of coins, and `RoostError.unavailable` while
    /// the list of coins is not here.
    package func read(
        _ file: [UInt8], as content: Content, for user: UserID, list: WatchlistID? = nil
    ) async throws -> Report {
        await catalog.waitUntilLoaded(within: .seconds(5))
        guard catalog.count > 0 else {
            throw RoostError.unavailable(
                "The list of coins is not here yet. Please try again in a moment.", retryAfter: 15)
        }
        let report = try await heavyWork.run(for: user) {
            let read = try WatchlistFile(file, as: content)
            switch content {
            case .list:
                let list = try await watchlist.store.listId(of: user, list)
                let there = Set(try await watchlist.store.items(of: user, list).map(\.item.coinId))
                return try await takeIn(read, list: list, there: there, of: user)
            case .holdings:
                let there = Set(try await watchlist.holdings(of: user).map(\.coinId))
                return try await takeIn(read, there: there, of: user)
            }
        }
        if report.added + report.updated > 0 {
            watchlist.publish(user)
            let ids =
                try await content == .list
                ? watchlist.coinIds(of: user, list: list)
                : Set(watchlist.holdings(of: user).map(\.coinId))
            try await watchlist.wantNow(Array(ids), user)
        }
        return report
    }

    private func takeIn(
        _ file: WatchlistFile, list: WatchlistID, there: Set<String>, of user: UserID
    ) async throws -> Report {
        let (entries, failures) = entries(file, there: there) { row, coin in
            let note = try CoinNote(note: row[.note], category: row[.category])
            return WatchlistStore.ListEntry(
                line: row.line, coinId: coin.id, listed: coin.listed,
                note: row.said(.note) == nil ? nil : note.note,
                category: row.said(.category) == nil ? nil : note.category)
        }
        let now = watchlist.clock.now()
        let taken = try await watchlist.saving {
            try await watchlist.store.takeIn(entries, list: list, of: user, at: now)
        }
        return Report(
            added: taken.added, updated: taken.updated, unchanged: taken.unchanged,
            failures: file.failures + failures + taken.failures)
    }

    private func takeIn(
        _ file: WatchlistFile, there: Set<String>, of user: UserID
    ) async throws -> Report {
        let (entries, failures) = entries(file, there: there) { row, coin in
            let holding = try NewHolding(
                coinId: coin.id, amountText: file.numbers.plain(row.number(.amount), field: "amount"),
                priceText: file.numbers.plain(row.number(.price), field: "price"), currency: row[.currency],
                boughtOn: row[.boughtOn], note: row[.note])
            _ = try holding.currency.map(watchlist.known)
            return WatchlistStore.HoldingEntry(line: row.line, holding: holding)
        }
        let taken = try await watchlist.saving { try await watchlist.store.takeIn(entries, of: user) }
        return Report(
            added: taken.added, updated: 0, unchanged: taken.unchanged,
            failures: file.failures + failures + taken.failures)
    }

    /// What a row names: nothing of CoinGecko's where it is there already and CoinGecko lists it no more.
    private typealias NamedCoin = (id: String, listed: CoinListItem?)

    private func entries<Entry>(
        _ file: WatchlistFile, there: Set<String>,
        _ make: (WatchlistFile.Row, NamedCoin) throws -> Entry
    ) -> (entries: [Entry], failures: [Report.Failure]) {
        let column: WatchlistFile.Column = file.hasHeads ? .symbol : .id
        let symbols = catalog.coins(symbols: Set(file.rows.map { $0[column].trimmed.lowercased() }))
        var (entries, failures): ([Entry], [Report.Failure]) = ([], [])
        for row in file.rows {
            do {
                let coin = try coin(of: row, symbol: row[column], symbols, there: there, file.hasHeads)
                entries.append(try make(row, coin))
            } catch {
                let why = (error as? RoostError)?.message ?? (error as? WatchlistError)?.message
                failures.append(.init(row: row.line, why: why ?? "It could not be read."))
            }
        }
        return (entries, failures)
    }

    private func coin(
        of row: WatchlistFile.Row, symbol: String, _ symbols: [String: [CoinListItem]], there: Set<String>,
        _ hasHeads: Bool
    ) throws -> NamedCoin {
        let id = row[.id].trimmed
        for id in [id, id.lowercased()] where !id.isEmpty {
            if let coin = catalog.coin(id: id) { return (id, coin) }
            if there.contains(id) { return (id, nil) }
        }
        // An id that is known no more is not guessed at by its symbol.
        let words = hasHeads && !id.isEmpty ? id : symbol.trimmed
        guard !words.isEmpty else { throw Self.refusal("There is no coin in it.") }
        let named = String(words.unicodeScalars.prefix(60)).sanitized
        let found = hasHeads && !id.isEmpty ? [] : symbols[words.lowercased()] ?? []
        guard let coin = found.first else {
            throw Self.refusal("CoinGecko lists no coin “\(named)”.")
        }
        guard found.count == 1 else {
            throw Self.refusal(
                "“\(named)” is the symbol of \(found.count) coins: name the coin by its id.")
        }
        return (coin.id, coin)
    }

    private static func refusal(_ why: String) -> RoostError { .invalid(field: "file", why: why) }
}
