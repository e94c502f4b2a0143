import Foundation
import Synchronization

/// What is known of repositories: SQLite's rows, and in memory those that were used last.
///
/// What is kept under a viewer is answered to nobody else.
final class RepositoryShelf: Sendable {
    typealias Kept = RepositoryStore.Kept

    private struct State {
        /// Of every row in SQLite.
        var present: Set<RepositoryKey> = []
        var kept: [RepositoryKey: Kept] = [:]
        /// Names in lower case, of what is in memory.
        var names: [String: RepositoryID] = [:]
        /// Earlier names of renamed ones, in lower case.
        var oldNames: [String: RepositoryID] = [:]
        /// Used, but SQLite does not know it yet.
        var used: Set<RepositoryID> = []
        var readmes: [RepositoryKey: RepositoryStore.KeptReadme] = [:]
    }

    private static let mostInMemory = 20_000
    private static let mostReadmesInMemory = 30
    private static let mostOldNames = 5_000
    /// Seconds until a further look is written down.
    private static let useStep: TimeInterval = 86_400

    private let store: RepositoryStore
    private let state = Mutex(State())

    init(store: RepositoryStore) {
        self.store = store
    }

    func load() async throws {
        let keys = try await store.keys()
        state.withLock { $0.present = keys }
    }

    var count: Int { state.withLock { $0.present.count } }

    /// What is known of these, with one statement at most, and with none once they are in memory.
    func items(_ ids: [RepositoryID], for viewer: UserID?, at now: Date) async throws -> [RepositoryID: Kept]
    {
        let missing = state.withLock { state in
            ids.filter { id in
                Self.keys(id, viewer).contains { state.present.contains($0) && state.kept[$0] == nil }
            }
        }
        var readNow: [RepositoryID: Kept] = [:]
        if !missing.isEmpty {
            let kept = try await store.kept(missing, for: viewer)
            // What the viewer's own account sees goes before what everybody knows.
            for one in kept where readNow[one.item.id]?.viewer == nil { readNow[one.item.id] = one }
            // A row that could not be read is as good as none.
            let read = Set(kept.map(\.key))
            state.withLock { state in
                for one in kept { Self.take(one, &state) }
                for key in missing.flatMap({ Self.keys($0, viewer) }) where !read.contains(key) {
                    if state.kept[key] == nil { state.present.remove(key) }
                }
            }
        }
        return state.withLock { [readNow] state in
            var found: [RepositoryID: Kept] = [:]
            // Memory may be too full to have taken them all in.
            for id in ids { found[id] = Self.look(id, viewer, &state, now) ?? readNow[id] }
            return found
        }
    }

    /// What is in memory alone.
    func known(_ id: RepositoryID, for viewer: UserID?) -> Repository? {
        state.withLock { state in
            Self.keys(id, viewer).compactMap { state.kept[$0]?.item.repository }.first
        }
    }

    /// By its name or an earlier one, in any case of letters.
    func item(named name: RepositoryName, for viewer: UserID?, at now: Date) async throws -> Kept? {
        let word = name.description.lowercased()
        let known = state.withLock { state in
            state.names[word].flatMap { Self.look($0, viewer, &state, now) }
        }
        if let known, known.item.fullName.lowercased() == word { return known }
        if let kept = try await store.kept(named: word, for: viewer) {
            state.withLock { Self.take(kept, &$0) }
            return kept
        }
        guard let id = state.withLock({ $0.oldNames[word] }) else { return nil }
        return try await items([id], for: viewer, at: now)[id]
    }

    /// Keeps these, on disk first, and forgets those.
    func put(_ kept: [Kept], forget gone: Set<RepositoryKey> = []) async throws {
        let gone = state.withLock { state in gone.filter(state.present.contains) }
        guard !kept.isEmpty || !gone.isEmpty else { return }
        try await store.put(kept, forget: gone)
        state.withLock { state in
            for key in gone { Self.drop(key, &state) }
            for one in kept {
                state.present.insert(one.key)
                Self.take(one, &state)
            }
        }
    }

    /// GitHub said that it is still the same.
    func confirm(_ kept: Kept, at now: Date) async throws -> Kept {
        try await store.confirm(kept.key, at: now)
        var kept = kept
        kept.item.fetchedAt = now
        kept.usedAt = now
        state.withLock { [kept] state in
            // It may have gone while GitHub was asked, to those alone who may see it.
            if state.present.contains(kept.key) { Self.take(kept, &state) }
        }
        return kept
    }

    func note(old name: RepositoryName, of id: RepositoryID) {
        state.withLock { state in
            if state.oldNames.count >= Self.mostOldNames { state.oldNames.removeAll() }
            state.oldNames[name.description.lowercased()] = id
        }
    }

    func readme(_ key: RepositoryKey) async throws -> RepositoryStore.KeptReadme? {
        if let known = state.withLock({ $0.readmes[key] }) { return known }
        let kept = try await store.readme(key)
        if let kept { take(kept, as: key) }
        return kept
    }

    /// Not of a repository that went while GitHub was asked: it may have turned private.
    func put(_ readme: RepositoryStore.KeptReadme, as key: RepositoryKey) async throws {
        guard state.withLock({ $0.present.contains(key) }) else { return }
        try await store.put(readme, as: key)
        take(readme, as: key)
    }

    private func take(_ readme: RepositoryStore.KeptReadme, as key: RepositoryKey) {
        state.withLock { state in
            if state.readmes.count >= Self.mostReadmesInMemory { state.readmes.removeAll() }
            state.readmes[key] = readme
        }
    }

    /// Writes down what was used, and forgets what is too much.
    func tidy(details: Int, readmes: Int, keeping ids: Set<RepositoryID>, at now: Date) async throws {
        let used = state.withLock { state in
            defer { state.used = [] }
            return Array(state.used)
        }
        if !used.isEmpty { try await store.use(used, at: now) }
        let gone = try await store.trim(details: details, readmes: readmes, keeping: ids)
        state.withLock { state in for key in gone { Self.drop(key, &state) } }
    }

    /// What this viewer's account alone saw.
    func removeAll(of viewer: UserID) async throws {
        forget(viewer)
        try await store.removeAll(of: viewer)
    }

    /// Likewise, in memory alone: SQLite forgets with the user's own row.
    func forget(_ viewer: UserID) {
        state.withLock { state in
            for key in state.present where key.viewer == viewer { Self.drop(key, &state) }
        }
    }
}

extension RepositoryShelf {
    private static func keys(_ id: RepositoryID, _ viewer: UserID?) -> [RepositoryKey] {
        let shared = RepositoryKey(id: id, viewer: nil)
        return viewer == nil ? [shared] : [RepositoryKey(id: id, viewer: viewer), shared]
    }

    private static func look(
        _ id: RepositoryID, _ viewer: UserID?, _ state: inout State, _ now: Date
    ) -> Kept? {
        for key in keys(id, viewer) {
            guard let kept = state.kept[key] else { continue }
            if ModelTime.isOver(kept.usedAt, lifetime: useStep, now: now) {
                state.kept[key]?.usedAt = now
                state.used.insert(id)
            }
            return kept
        }
        return nil
    }

    private static func take(_ kept: Kept, _ state: inout State) {
        if state.kept.count >= mostInMemory, state.kept[kept.key] == nil {
            // Half of them at once, so that it is not done again with the next.
            let latest = state.kept.values.sorted { $0.usedAt > $1.usedAt }.prefix(mostInMemory / 2)
            state.kept = Dictionary(latest.map { ($0.key, $0) }) { first, _ in first }
            state.names = Dictionary(
                latest.map { ($0.item.fullName.lowercased(), $0.item.id) }, uniquingKeysWith: { $1 })
        }
        state.kept[kept.key] = kept
        state.names[kept.item.fullName.lowercased()] = kept.item.id
    }

    private static func drop(_ key: RepositoryKey, _ state: inout State) {
        state.present.remove(key)
        state.readmes[key] = nil
        guard let old = state.kept.removeValue(forKey: key) else { return }
        let name = old.item.fullName.lowercased()
        if state.names[name] == key.id { state.names[name] = nil }
    }
}
