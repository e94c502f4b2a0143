import Foundation
import Logging
import Synchronization

/// Everybody's marks, choices and own sections: in memory, and on disk before they are in memory.
final class InboxSettings: Sendable {
    /// Seconds that a snooze may last at most: a year.
    static let maximumSnooze: TimeInterval = 366 * 86_400
    static let maximumSections = 20
    static let maximumBots = 50

    private let store: PullStore
    private let log: Logger
    private let stored = Mutex<[UserID: PullStore.StoredSettings]>([:])

    init(store: PullStore, log: Logger) {
        self.store = store
        self.log = log
    }

    func load() async throws {
        let all = try await store.all()
        stored.withLock { $0 = all }
    }

    func forget(_ user: UserID) { stored.withLock { $0[user] = nil } }

    func marks(of user: UserID) -> [PullKey: StoredMark] { stored.withLock { $0[user]?.marks ?? [:] } }
    func choices(of user: UserID) -> PullChoices { stored.withLock { $0[user]?.choices ?? PullChoices() } }
    func sections(of user: UserID) -> [OwnSection] { stored.withLock { $0[user]?.sections ?? [] } }

    /// When the next snooze of anybody ends.
    var nextEnd: Date? {
        stored.withLock { stored in
            stored.values.lazy.flatMap(\.marks.values).compactMap { mark in
                if case .snoozedUntil(let time) = mark.mark { time } else { nil }
            }.min()
        }
    }

    /// Who has marks at all.
    var users: [UserID] { stored.withLock { stored in stored.filter { !$0.value.marks.isEmpty }.map(\.key) } }

    func put(_ mark: StoredMark, for user: UserID) async throws {
        try await saving {
            try await store.put(mark, for: user) { [self] in
                stored.withLock { $0[user, default: .init()].marks[mark.key] = mark }
            }
        }
    }

    func remove(_ marks: [StoredMark], of user: UserID) async throws {
        try await saving {
            try await store.remove(marks, of: user) { [self] in
                stored.withLock { stored in
                    for mark in marks {
                        guard let known = stored[user]?.marks[mark.key], known.markedAt <= mark.markedAt
                        else {
                            continue
                        }
                        stored[user]?.marks[mark.key] = nil
                    }
                }
            }
        }
    }

    func choose(_ choices: PullChoices, for user: UserID) async throws {
        guard (1...8_760).contains(choices.amberHours) else {
            throw RoostError.invalid(field: "amberHours", why: "Between 1 and 8,760 hours (a year), please.")
        }
        guard (choices.amberHours...8_760).contains(choices.redHours) else {
            throw RoostError.invalid(
                field: "redHours", why: "Must be between the amber threshold and 8,760 hours.")
        }
        try Self.check(botLogins: choices.botLogins)
        try await saving {
            try await store.choose(choices, for: user) { [self] in
                stored.withLock { $0[user, default: .init()].choices = choices }
            }
        }
    }

    func addSection(name: String, query: String, for user: UserID) async throws -> OwnSection {
        let (name, query) = try (Self.name(name), Self.query(query))
        let sections = try await change(of: user) { rows in
            guard try rows.all().count < Self.maximumSections else {
                throw RoostError.invalid(
                    field: "name", why: "There is room for \(Self.maximumSections) sections.")
            }
            try rows.add(name: name, query: query)
        }
        guard let added = sections.last else { throw RoostError.notFound("The section is gone.") }
        return added
    }

    func changeSection(_ id: Int64, name: String, query: String, for user: UserID) async throws {
        let (name, query) = try (Self.name(name), Self.query(query))
        _ = try await change(of: user) { rows in
            guard try rows.change(id, name: name, query: query) else { throw Self.noSection }
        }
    }

    func moveSection(_ id: Int64, by places: Int, for user: UserID) async throws {
        _ = try await change(of: user) { rows in
            var ids = try rows.all().map(\.id)
            guard let place = ids.firstIndex(of: id) else { throw Self.noSection }
            let target = min(max(0, place + min(max(places, -ids.count), ids.count)), ids.count - 1)
            ids.insert(ids.remove(at: place), at: target)
            try rows.order(ids)
        }
    }

    func removeSection(_ id: Int64, of user: UserID) async throws {
        _ = try await change(of: user) { rows in
            guard try rows.remove(id) else { throw Self.noSection }
            try rows.order(rows.all().map(\.id))
        }
    }

    private static let noSection = RoostError.notFound("There is no such section.")

    private func change(
        of user: UserID, _ change: @escaping @Sendable (SectionTransaction) throws -> Void
    ) async throws -> [OwnSection] {
        try await saving {
            try await store.sections(
                of: user,
                onCommit: { [self] sections in
                    stored.withLock { $0[user, default: .init()].sections = sections }
                }, change: change)
        }
    }

    private static func name(_ text: String) throws -> String {
        let name = text.trimmed
        guard !name.isEmpty else { throw RoostError.invalid(field: "name", why: "Please give it a name.") }
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
        guard !query.isEmpty else {
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
            let shown = String(login.unicodeScalars.prefix(64)).calmed
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
            throw RoostError(storage: error)
                ?? .unavailable("Couldn’t save. Please try again.")
        }
    }
}
