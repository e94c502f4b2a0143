package import RoostSupport

/// A user's lists, and how they look. What is not the user's is not there: `RoostError.notFound`.
extension WatchlistService {
    /// In their order; never empty for a user who is there.
    package func lists(of user: UserID) async throws -> [Watchlist] { try await store.lists(of: user) }

    /// Throws `RoostError.notFound` for a list that is not the user's.
    package func list(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        guard let list = try await lists(of: user).first(where: { $0.id == id }) else {
            throw WatchlistStore.unknownList
        }
        return list
    }

    /// Adds an empty list behind the others.
    ///
    /// Throws `RoostError.invalid(field: "name")`, and `RoostError.conflict` where the user has one of this name.
    @discardableResult
    package func addList(name: String, for user: UserID) async throws -> Watchlist {
        let name = try Self.listName(name)
        return try await changing(user) { try await store.addList(name, of: user) }
    }

    /// Throws as `addList`.
    @discardableResult
    package func renameList(_ id: WatchlistID, to name: String, for user: UserID) async throws -> Watchlist {
        let name = try Self.listName(name)
        return try await changing(user) { try await store.rename(id, to: name, of: user) }
    }

    /// Moves a list one place; at the end it stays.
    package func moveList(_ id: WatchlistID, _ direction: Direction, for user: UserID) async throws {
        try await changing(user) {
            try await store.moveList(id, by: direction == .up ? -1 : 1, of: user)
        }
    }

    /// Whether walls may show what the list is worth.
    @discardableResult
    package func showTotals(
        _ shows: Bool, of id: WatchlistID, for user: UserID
    ) async throws -> Watchlist {
        try await changing(user) { try await store.showTotals(shows, of: id, user: user) }
    }

    /// Removes a list with its coins; `undoRemoveList` brings it back, for a day.
    ///
    /// Throws `RoostError.conflict` for the last one.
    @discardableResult
    package func removeList(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        let removed = try await changing(user) {
            try await store.removeList(id, of: user, at: clock.now())
        }
        undos.note(.list(id), lasting: WatchlistStore.undoSeconds)
        return removed
    }

    /// Brings a removed list back to its place with its coins, for a day.
    @discardableResult
    package func undoRemoveList(_ id: WatchlistID, of user: UserID) async throws -> Watchlist {
        let date = undos.dateToJudge(.list(id))
        let restored = try await changing(user) { try await store.restoreList(id, of: user, at: date) }
        prices.want(in: try await currency(of: user))
        return restored
    }

    /// How the user wants lists to look.
    package func choices(of user: UserID) async throws -> WatchlistChoices {
        try await store.choices(of: user)
    }

    /// Columns stand in the order in which they are named, each once.
    ///
    /// Throws `RoostError.invalid(field: "currency")` for one that CoinGecko does not know.
    package func setChoices(_ choices: WatchlistChoices, for user: UserID) async throws {
        var choices = choices
        var seen: Set<WatchlistColumn> = []
        choices.columns = choices.columns.filter { seen.insert($0).inserted }
        if let currency = choices.currency {
            choices.currency = try known(currency)
        }
        try await changing(user) { [choices] in try await store.setChoices(choices, for: user) }
        prices.want(in: choices.currency ?? prices.currency)
    }

    /// The code as CoinGecko writes it.
    ///
    /// Throws `RoostError.invalid(field: "currency")` for one that it does not know.
    package func known(_ currency: String) throws -> String {
        guard currencies.contains(currency) else {
            throw RoostError.invalid(field: "currency", why: "CoinGecko gives no prices in this currency.")
        }
        return Currency.code(currency)
    }

    /// Saves a change, and tells those who look.
    func changing<Value>(_ user: UserID, _ work: () async throws -> Value) async throws -> Value {
        let value = try await saving(work)
        publish(user)
        return value
    }

    private static func listName(_ name: String) throws -> String {
        let name = try OwnText.line(name, field: "name", limit: 64)
        guard !name.isBlank else {
            throw RoostError.invalid(field: "name", why: "The list needs a name.")
        }
        return name
    }
}
