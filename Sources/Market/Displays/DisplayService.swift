package import Foundation
package import Logging
package import RoostSupport
import Synchronization
import TextFormats

package enum DisplayAccess: Hashable, Sendable {
    case link(String)
    /// The key of a paired screen, from its cookie.
    case key(String)
}

/// Displays with their settings, secret links and commands.
///
/// Displays are stored in SQLite. Two things are only in memory: last polls that are not saved yet, keyed by the links'
/// hashes, so that a new link starts without; and commands that screens have not executed yet.
package final class DisplayService: Service {
    private struct LastPoll: Equatable {
        let time: ContinuousClock.Instant
        let screen: ScreenReport?
    }

    private struct State {
        var lastPolls: [[UInt8]: LastPoll] = [:]
        var recent: RecentDisplays?
        var commands: [DisplayID: [(command: DisplayCommand, createdAt: ContinuousClock.Instant)]] = [:]
        /// Starts at random, since a screen may remember commands from before a restart.
        var lastNumber = Int.random(in: 1...1 << 40)
    }

    fileprivate struct AccessHash: Hashable {
        let isKey: Bool
        let hash: [UInt8]
    }

    /// Displays looked up since the last commit, kept for one second at most: as long as a rendered page may be reused.
    private struct RecentDisplays {
        let mark: LogMark
        /// Whole seconds since the service's start.
        let second: Int
        var displays: [AccessHash: Display] = [:]
    }

    /// How often last polls are saved, in seconds.
    private static let saveInterval = 120
    /// A screen silent for this long counts as away, in seconds. Screens poll at least twice a minute.
    package static let presence: TimeInterval = 75
    /// A command that has not been executed by then is dropped.
    private static let commandLifetime = Duration.seconds(300)
    /// The maximum number of waiting commands of a display; the oldest are dropped.
    private static let maximumCommands = 8
    /// The maximum for each user.
    static let limit = 100

    private let database: Database
    private let sealer: Sealer
    private let databaseLog: String
    private let feed: ChangeFeed
    private let clock: WallClock
    private let start: ContinuousClock.Instant
    private let log: Logger
    private let state = Mutex(State())

    package init(database: Database, sealer: Sealer, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.database = database
        self.sealer = sealer
        databaseLog = LogMark.path(ofDatabaseAt: database.pool.path)
        self.feed = feed
        self.clock = clock
        start = clock.steady()
        self.log = log
    }

    package func displays(_ reads: Reads, of user: UserID) throws -> [Display] {
        try reads.displays(of: user).map(withLastPoll)
    }

    package func displays(of user: UserID) async throws -> [Display] {
        try await database.read { try displays($0, of: user) }
    }

    /// Throws `RoostError.notFound`, also for another user's display.
    package func display(_ reads: Reads, _ id: DisplayID, of user: UserID) throws -> Display {
        guard let display = try reads.display(id, of: user) else {
            throw Self.notFound
        }
        return withLastPoll(display)
    }

    package func display(_ id: DisplayID, of user: UserID) async throws -> Display {
        try await database.read { try display($0, id, of: user) }
    }

    package func display(_ reads: Reads, _ access: DisplayAccess) throws -> Display? {
        guard let hash = access.hashed else { return nil }
        // Taken before the first query, so that a commit in the meantime leads to another read.
        let (mark, second) = (LogMark(databaseLog), second)
        let display = try hash.isKey ? reads.display(keyHash: hash.hash) : reads.display(tokenHash: hash.hash)
        guard let display else { return nil }
        if let mark, mark.isSettled { remember(display, hash, mark, second) }
        return withLastPoll(display)
    }

    package func display(_ access: DisplayAccess) async throws -> Display? {
        try await database.read { try display($0, access) }
    }

    /// The same without a database read; nil if one is needed.
    ///
    /// A wall is rendered once a second, and reading the row took more than half the time of a cached answer. After any
    /// commit, even of another process, the database is read again.
    package func recentDisplay(_ access: DisplayAccess) -> Display? {
        guard let mark = LogMark(databaseLog), let hash = access.hashed else { return nil }
        let second = second
        let display = state.withLock { state -> Display? in
            guard let recent = state.recent, recent.mark == mark, recent.second == second else { return nil }
            return recent.displays[hash]
        }
        return display.map(withLastPoll)
    }

    private var second: Int { Int((clock.steady() - start).components.seconds) }

    private func remember(_ display: Display, _ hash: AccessHash, _ mark: LogMark, _ second: Int) {
        state.withLock { state in
            if state.recent?.mark != mark || state.recent?.second != second {
                state.recent = RecentDisplays(mark: mark, second: second)
            }
            state.recent?.displays[hash] = display
        }
    }

    private func withLastPoll(_ display: Display) -> Display {
        state.withLock { withLastPoll(display, $0) }
    }

    private func withLastPoll(_ display: Display, _ state: State) -> Display {
        var display = display
        if let lastPoll = state.lastPolls[display.tokenHash] {
            display.lastSeenAt = clock.date(of: lastPoll.time)
            display.screen = lastPoll.screen ?? display.screen
        }
        return display
    }

    /// Adds a display with a link of its own, whose secret has 128 bits.
    @discardableResult
    package func add(_ name: String, for user: UserID) async throws -> (display: Display, token: String) {
        let name = try Self.checked(name)
        let (token, link) = try makeLink(for: user)
        let display = try await database.write { [now = clock.now()] writes in
            writes.publish(Topic.displays(user))
            return try writes.addDisplay(name, of: user, link: link, at: now)
        }
        return (display, token)
    }

    /// The secret of the link, for its owner. Nil if it cannot be read: it is from before secrets were sealed, or was
    /// sealed with another key; `renewLink` then makes a readable one. Throws `RoostError.notFound`.
    package func token(_ reads: Reads, of id: DisplayID, for user: UserID) throws -> String? {
        let link = try reads.sealedLink(of: id, of: user)
        guard try link != nil || reads.display(id, of: user) != nil else { throw Self.notFound }
        guard let link else { return nil }
        do {
            let token = try sealer.open(link.sealed, as: Self.context(user))
            // Another process may have replaced the link in between.
            return Secret.hash(token) == link.hash ? token : nil
        } catch RoostError.unavailable {
            return nil
        }
    }

    package func token(of id: DisplayID, for user: UserID) async throws -> String? {
        try await database.read { try token($0, of: id, for: user) }
    }

    /// Replaces the link, so that the old one stops working. Paired screens stay paired.
    package func renewLink(_ id: DisplayID, of user: UserID) async throws {
        let link = try makeLink(for: user).link
        try await change(id, of: user) { writes in
            guard try writes.setLink(link, of: id, of: user) else { return false }
            try writes.clearLastPoll(of: id)
            return true
        }
    }

    /// Revokes the keys of paired screens and replaces the link, so that no screen shows the display any more.
    package func signOut(_ id: DisplayID, of user: UserID) async throws {
        let link = try makeLink(for: user).link
        try await change(id, of: user) { writes in
            guard try writes.setLink(link, of: id, of: user) else { return false }
            try writes.removeScreens(of: id)
            try writes.clearLastPoll(of: id)
            return true
        }
    }

    func makeLink(for user: UserID) throws -> (token: String, link: DisplayStore.Link) {
        let token = Secret.make(bytes: 16)
        let sealed = try sealer.seal(token, as: Self.context(user))
        return (token, DisplayStore.Link(hash: Secret.hash(token), sealed: sealed))
    }

    static func context(_ user: UserID) -> String { "display link of \(user)" }

    /// Renames the display and changes its settings. Throws `RoostError.invalid` with the field, and `.notFound`.
    package func change(
        _ id: DisplayID, of user: UserID, name: String, settings: DisplaySettings
    ) async throws {
        let (name, settings) = (try Self.checked(name), try settings.checked())
        try await change(id, of: user) { writes in
            try writes.changeDisplay(id, of: user, name: name, settings: settings)
        }
    }

    /// Sends a command to the display's screen. Throws `RoostError.notFound`.
    package func send(_ kind: DisplayCommand.Kind, to id: DisplayID, of user: UserID) async throws {
        let display = try await display(id, of: user)
        let now = clock.steady()
        state.withLock { state in
            state.lastNumber += 1
            let command = DisplayCommand(number: state.lastNumber, kind: kind, name: display.name)
            let waiting = Self.waiting(state.commands[id], at: now)
            state.commands[id] = waiting.suffix(Self.maximumCommands - 1) + [(command, now)]
        }
        feed.publish(Topic.display(id))
    }

    /// - Parameter done: the number of the last command that the screen executed
    package func commands(for display: Display, done: Int?) -> [DisplayCommand] {
        let now = clock.steady()
        return state.withLock { state in
            var waiting = Self.waiting(state.commands[display.id], at: now)
            if let done, let last = waiting.lastIndex(where: { $0.command.number == done }) {
                waiting.removeSubrange(...last)
            }
            state.commands[display.id] = waiting.isEmpty ? nil : waiting
            return waiting.map(\.command)
        }
    }

    /// Drops reload commands, because the display's page has just been loaded.
    package func noteLoad(of display: Display) {
        state.withLock { state in state.commands[display.id]?.removeAll { $0.command.kind == .reload } }
    }

    private static func waiting(
        _ commands: [(command: DisplayCommand, createdAt: ContinuousClock.Instant)]?,
        at now: ContinuousClock.Instant
    ) -> [(command: DisplayCommand, createdAt: ContinuousClock.Instant)] {
        (commands ?? []).filter { now - $0.createdAt < commandLifetime }
    }

    package func remove(_ id: DisplayID, of user: UserID) async throws {
        try await change(id, of: user) { try $0.removeDisplay(id, of: user) }
    }

    /// Records a screen's poll. Publishes a change if the screen was away, or if its report differs.
    ///
    /// - Parameter screen: its report; nil keeps the previous one
    package func markSeen(_ display: Display, screen: ScreenReport? = nil) {
        let (now, date) = (clock.steady(), clock.now())
        let hasChanged = state.withLock { state in
            let previous = withLastPoll(display, state)
            let report = screen ?? state.lastPolls[display.tokenHash]?.screen
            state.lastPolls[display.tokenHash] = LastPoll(time: now, screen: report)
            return !previous.isOnline(at: date) || (screen != nil && screen != previous.screen)
        }
        if hasChanged { feed.publish(Topic.displays(display.userId)) }
    }

    /// Saves last polls every few minutes until cancelled, and once more at the end.
    package func run() async {
        repeat {
            try? await Task.sleep(for: .seconds(Self.saveInterval))
            // A new task, because the cancelled one could not write.
            await Task { await self.saveLastSeen() }.value
        } while !Task.isCancelled
    }

    private func saveLastSeen() async {
        let lastPolls = state.withLock(\.lastPolls)
        guard !lastPolls.isEmpty else { return }
        let polls = lastPolls.mapValues { (time: clock.date(of: $0.time), screen: $0.screen) }
        do {
            try await database.write { try $0.saveLastPolls(polls) }
            state.withLock { state in
                // Polls since then are not saved yet.
                state.lastPolls = state.lastPolls.filter { lastPolls[$0.key] != $0.value }
            }
        } catch {
            log.databaseFailure("When screens were last seen could not be saved", error)
        }
    }

    /// - Parameter work: returns false if the user has no such display
    private func change(
        _ id: DisplayID, of user: UserID, _ work: @escaping @Sendable (Writes) throws -> Bool
    ) async throws {
        try await database.write { writes in
            guard try work(writes) else { throw Self.notFound }
            writes.publish(Topic.display(id), Topic.displays(user))
        }
    }

    static let notFound = RoostError.notFound("There is no such display.")

    /// In code points.
    package static let maximumName = 64

    static func checked(_ name: String) throws -> String {
        let name = name.trimmed
        // Code points, as in the schema.
        guard !name.isBlank, name.unicodeScalars.count <= maximumName,
            !name.unicodeScalars.contains(where: \.isControl)
        else {
            throw RoostError.invalid(field: "name", why: "Enter a name of 1 to \(maximumName) characters.")
        }
        return name
    }
}

extension DisplayService {
    package var userData: [UserData] {
        [.deleted("Displays and their links", from: ["displays", "display_keys", "display_pairings"])]
    }
}

extension DisplayAccess {
    /// Nil unless it has the length of one of Roost's secrets.
    fileprivate var hashed: DisplayService.AccessHash? {
        let (secret, isKey) =
            switch self {
            case .link(let secret): (secret, false)
            case .key(let key): (key, true)
            }
        guard (16...64).contains(secret.utf8.count) else { return nil }
        return DisplayService.AccessHash(isKey: isKey, hash: Secret.hash(secret))
    }
}

extension Topic {
    package static func displays(_ user: UserID) -> String { "displays/\(user)" }
    package static func display(_ id: DisplayID) -> String { "display/\(id)" }
    static func displayPairing(_ name: String) -> String { "display-pairing/\(name)" }
}
