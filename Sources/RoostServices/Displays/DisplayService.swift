package import Foundation
import Logging
import Synchronization

/// The screens and their secret links.
///
/// All displays are kept in memory as well (there are few), so that a screen's request never waits for the disk.
package final class DisplayService: Service {
    private struct State {
        var byToken: [[UInt8]: DisplayID] = [:]
        var displays: [DisplayID: Display] = [:]
        /// Of this start, by the steady clock, so that what is said of it moves with the machine's.
        var lastSeen: [DisplayID: Date] = [:]
        /// Those of them that the database knows.
        var saved: [DisplayID: Date] = [:]
        /// Made by the steady clock.
        var fresh: [DisplayID: (secret: String, madeAt: Date)] = [:]
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
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let state = Mutex(State())

    init(store: DisplayStore, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.store = store
        self.feed = feed
        self.clock = clock
        self.log = log
    }

    /// Reads all displays; to be called once, before the first request.
    package func load() async throws {
        for stored in try await store.all() { keep(stored) }
    }

    package func displays(of user: UserID) -> [Display] {
        let shift = clock.shift
        return state.withLock { state in
            state.displays.values.filter { $0.userId == user }.map { Self.seen($0, state, shift) }
        }.sorted { $0.id < $1.id }
    }

    private static func seen(_ display: Display, _ state: State, _ shift: TimeInterval) -> Display {
        var display = display
        if let seenAt = state.lastSeen[display.id] { display.lastSeenAt = seenAt + shift }
        return display
    }

    /// The display that a link's secret opens.
    package func display(token: String) -> Display? {
        guard (16...64).contains(token.utf8.count) else { return nil }
        let hash = Secret.hash(token)
        let shift = clock.shift
        return state.withLock { state in
            state.byToken[hash].flatMap { state.displays[$0] }.map { Self.seen($0, state, shift) }
        }
    }

    /// Makes a display with a link of its own, whose secret has 128 bits.
    @discardableResult
    package func add(_ name: String, for user: UserID) async throws -> (display: Display, token: String) {
        let name = try Self.checked(name)
        guard displays(of: user).count < Self.limit else {
            throw RoostError.invalid(field: "name", why: "There can be \(Self.limit) displays at most.")
        }
        let token = Secret.make(bytes: 16)
        let stored = try await store.add(name, of: user, tokenHash: Secret.hash(token), at: clock.now()) {
            self.keep($0, secret: token)
        }
        feed.publish(Topic.displays(user))
        return (stored.display, token)
    }

    /// Replaces the link; screens with the old one are told that it was withdrawn.
    package func renewLink(_ id: DisplayID, of user: UserID) async throws {
        let token = Secret.make(bytes: 16)
        let stored = try await store.setLink(id, of: user, tokenHash: Secret.hash(token)) {
            self.keep($0, secret: token)
        }
        publish(stored.display)
    }

    /// Renames the display and sets how it shows. Throws `RoostError.invalid` and `.notFound`.
    package func change(
        _ id: DisplayID, of user: UserID, name: String, secondsPerPage: Int, redIsUp: Bool
    ) async throws {
        guard (5...3_600).contains(secondsPerPage) else {
            throw RoostError.invalid(field: "secondsPerPage", why: "A page stays for 5 to 3,600 seconds.")
        }
        let requested = Display(
            id: id, userId: user, name: try Self.checked(name), secondsPerPage: secondsPerPage,
            redIsUp: redIsUp, createdAt: clock.now())
        let stored = try await store.change(requested) { self.keep($0) }
        publish(stored.display)
    }

    /// Removes the display; its link opens nothing any more.
    package func remove(_ id: DisplayID, of user: UserID) async throws {
        guard try await store.remove(id, of: user, then: { self.forgetDisplay(id) }) else {
            throw RoostError.notFound("There is no such display.")
        }
        feed.publish(Topic.display(id), Topic.displays(user))
    }

    /// The displays of a user who is gone open nothing any more; the disk has forgotten them already.
    package func forget(_ user: UserID) {
        for display in displays(of: user) {
            forgetDisplay(display.id)
            feed.publish(Topic.display(display.id))
        }
    }

    private func forgetDisplay(_ id: DisplayID) {
        state.withLock { state in
            state.byToken = state.byToken.filter { $0.value != id }
            state.displays[id] = nil
            state.lastSeen[id] = nil
            state.fresh[id] = nil
        }
    }

    /// Notes that a screen asked; the page that lists the displays hears of a screen that has just come.
    package func markSeen(_ id: DisplayID) {
        let (now, shift) = (clock.steady(), clock.shift)
        let arrived = state.withLock { state -> Display? in
            guard let display = state.displays[id].map({ Self.seen($0, state, shift) }) else { return nil }
            state.lastSeen[id] = now
            return display.isHere(at: now + shift) ? nil : display
        }
        if let arrived { feed.publish(Topic.displays(arrived.userId)) }
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
    package func freshSecret(of id: DisplayID, for user: UserID) -> String? {
        let now = clock.steady()
        return state.withLock { state in
            state.fresh = state.fresh.filter { now.timeIntervalSince($0.value.madeAt) < Self.freshness }
            guard state.displays[id]?.userId == user else { return nil }
            return state.fresh[id]?.secret
        }
    }

    private func saveLastSeen() async {
        let lastSeen = state.withLock { state in
            let lastSeen = state.lastSeen.filter { state.saved[$0.key] != $0.value }
            state.saved.merge(lastSeen) { $1 }
            return lastSeen.mapValues(clock.date)
        }
        for (id, time) in lastSeen {
            do {
                try await store.markSeen(id, at: time)
            } catch {
                log.error("A display's last sight could not be saved", metadata: ["error": "\(error)"])
            }
        }
    }

    private func keep(_ stored: DisplayStore.Stored, secret: String? = nil) {
        let now = clock.steady()
        state.withLock { state in
            let id = stored.display.id
            state.byToken = state.byToken.filter { $0.value != id }
            state.byToken[stored.tokenHash] = id
            state.displays[id] = stored.display
            // A new link begins the display anew.
            if let secret { (state.lastSeen[id], state.fresh[id]) = (nil, (secret, now)) }
        }
    }

    private func publish(_ display: Display) {
        feed.publish(Topic.display(display.id), Topic.displays(display.userId))
    }

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
