package import Foundation
import Logging
import Synchronization

/// The screens and their secret links.
///
/// SQLite has the displays. In memory is what is on no disk: the secrets of fresh links, and when screens asked since that
/// was last saved; by the hashes of the links, so that a new link begins with neither.
package final class DisplayService: Service {
    private struct State {
        /// By the steady clock, so that what is said of it moves with the machine's.
        var lastSeen: [[UInt8]: Date] = [:]
        /// Made by the steady clock.
        var fresh: [[UInt8]: (secret: String, madeAt: Date)] = [:]
        var recent: RecentDisplays?
    }

    /// What links opened since the last commit, at most for the second in which a rendered page may be answered again.
    private struct RecentDisplays {
        let mark: LogMark
        let second: Int
        var displays: [[UInt8]: Display] = [:]
    }

    /// Last sights are written down this often, in seconds.
    private static let sightInterval = 120
    /// A screen polls at least twice a minute: one silent for longer is away, in seconds.
    package static let presence: TimeInterval = 75
    /// How long a new link can be read again, in seconds.
    private static let freshness: TimeInterval = 600
    /// More screens than this are a mistake.
    private static let limit = 100

    private let store: DisplayStore
    private let databaseLog: String
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let state = Mutex(State())

    init(store: DisplayStore, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.store = store
        databaseLog = LogMark.path(ofDatabaseAt: store.database.path)
        self.feed = feed
        self.clock = clock
        self.log = log
    }

    package func displays(of user: UserID) async throws -> [Display] {
        try await store.displays(of: user).map(seen)
    }

    /// The display that a link's secret opens.
    package func display(token: String) async throws -> Display? {
        guard let hash = Self.hash(token) else { return nil }
        let (mark, second) = (LogMark(databaseLog), second)
        guard let display = try await store.display(tokenHash: hash) else { return nil }
        if let mark, mark.isSettled { remember(display, mark, second) }
        return seen(display)
    }

    /// The same without waiting for the disk; nil where it has to be read.
    ///
    /// A wall's page is rendered once a second: of an answer from the cache, reading the row was more than half the work.
    /// After any commit, another process's too, the disk is read again.
    package func recentDisplay(token: String) -> Display? {
        guard let mark = LogMark(databaseLog), let hash = Self.hash(token) else { return nil }
        let second = second
        let display = state.withLock { state -> Display? in
            guard let recent = state.recent, recent.mark == mark, recent.second == second else { return nil }
            return recent.displays[hash]
        }
        return display.map(seen)
    }

    private var second: Int { Int(clock.steady().timeIntervalSince1970.rounded(.down)) }

    private static func hash(_ token: String) -> [UInt8]? {
        (16...64).contains(token.utf8.count) ? Secret.hash(token) : nil
    }

    private func remember(_ display: Display, _ mark: LogMark, _ second: Int) {
        state.withLock { state in
            if state.recent?.mark != mark || state.recent?.second != second {
                state.recent = RecentDisplays(mark: mark, second: second)
            }
            state.recent?.displays[display.tokenHash] = display
        }
    }

    /// The display with what the disk does not know yet of its screen.
    private func seen(_ display: Display) -> Display {
        let shift = clock.shift
        return state.withLock { Self.seen(display, $0, shift) }
    }

    private static func seen(_ display: Display, _ state: State, _ shift: TimeInterval) -> Display {
        var display = display
        if let seenAt = state.lastSeen[display.tokenHash] { display.lastSeenAt = seenAt + shift }
        return display
    }

    /// Makes a display with a link of its own, whose secret has 128 bits.
    @discardableResult
    package func add(_ name: String, for user: UserID) async throws -> (display: Display, token: String) {
        let name = try Self.checked(name)
        let token = Secret.make(bytes: 16)
        let display = try await store.add(
            name, of: user, tokenHash: Secret.hash(token), at: clock.now(), limit: Self.limit)
        rememberSecret(token)
        feed.publish(Topic.displays(user))
        return (display, token)
    }

    /// Replaces the link; screens with the old one are told that it was withdrawn.
    package func renewLink(_ id: DisplayID, of user: UserID) async throws {
        let token = Secret.make(bytes: 16)
        let isThere = try await store.setLink(id, of: user, tokenHash: Secret.hash(token))
        guard isThere else { throw Self.notFound }
        rememberSecret(token)
        publish(id, of: user)
    }

    /// Renames the display and sets how it shows. Throws `RoostError.invalid` and `.notFound`.
    package func change(
        _ id: DisplayID, of user: UserID, name: String, secondsPerPage: Int, redIsUp: Bool
    ) async throws {
        guard (5...3_600).contains(secondsPerPage) else {
            throw RoostError.invalid(field: "secondsPerPage", why: "A page stays for 5 to 3,600 seconds.")
        }
        let isThere = try await store.change(
            id, of: user, name: try Self.checked(name), secondsPerPage: secondsPerPage, redIsUp: redIsUp)
        guard isThere else { throw Self.notFound }
        publish(id, of: user)
    }

    /// Removes the display; its link opens nothing any more.
    package func remove(_ id: DisplayID, of user: UserID) async throws {
        guard try await store.remove(id, of: user) else { throw Self.notFound }
        publish(id, of: user)
    }

    /// Notes that a screen asked; the page that lists the displays hears of a screen that has just come.
    package func markSeen(_ display: Display) {
        let (now, shift) = (clock.steady(), clock.shift)
        let wasHere = state.withLock { state in
            defer { state.lastSeen[display.tokenHash] = now }
            return Self.seen(display, state, shift).isHere(at: now + shift)
        }
        if !wasHere { feed.publish(Topic.displays(display.userId)) }
    }

    /// Writes down when screens were last seen, every few minutes until cancelled, and once more at the end.
    package func run() async {
        repeat {
            try? await Task.sleep(for: .seconds(Self.sightInterval))
            // A cancelled task could not write any more: the last sights are saved by one of their own.
            await Task { await self.saveLastSeen() }.value
        } while !Task.isCancelled
    }

    /// The secret of a link made within the last minutes: it can be read again until then, and never later.
    package func freshSecret(of id: DisplayID, for user: UserID) async throws -> String? {
        guard let display = try await store.display(id, of: user) else { return nil }
        let now = clock.steady()
        return state.withLock { state in
            Self.dropOldSecrets(of: &state, now: now)
            return state.fresh[display.tokenHash]?.secret
        }
    }

    private func rememberSecret(_ secret: String) {
        let (hash, now) = (Secret.hash(secret), clock.steady())
        state.withLock { state in
            Self.dropOldSecrets(of: &state, now: now)
            state.fresh[hash] = (secret, now)
        }
    }

    private static func dropOldSecrets(of state: inout State, now: Date) {
        state.fresh = state.fresh.filter { now.timeIntervalSince($0.value.madeAt) < freshness }
    }

    private func saveLastSeen() async {
        let lastSeen = state.withLock(\.lastSeen)
        do {
            try await store.markSeen(lastSeen.mapValues(clock.date))
            state.withLock { state in
                // What was noted meanwhile is not on the disk yet.
                state.lastSeen = state.lastSeen.filter { lastSeen[$0.key] != $0.value }
            }
        } catch {
            log.error("When screens last asked could not be saved", metadata: ["error": "\(error)"])
        }
    }

    private func publish(_ id: DisplayID, of user: UserID) {
        feed.publish(Topic.display(id), Topic.displays(user))
    }

    private static let notFound = RoostError.notFound("There is no such display.")

    private static func checked(_ name: String) throws -> String {
        let name = name.trimmed
        // Code points, as the schema counts them.
        guard (1...64).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw RoostError.invalid(field: "name", why: "A display's name has 1 to 64 characters.")
        }
        return name
    }
}

extension DisplayService {
    package var userData: [UserData] { [.deleted("Displays and their links", from: ["displays"])] }
}
