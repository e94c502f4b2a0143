import Foundation
package import RoostSupport

/// What people do with their inbox.
extension PullService {
    private static let maximumSections = 20
    private static let maximumBots = 50

    /// Throws `RoostError.notFound` for a pull request that is not in the user's inbox, `.invalid(field: "until")` for
    /// a time that is past or more than a year ahead.
    package func mark(_ key: PullKey, _ mark: PullMark, for user: UserID) async throws {
        let now = clock.now()
        if let time = mark.until {
            guard time > now else { throw RoostError.invalid(field: "until", why: "This time is past.") }
            guard time.timeIntervalSince(now) <= StoredMark.maximumSnooze else {
                throw RoostError.invalid(field: "until", why: "A year ahead at most, please.")
            }
        }
        let sights = accounts.accounts(of: user).compactMap { account in
            let pulls = snapshot(account).pulls
            return pulls.index(forKey: key).map { pulls[$0] }
        }
        guard let sight = sights.first(where: { $0.value.isTurn }) ?? sights.first else {
            throw RoostError.notFound("This pull request is not in your inbox.")
        }
        let stored = StoredMark(
            key: sight.key, nodeId: sight.value.nodeId, mark: mark, seen: sight.value.digest, markedAt: now)
        try await saving { try await store.put(stored, for: user) }
        publishChange(of: user)
        snoozed.fire()
    }

    /// Brings a pull request back. Throws `RoostError.notFound` when it is not put away.
    package func unmark(_ key: PullKey, for user: UserID) async throws {
        let marks = try await saving { try await settings(of: user).marks }
        let index = PullMarkIndex(marks)
        let shown = accounts.accounts(of: user).compactMap { account in
            snapshot(account).pulls[key].flatMap { index.index(of: key, nodeId: $0.nodeId) }
        }.first
        // One that is not in sight has only its name.
        guard let found = shown.map({ marks[$0] }) ?? marks.first(where: { $0.key == key }),
            try await saving({ try await store.remove(found, of: user) })
        else {
            throw RoostError.notFound("This pull request is not snoozed, muted or done.")
        }
        publishChange(of: user)
    }

    /// Throws `RoostError.invalid(field: "amberHours", "redHours" or "botLogins")`.
    package func choose(_ choices: PullChoices, for user: UserID) async throws {
        guard (1...8_760).contains(choices.amberHours) else {
            throw RoostError.invalid(field: "amberHours", why: "Between 1 and 8,760 hours (a year), please.")
        }
        guard (choices.amberHours...8_760).contains(choices.redHours) else {
            throw RoostError.invalid(
                field: "redHours", why: "Must be between the amber threshold and 8,760 hours.")
        }
        try Self.check(botLogins: choices.botLogins)
        try await saving { try await store.choose(choices, for: user) }
        for account in accounts.accounts(of: user) { pulls(of: account.id)?.setBots(choices.botLogins) }
        publishChange(of: user)
    }

    /// Throws `RoostError.invalid(field: "name" or "query")`, `.conflict(field: "name")`.
    package func addSection(name: String, query: String, for user: UserID) async throws -> OwnSection {
        let (name, query) = try (Self.name(name), Self.query(query))
        let section = try await changeSections(of: user) { rows in
            guard try rows.all().count < Self.maximumSections else {
                throw RoostError.invalid(
                    field: "name", why: "There is room for \(Self.maximumSections) sections.")
            }
            try rows.add(name: name, query: query)
            guard let added = try rows.all().last else { throw Self.noSection }
            return added
        }
        searchAnew(for: user)
        return section
    }

    /// Throws as `addSection`, and `RoostError.notFound`.
    package func changeSection(_ id: Int64, name: String, query: String, for user: UserID) async throws {
        let (name, query) = try (Self.name(name), Self.query(query))
        let isOtherQuery = try await changeSections(of: user) { rows in
            let before = try rows.all().first { $0.id == id }
            guard try rows.change(id, name: name, query: query) else { throw Self.noSection }
            return before?.query != query
        }
        if isOtherQuery { searchAnew(for: user) } else { publishChange(of: user) }
    }

    /// One place up (-1) or down (+1); stays where there is none. Throws `RoostError.notFound`.
    package func moveSection(_ id: Int64, by places: Int, for user: UserID) async throws {
        try await changeSections(of: user) { rows in
            var ids = try rows.all().map(\.id)
            guard let place = ids.firstIndex(of: id) else { throw Self.noSection }
            let target = min(max(0, place + min(max(places, -ids.count), ids.count)), ids.count - 1)
            ids.insert(ids.remove(at: place), at: target)
            try rows.order(ids)
        }
        publishChange(of: user)
    }

    /// Throws `RoostError.notFound`.
    package func removeSection(_ id: Int64, of user: UserID) async throws {
        try await changeSections(of: user) { rows in
            guard try rows.remove(id) else { throw Self.noSection }
            try rows.order(rows.all().map(\.id))
        }
        publishChange(of: user)
    }

    private static let noSection = RoostError.notFound("There is no such section.")

    private func changeSections<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (SectionTransaction) throws -> Value
    ) async throws -> Value {
        try await saving { try await store.changeSections(of: user, change) }
    }

    /// Another query finds other pull requests: GitHub is asked at once.
    private func searchAnew(for user: UserID) {
        for account in accounts.accounts(of: user) { refreshSoon(account.id) }
        publishChange(of: user)
    }

    private static func name(_ text: String) throws -> String {
        let name = text.trimmed
        guard !name.isBlank else { throw RoostError.invalid(field: "name", why: "Please give it a name.") }
        guard name.unicodeScalars.count <= 64 else {
            throw RoostError.invalid(field: "name", why: "A name has 64 characters at most.")
        }
        guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw RoostError.invalid(field: "name", why: "A name is one line of text.")
        }
        return name
    }

    private static func query(_ text: String) throws -> String {
        let query = text.words.joined(separator: " ")
        guard !query.isBlank else {
            throw RoostError.invalid(field: "query", why: "Please say what to search for.")
        }
        guard query.unicodeScalars.count <= 256 else {
            throw RoostError.invalid(field: "query", why: "GitHub takes 256 characters at most.")
        }
        guard !query.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw RoostError.invalid(field: "query", why: "A query is one line of text.")
        }
        return query
    }

    /// As GitHub writes logins; a bot's may end with "[bot]".
    private static func check(botLogins: [String]) throws {
        guard botLogins.count <= maximumBots else {
            throw RoostError.invalid(field: "botLogins", why: "There is room for \(maximumBots) logins.")
        }
        for login in botLogins where login.wholeMatch(of: #/[A-Za-z0-9_.-]{1,39}(\[bot\])?/#) == nil {
            let shown = String(login.unicodeScalars.prefix(64)).sanitized
            throw RoostError.invalid(field: "botLogins", why: "“\(shown)” is not a GitHub login.")
        }
    }

    /// Turns the database's errors into words; errors that already are words pass.
    private func saving<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as RoostError {
            throw error
        } catch {
            log.error("The inbox could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error) ?? .unavailable("Couldn’t save. Please try again.")
        }
    }
}
