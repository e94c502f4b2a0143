import Foundation
import GRDB
import RoostSupport
import TextFormats

/// Lists and choices.
extension WatchlistStore {
    /// More tabs than this are no order any more.
    static let listCount = 50

    func lists(of user: UserID) async throws -> [Watchlist] {
        try await database.fetch { try Self.lists(of: user, in: $0) }
    }

    /// Adds a list behind the others.
    func addList(_ name: String, of user: UserID) async throws -> Watchlist {
        try await database.write { database in
            let lists = try Self.lists(of: user, in: database)
            guard lists.count < Self.listCount else {
                throw RoostError.invalid(field: "name", why: "There can be \(Self.listCount) lists at most.")
            }
            try Self.checkName(name, among: lists)
            try database.execute(
                sql: "INSERT INTO watchlists (user_id, name, place) VALUES (?, ?, ?)",
                arguments: [user, name, (lists.map(\.place).max() ?? -1) + 1])
            return try Self.list(database.lastInsertedRowID, of: user, in: database)
        }
    }

    func rename(_ id: WatchlistID, to name: String, of user: UserID) async throws -> Watchlist {
        try await database.write { database in
            let lists = try Self.lists(of: user, in: database)
            guard lists.contains(where: { $0.id == id }) else { throw Self.unknownList }
            try Self.checkName(name, among: lists.filter { $0.id != id })
            return try Self.change(id, of: user, "name = ?", [name], in: database)
        }
    }

    func showTotals(_ shows: Bool, of id: WatchlistID, user: UserID) async throws -> Watchlist {
        try await database.write {
            try Self.change(id, of: user, "shows_totals = ?", [shows], in: $0)
        }
    }

    /// Moves a list by so many places; at the end it stays.
    func moveList(_ id: WatchlistID, by step: Int, of user: UserID) async throws {
        try await database.write { database in
            var order = try Self.lists(of: user, in: database).map(\.id)
            guard let place = order.firstIndex(of: id) else { throw Self.unknownList }
            guard order.indices.contains(place + step) else { return }
            order.swapAt(place, place + step)
            for (place, id) in order.enumerated() {
                _ = try Self.change(id, of: user, "place = ?", [place], in: database)
            }
        }
    }

    /// Takes the list away for a day, and for good what was taken away before it. The last one stays.
    func removeList(_ id: WatchlistID, of user: UserID, at now: Date) async throws -> Watchlist {
        try await database.write { database in
            let list = try Self.list(id, of: user, in: database)
            guard try Self.lists(of: user, in: database).count > 1 else {
                throw RoostError.conflict(
                    field: "list", why: "This is your only list. Add another one before you remove it.")
            }
            _ = try Self.take(id, from: "watchlists", of: user, at: now, in: database)
            return list
        }
    }

    /// Throws `RoostError.notFound` for a list that was not removed, or not lately.
    func restoreList(_ id: WatchlistID, of user: UserID, at now: Date) async throws -> Watchlist {
        try await database.write { database in
            guard try Self.lists(of: user, in: database).count < Self.listCount else {
                throw RoostError.invalid(field: "list", why: "There can be \(Self.listCount) lists at most.")
            }
            guard try Self.bringBack(id, to: "watchlists", of: user, at: now, in: database) else {
                throw Self.unknownList
            }
            try Self.checkCount(try Self.coinCount(of: user, in: database))
            return try Self.list(id, of: user, in: database)
        }
    }

    func choices(of user: UserID) async throws -> WatchlistChoices {
        try await database.fetch { try Self.choices(of: user, in: $0) }
    }

    func setChoices(_ choices: WatchlistChoices, for user: UserID) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO watchlist_choices (user_id, columns, density, red_is_up, currency)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, choices.columns.map(\.rawValue).joined(separator: ","), choices.density.rawValue,
                    choices.redIsUp, choices.currency,
                ])
        }
    }

    static func lists(of user: UserID, in database: GRDB.Database) throws -> [Watchlist] {
        try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, user_id, name, place, sort, shows_totals FROM watchlists
                    WHERE user_id = ? AND removed_at IS NULL ORDER BY place, id
                    """), arguments: [user]
        ).readable(list)
    }

    static func listId(
        of user: UserID, _ id: WatchlistID?, in database: GRDB.Database
    ) throws -> WatchlistID {
        let lists = try lists(of: user, in: database)
        guard let list = id == nil ? lists.first : lists.first(where: { $0.id == id }) else {
            throw unknownList
        }
        return list.id
    }

    static func choices(of user: UserID, in database: GRDB.Database) throws -> WatchlistChoices {
        try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT columns, density, red_is_up, currency FROM watchlist_choices WHERE user_id = ?"),
            arguments: [user]
        ).readable(choices).first ?? WatchlistChoices()
    }

    static func list(_ row: Row) throws -> Watchlist {
        Watchlist(
            id: try row.id("id"), userId: try row.id("user_id"), name: try row.text("name"),
            place: try row.number("place", in: 0...lastPlace), sort: try row.choice("sort"),
            showsTotals: try row.number("shows_totals", in: 0...1) == 1)
    }

    static func choices(_ row: Row) throws -> WatchlistChoices {
        let names = try row.text("columns").splitBytes(at: ",").filter { !$0.isEmpty }
        let columns = try names.map { name in
            guard let column = WatchlistColumn(rawValue: String(name)) else {
                throw ImpossibleValue(column: "columns")
            }
            return column
        }
        let currency = try row.textIfPresent("currency")
        guard currency.map(Currency.isCode) ?? true else { throw ImpossibleValue(column: "currency") }
        return WatchlistChoices(
            columns: columns, density: try row.choice("density"),
            redIsUp: try row.number("red_is_up", in: 0...1) == 1, currency: currency)
    }

    private static func list(
        _ id: WatchlistID, of user: UserID, in database: GRDB.Database
    ) throws -> Watchlist {
        guard let list = try lists(of: user, in: database).first(where: { $0.id == id }) else {
            throw unknownList
        }
        return list
    }

    private static func change(
        _ id: WatchlistID, of user: UserID, _ what: String, _ arguments: StatementArguments,
        in database: GRDB.Database
    ) throws -> Watchlist {
        try database.execute(
            sql: "UPDATE watchlists SET \(what) WHERE id = ? AND user_id = ? AND removed_at IS NULL",
            arguments: arguments + [id, user])
        return try list(id, of: user, in: database)
    }

    private static func checkName(_ name: String, among lists: [Watchlist]) throws {
        let folded = FoldedText(lines: [name])
        guard !lists.contains(where: { FoldedText(lines: [$0.name]) == folded }) else {
            throw RoostError.conflict(field: "name", why: "You have a list of this name already.")
        }
    }
}
