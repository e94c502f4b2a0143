import Foundation
package import RoostSupport
import TextFormats

extension PullService {
    static let maximumSections = 20

    /// Throws `RoostError.notFound` for a pull request that isn't in the user's inbox, `.invalid(field: "until")` for a
    /// time in the past or more than a year ahead.
    package func mark(_ key: PullKey, _ mark: PullMark, for user: UserID) async throws {
        let now = clock.now()
        if let time = mark.until {
            guard time > now else { throw RoostError.invalid(field: "until", why: "This time has passed.") }
            guard time.timeIntervalSince(now) <= StoredMark.maximumSnooze else {
                throw RoostError.invalid(field: "until", why: "Choose a time within a year.")
            }
        }
        let matches = accounts.accounts(of: user).compactMap { account in
            snapshot(account).pulls[key]
        }
        guard let match = matches.first(where: \.isTurn) ?? matches.first else {
            throw RoostError.notFound("This pull request is not in your inbox.")
        }
        let stored = StoredMark(
            key: match.key, nodeId: match.nodeId, mark: mark, seen: match.digest, markedAt: now)
        try await database.write { [self] writes in
            try writes.putPullMark(stored, of: user)
            publishChange(of: user, in: writes)
        }
        snoozed.fire()
    }

    /// Shows a pull request again. Throws `RoostError.notFound` if it isn't hidden.
    package func unmark(_ key: PullKey, for user: UserID) async throws {
        let marks = try await settings(of: user).marks
        let index = PullMarkIndex(marks)
        let shown = accounts.accounts(of: user).compactMap { account in
            snapshot(account).pulls[key].flatMap { index.index(of: key, nodeId: $0.nodeId) }
        }.first
        // A pull request that isn't loaded can only be found by name.
        guard let found = shown.map({ marks[$0] }) ?? marks.first(where: { $0.key == key }) else {
            throw Self.notHidden
        }
        try await database.write { [self] writes in
            guard try writes.removePullMark(found, of: user) else { throw Self.notHidden }
            publishChange(of: user, in: writes)
        }
    }

    private static let notHidden = RoostError.notFound("This pull request is not snoozed, muted or done.")

    /// Throws `RoostError.invalid(field: "amberHours", "redHours" or "botLogins")`.
    package func choose(_ choices: PullPreferences, for user: UserID) async throws {
        guard PullPreferences.hours.contains(choices.amberHours) else {
            throw RoostError.invalid(field: "amberHours", why: "Must be between 1 and 8,760 hours (a year).")
        }
        guard (choices.amberHours...PullPreferences.hours.upperBound).contains(choices.redHours) else {
            throw RoostError.invalid(
                field: "redHours", why: "Must be between the amber threshold and 8,760 hours.")
        }
        try Self.check(botLogins: choices.botLogins)
        try await database.write { [self] writes in
            try writes.setPreferences(choices, of: user)
            writes.afterCommit { [self] in
                for account in accounts.accounts(of: user) {
                    pulls(of: account.id)?.setBots(choices.botLogins)
                }
            }
            publishChange(of: user, in: writes)
        }
    }

    /// Remembers that a section is folded or open, and forgets removed sections. Throws `RoostError.invalid(field:
    /// "group")`.
    package func collapse(_ section: String, _ isCollapsed: Bool, for user: UserID) async throws {
        try await database.write { [self] writes in
            let own = try writes.pullSections(of: user).map { "own-\($0.id)" }
            let sections = Set(InboxSection.Kind.allCases.filter { $0 != .own }.map(\.rawValue) + own)
            guard sections.contains(section) else {
                throw RoostError.invalid(field: "group", why: "There is no such section.")
            }
            var choices = try writes.preferences(PullPreferences.self, of: user)
            choices.collapsed.formIntersection(sections)
            if isCollapsed { choices.collapsed.insert(section) } else { choices.collapsed.remove(section) }
            try writes.setPreferences(choices, of: user)
            publishChange(of: user, in: writes)
        }
    }

    /// Throws `RoostError.invalid(field: "name" or "query")`, `.conflict(field: "name")`.
    package func addSection(name: String, query: String, for user: UserID) async throws -> OwnSection {
        let (name, query) = try Self.checkedSection(name: name, query: query)
        return try await database.write { [self] writes in
            guard try writes.pullSections(of: user).count < Self.maximumSections else {
                throw RoostError.invalid(
                    field: "name", why: "You can have at most \(Self.maximumSections) sections.")
            }
            try writes.addPullSection(name: name, query: query, of: user)
            guard let added = try writes.pullSections(of: user).last else { throw Self.noSection }
            refreshSearches(of: user, in: writes)
            return added
        }
    }

    /// Throws the errors of `addSection`, and `RoostError.notFound`.
    package func changeSection(_ id: Int64, name: String, query: String, for user: UserID) async throws {
        let (name, query) = try Self.checkedSection(name: name, query: query)
        try await database.write { [self] writes in
            let before = try writes.pullSections(of: user).first { $0.id == id }
            guard try writes.changePullSection(id, name: name, query: query, of: user) else {
                throw Self.noSection
            }
            if before?.query != query {
                refreshSearches(of: user, in: writes)
            } else {
                publishChange(of: user, in: writes)
            }
        }
    }

    /// Moves a section up (-1) or down (+1), within the list. Throws `RoostError.notFound`.
    package func moveSection(_ id: Int64, by offset: Int, for user: UserID) async throws {
        try await database.write { [self] writes in
            var ids = try writes.pullSections(of: user).map(\.id)
            guard let index = ids.firstIndex(of: id) else { throw Self.noSection }
            let target = min(max(0, index + min(max(offset, -ids.count), ids.count)), ids.count - 1)
            ids.insert(ids.remove(at: index), at: target)
            try writes.orderPullSections(ids, of: user)
            publishChange(of: user, in: writes)
        }
    }

    /// Throws `RoostError.notFound`.
    package func removeSection(_ id: Int64, of user: UserID) async throws {
        try await database.write { [self] writes in
            guard try writes.removePullSection(id, of: user) else { throw Self.noSection }
            try writes.orderPullSections(writes.pullSections(of: user).map(\.id), of: user)
            publishChange(of: user, in: writes)
        }
    }

    private static let noSection = RoostError.notFound("There is no such section.")

    func refreshSearches(of user: UserID, in writes: Writes) {
        writes.afterCommit { [self] in
            for account in accounts.accounts(of: user) { refreshSoon(account.id) }
        }
        publishChange(of: user, in: writes)
    }

    /// Of a section, in code points.
    package static let (maximumName, maximumQuery) = (64, 256)

    static func checkedSection(name: String, query: String) throws -> (name: String, query: String) {
        (try self.name(name), try self.query(query))
    }

    private static func name(_ text: String) throws -> String {
        let name = text.trimmed
        guard !name.isBlank else { throw RoostError.invalid(field: "name", why: "Enter a name.") }
        guard name.unicodeScalars.count <= maximumName else {
            throw RoostError.invalid(
                field: "name", why: "A name can have at most \(maximumName) characters.")
        }
        guard !name.unicodeScalars.contains(where: \.isControl) else {
            throw RoostError.invalid(field: "name", why: "A name must be one line.")
        }
        return name
    }

    private static func query(_ text: String) throws -> String {
        let query = text.words.joined(separator: " ")
        guard !query.isBlank else {
            throw RoostError.invalid(field: "query", why: "Enter a search.")
        }
        guard query.unicodeScalars.count <= maximumQuery else {
            throw RoostError.invalid(
                field: "query", why: "A search can have at most \(maximumQuery) characters.")
        }
        guard !query.unicodeScalars.contains(where: \.isControl) else {
            throw RoostError.invalid(field: "query", why: "A search must be one line.")
        }
        return query
    }

    private static func check(botLogins: [String]) throws {
        let maximum = PullPreferences.maximumBots
        guard botLogins.count <= maximum else {
            throw RoostError.invalid(field: "botLogins", why: "You can list at most \(maximum) logins.")
        }
        for login in botLogins where !PullPreferences.isLogin(login) {
            let shown = String(login.unicodeScalars.prefix(64)).sanitized
            throw RoostError.invalid(field: "botLogins", why: "“\(shown)” is not a GitHub login.")
        }
    }
}
