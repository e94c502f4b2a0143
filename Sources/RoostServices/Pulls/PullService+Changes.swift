import Foundation

/// What people do with their inbox.
extension PullService {
    /// Throws `RoostError.notFound` for a pull request that is not in the user's inbox, `.invalid(field: "until")` for
    /// a time that is past or more than a year ahead.
    package func mark(_ key: PullKey, _ mark: PullMark, for user: UserID) async throws {
        let now = clock.now()
        if case .snoozedUntil(let time) = mark {
            guard time > now else { throw RoostError.invalid(field: "until", why: "This time is past.") }
            guard time.timeIntervalSince(now) <= InboxSettings.maximumSnooze else {
                throw RoostError.invalid(field: "until", why: "A year ahead at most, please.")
            }
        }
        let sights = maker(for: user, accounts.accounts(of: user), at: now).accounts.compactMap { account in
            account.pulls.first { $0.key == key }
        }
        guard let sight = sights.first(where: { $0.value.isTurn }) ?? sights.first else {
            throw RoostError.notFound("This pull request is not in your inbox.")
        }
        try await settings.put(
            StoredMark(key: sight.key, mark: mark, seen: sight.value.digest, markedAt: now), for: user)
        publish(user)
        snoozed.fire()
    }

    /// Brings a pull request back. Throws `RoostError.notFound` when it is not put away.
    package func unmark(_ key: PullKey, for user: UserID) async throws {
        guard let mark = settings.marks(of: user)[key] else {
            throw RoostError.notFound("This pull request is not snoozed, muted or done.")
        }
        try await settings.remove([mark], of: user)
        publish(user)
    }

    package func choices(of user: UserID) -> PullChoices { settings.choices(of: user) }

    /// Throws `RoostError.invalid(field: "amberHours", "redHours" or "botLogins")`.
    package func choose(_ choices: PullChoices, for user: UserID) async throws {
        try await settings.choose(choices, for: user)
        for account in accounts.accounts(of: user) { pulls(of: account.id)?.setBots(choices.botLogins) }
        publish(user)
    }

    package func ownSections(of user: UserID) -> [OwnSection] { settings.sections(of: user) }

    /// Throws `RoostError.invalid(field: "name" or "query")`, `.conflict(field: "name")`.
    package func addSection(name: String, query: String, for user: UserID) async throws -> OwnSection {
        let section = try await settings.addSection(name: name, query: query, for: user)
        searchAnew(for: user)
        return section
    }

    /// Throws as `addSection`, and `RoostError.notFound`.
    package func changeSection(_ id: Int64, name: String, query: String, for user: UserID) async throws {
        let before = settings.sections(of: user).first { $0.id == id }
        try await settings.changeSection(id, name: name, query: query, for: user)
        let after = settings.sections(of: user).first { $0.id == id }
        if before?.query != after?.query { searchAnew(for: user) } else { publish(user) }
    }

    /// One place up (-1) or down (+1); stays where there is none. Throws `RoostError.notFound`.
    package func moveSection(_ id: Int64, by places: Int, for user: UserID) async throws {
        try await settings.moveSection(id, by: places, for: user)
        publish(user)
    }

    /// Throws `RoostError.notFound`.
    package func removeSection(_ id: Int64, of user: UserID) async throws {
        try await settings.removeSection(id, of: user)
        publish(user)
    }

    /// Another query finds other pull requests: GitHub is asked at once.
    private func searchAnew(for user: UserID) {
        for account in accounts.accounts(of: user) { refreshSoon(account.id) }
        publish(user)
    }
}
