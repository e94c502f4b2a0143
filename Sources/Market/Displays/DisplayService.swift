package import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// What opens a display.
package enum DisplayAccess: Hashable, Sendable {
    /// The secret of its link.
    case link(String)
    /// The key of a paired screen, which its cookie holds.
    case key(String)
}

/// The screens, their settings, secret links and commands.
///
/// SQLite has the displays. In memory is what is on no disk: when screens asked since that was last saved, by the hashes
/// of the links, so that a new link begins without; and the commands that screens have not done yet.
package final class DisplayService: Service {
    private struct Sight: Equatable {
        /// By the steady clock, so that what is said of it moves with the machine's.
        let time: Date
        let screen: ScreenReport?
    }

    private struct State {
        var sights: [[UInt8]: Sight] = [:]
        var recent: RecentDisplays?
        var commands: [DisplayID: [(command: DisplayCommand, madeAt: Date)]] = [:]
        /// Begins somewhere: a screen may remember what it did before a restart.
        var lastNumber = Int.random(in: 1...1 << 40)
    }

    /// A link or a key, without its secret.
    fileprivate struct AccessHash: Hashable {
        let isKey: Bool
        let hash: [UInt8]
    }

    /// What links and keys opened since the last commit, at most for the second in which a rendered page may be
    /// answered again.
    private struct RecentDisplays {
        let mark: LogMark
        let second: Int
        var displays: [AccessHash: Display] = [:]
    }

    /// Last sights are written down this often, in seconds.
    private static let sightInterval = 120
    /// A screen polls at least twice a minute: one silent for longer is away, in seconds.
    package static let presence: TimeInterval = 75
    /// A command that no screen has done by then is forgotten, in seconds.
    private static let commandLifetime: TimeInterval = 300
    /// Commands that wait for one display; the earliest make room.
    private static let maximumCommands = 8
    /// More screens than this are a mistake.
    static let limit = 100

    private let store: DisplayStore
    private let sealer: Sealer
    private let databaseLog: String
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let state = Mutex(State())

    package init(store: DisplayStore, sealer: Sealer, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.store = store
        self.sealer = sealer
        databaseLog = LogMark.path(ofDatabaseAt: store.database.path)
        self.feed = feed
        self.clock = clock
        self.log = log
    }

    package func displays(of user: UserID) async throws -> [Display] {
        try await store.displays(of: user).map(seen)
    }

    /// A display of this user. Throws `RoostError.notFound`.
    package func display(_ id: DisplayID, of user: UserID) async throws -> Display {
        guard let display = try await store.display(id, of: user) else { throw Self.notFound }
        return seen(display)
    }

    /// The display that a link's secret or a screen's key opens.
    package func display(_ access: DisplayAccess) async throws -> Display? {
        guard let hash = access.hashed else { return nil }
        let (mark, second) = (LogMark(databaseLog), second)
        let display =
            try await hash.isKey
            ? store.display(keyHash: hash.hash) : store.display(tokenHash: hash.hash)
        guard let display else { return nil }
        if let mark, mark.isSettled { remember(display, hash, mark, second) }
        return seen(display)
    }

    /// The same without waiting for the disk; nil where it has to be read.
    ///
    /// A wall's page is rendered once a second: of an answer from the cache, reading the row was more than half the work.
    /// After any commit, another process's too, the disk is read again.
    package func recentDisplay(_ access: DisplayAccess) -> Display? {
        guard let mark = LogMark(databaseLog), let hash = access.hashed else { return nil }
        let second = second
        let display = state.withLock { state -> Display? in
            guard let recent = state.recent, recent.mark == mark, recent.second == second else { return nil }
            return recent.displays[hash]
        }
        return display.map(seen)
    }

    private var second: Int { Int(clock.steady().timeIntervalSince1970.rounded(.down)) }

    private func remember(_ display: Display, _ hash: AccessHash, _ mark: LogMark, _ second: Int) {
        state.withLock { state in
            if state.recent?.mark != mark || state.recent?.second != second {
                state.recent = RecentDisplays(mark: mark, second: second)
            }
            state.recent?.displays[hash] = display
        }
    }

    /// The display with what the disk does not know yet of its screen.
    private func seen(_ display: Display) -> Display {
        let shift = clock.shift
        return state.withLock { Self.seen(display, $0, shift) }
    }

    private static func seen(_ display: Display, _ state: State, _ shift: TimeInterval) -> Display {
        var display = display
        if let sight = state.sights[display.tokenHash] {
            display.lastSeenAt = sight.time + shift
            display.screen = sight.screen ?? display.screen
        }
        return display
    }

    /// Makes a display with a link of its own, whose secret has 128 bits.
    @discardableResult
    package func add(_ name: String, for user: UserID) async throws -> (display: Display, token: String) {
        let name = try Self.checked(name)
        let (token, link) = try makeLink(for: user)
        let display = try await store.add(name, of: user, link: link, at: clock.now(), limit: Self.limit)
        feed.publish(Topic.displays(user))
        return (display, token)
    }

    /// The secret of the link, for its owner; nil where it cannot be read: a link from before secrets were sealed, or
    /// one that was sealed with another key. `renewLink` makes one that can. Throws `RoostError.notFound`.
    package func token(of id: DisplayID, for user: UserID) async throws -> String? {
        guard let link = try await store.sealedToken(id, of: user) else {
            _ = try await display(id, of: user)
            return nil
        }
        do {
            let token = try sealer.open(link.sealed, as: Self.context(user))
            // Another process may have replaced the one and not the other.
            return Secret.hash(token) == link.hash ? token : nil
        } catch RoostError.unavailable {
            return nil
        }
    }

    /// Replaces the link; screens with the old one are told that it was withdrawn. Paired screens stay.
    package func renewLink(_ id: DisplayID, of user: UserID) async throws {
        let link = try makeLink(for: user).link
        guard try await store.setLink(id, of: user, link: link) else { throw Self.notFound }
        publish(id, of: user)
    }

    /// Withdraws the keys of paired screens and replaces the link: no screen shows the display any more.
    package func signOut(_ id: DisplayID, of user: UserID) async throws {
        let link = try makeLink(for: user).link
        guard try await store.signOut(id, of: user, link: link) else { throw Self.notFound }
        publish(id, of: user)
    }

    func makeLink(for user: UserID) throws -> (token: String, link: DisplayStore.Link) {
        let token = Secret.make(bytes: 16)
        let sealed = try sealer.seal(token, as: Self.context(user))
        return (token, DisplayStore.Link(hash: Secret.hash(token), sealed: sealed))
    }

    static func context(_ user: UserID) -> String { "display link of \(user)" }

    /// Renames the display and sets how it shows. Throws `RoostError.invalid` with the field's name, and `.notFound`.
    package func change(
        _ id: DisplayID, of user: UserID, name: String, settings: DisplaySettings
    ) async throws {
        let (name, settings) = (try Self.checked(name), try settings.checked())
        guard try await store.change(id, of: user, name: name, settings: settings) else {
            throw Self.notFound
        }
        publish(id, of: user)
    }

    /// Tells the display's screen to do something, once. Throws `RoostError.notFound`.
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

    /// What the display's screen has not done yet, the earliest first.
    ///
    /// - Parameter done: the number of the last command that it has done
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

    /// Notes that the page of the display was loaded: it need not be told to reload any more.
    package func noteLoad(of display: Display) {
        state.withLock { state in state.commands[display.id]?.removeAll { $0.command.kind == .reload } }
    }

    private static func waiting(
        _ commands: [(command: DisplayCommand, madeAt: Date)]?, at now: Date
    ) -> [(command: DisplayCommand, madeAt: Date)] {
        (commands ?? []).filter { now.timeIntervalSince($0.madeAt) < commandLifetime }
    }

    /// Removes the display; its link opens nothing any more.
    package func remove(_ id: DisplayID, of user: UserID) async throws {
        guard try await store.remove(id, of: user) else { throw Self.notFound }
        publish(id, of: user)
    }

    /// Notes that a screen asked; the page that lists the displays hears of a screen that has just come, and of one
    /// that says something else of itself.
    ///
    /// - Parameter screen: what it says of itself; nil: as before
    package func markSeen(_ display: Display, screen: ScreenReport? = nil) {
        let (now, shift) = (clock.steady(), clock.shift)
        let isNews = state.withLock { state in
            let before = Self.seen(display, state, shift)
            let report = screen ?? state.sights[display.tokenHash]?.screen
            state.sights[display.tokenHash] = Sight(time: now, screen: report)
            return !before.isHere(at: now + shift) || (screen != nil && screen != before.screen)
        }
        if isNews { feed.publish(Topic.displays(display.userId)) }
    }

    /// Writes down when screens were last seen, every few minutes until cancelled, and once more at the end.
    package func run() async {
        repeat {
            try? await Task.sleep(for: .seconds(Self.sightInterval))
            // A cancelled task could not write any more: the last sights are saved by one of their own.
            await Task { await self.saveLastSeen() }.value
        } while !Task.isCancelled
    }

    private func saveLastSeen() async {
        let sights = state.withLock(\.sights)
        do {
            try await store.markSeen(sights.mapValues { (clock.date(of: $0.time), $0.screen) })
            state.withLock { state in
                // What was noted meanwhile is not on the disk yet.
                state.sights = state.sights.filter { sights[$0.key] != $0.value }
            }
        } catch {
            log.error("When screens last asked could not be saved", metadata: ["error": "\(error)"])
        }
    }

    private func publish(_ id: DisplayID, of user: UserID) {
        feed.publish(Topic.display(id), Topic.displays(user))
    }

    static let notFound = RoostError.notFound("There is no such display.")

    static func checked(_ name: String) throws -> String {
        let name = name.trimmed
        // Code points, as the schema counts them.
        guard !name.isBlank, name.unicodeScalars.count <= 64,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw RoostError.invalid(field: "name", why: "A display's name has 1 to 64 characters.")
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
    /// Nil for what is not as long as one of Roost's secrets.
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
