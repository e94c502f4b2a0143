import Foundation
import Logging
import RoostSupport
import Synchronization

/// What is known of repositories: SQLite's rows, what GitHub says is gone, and earlier names. What any answer says is
/// merged here, and so known everywhere at once.
final class RepositoryCatalog: Sendable {
    /// Seconds after which a detail or a README is fetched again.
    private static let lifetime: TimeInterval = 3_600
    /// Seconds until a repository is asked for again that GitHub says is not there, or not to be seen.
    private static let negativeTTL: TimeInterval = 600
    /// A look is written down once in so many seconds.
    private static let minimumUseInterval: TimeInterval = 86_400
    private static let maximumNames = 5_000

    private struct Name: Hashable {
        let name: RepositoryName
        let viewer: UserID?
    }

    private struct State {
        /// What GitHub says is gone, with the steady clock's time until which that holds.
        var gone: [Name: Date] = [:]
        /// Earlier names of renamed repositories, in lower case.
        var oldNames: [String: RepositoryID] = [:]
        /// Looked at, and not yet written to SQLite.
        var used: Set<RepositoryID> = []
    }

    private let store: RepositoryStore
    private let lists: RepositoryListCache
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let log: Logger
    /// Answers are merged one after the other.
    private let merging = PrioritySemaphore()
    private let state = Mutex(State())

    init(
        store: RepositoryStore, lists: RepositoryListCache, publisher: ThrottledPublisher, clock: WallClock,
        log: Logger
    ) {
        self.store = store
        self.lists = lists
        self.publisher = publisher
        self.clock = clock
        self.log = log
    }

    // MARK: Reading

    /// Returns what is known of these, by one statement.
    func records(_ ids: [RepositoryID], for viewer: UserID?) async throws -> [RepositoryID: RepositoryRecord]
    {
        let records = try await store.records(ids, for: viewer)
        noteUse(of: records.values)
        return records
    }

    /// Finds a repository by its name or an earlier one, in any case of letters.
    func record(named name: RepositoryName, for viewer: UserID?) async throws -> RepositoryRecord? {
        let word = name.description.lowercased()
        if let record = try await store.record(named: word, for: viewer) {
            noteUse(of: CollectionOfOne(record))
            return record
        }
        guard let id = state.withLock({ $0.oldNames[word] }) else { return nil }
        return try await records([id], for: viewer)[id]
    }

    /// What is known of several names, by one statement; without those that GitHub says are gone.
    func items(named names: [RepositoryName], for viewer: UserID?) async throws
        -> [RepositoryName: RepositoryItem]
    {
        let names = names.filter { !isGone($0, for: viewer) }
        var items: [RepositoryName: RepositoryItem] = [:]
        for record in try await store.records(named: names, for: viewer) {
            guard let name = RepositoryName(record.item.fullName), items[name] == nil else { continue }
            items[name] = record.item
        }
        for name in names where items[name] == nil {
            items[name] = lists.repository(named: name, for: viewer).map { RepositoryItem(repository: $0) }
        }
        return items
    }

    /// Keeps a repository from being the first to be forgotten to make room.
    private func noteUse(of records: some Sequence<RepositoryRecord>) {
        let now = clock.now()
        let used = records.filter {
            ClockSkew.isOver($0.usedAt, lifetime: Self.minimumUseInterval, now: now)
        }
        if !used.isEmpty { state.withLock { $0.used.formUnion(used.map(\.item.id)) } }
    }

    /// Returns whether a detail or README that came at this time is to be fetched again.
    func isStale(_ fetchedAt: Date?) -> Bool {
        guard let fetchedAt else { return true }
        return ClockSkew.isOver(fetchedAt, lifetime: Self.lifetime, now: clock.now())
    }

    /// Returns whether GitHub said a moment ago that it has none for this viewer.
    func isGone(_ name: RepositoryName, for viewer: UserID?) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.gone[Name(name: name, viewer: viewer)] ?? .distantPast) > now }
    }

    // MARK: Merging

    /// Merges an answer and publishes what changed. Returns what the viewer may see: without an account nothing
    /// private.
    ///
    /// - Parameter etag: of an answer that says this alone
    @discardableResult
    func merge(
        _ found: [FetchedRepository], for viewer: UserID?, etag: String? = nil
    ) async throws -> [RepositoryItem] {
        let visible = found.filter { !$0.repository.isPrivate || viewer != nil }
        let hidden = Set(found.filter(\.repository.isPrivate).map(\.repository.id))
        let (items, news, topics) = try await merging.take {
            let now = clock.now()
            let olds = try await records(visible.map(\.repository.id), for: viewer)
            var records: [RepositoryRecord] = []
            var gone = Set(hidden.map { RepositoryKey(id: $0, viewer: nil) })
            var items: [RepositoryItem] = []
            var news: [RepositoryItem] = []
            for one in visible {
                let old = olds[one.repository.id]
                let item = one.item(after: old?.item, at: now)
                items.append(item)
                guard one.detail != nil else { continue }
                let isPrivate = item.repository.isPrivate
                let isSame = old?.item.repository == item.repository && old?.item.detail == item.detail
                records.append(
                    .init(
                        item: item, etag: etag ?? (isSame ? old?.etag : nil),
                        viewer: isPrivate ? viewer : nil, usedAt: now))
                // Public now: the row that only the viewer's account could see says no more than that.
                if !isPrivate, let viewer { gone.insert(RepositoryKey(id: item.id, viewer: viewer)) }
                if !isSame { news.append(item) }
            }
            return (items, news, try await store.put(records, forget: gone, at: now))
        }
        if !hidden.isEmpty { lists.remove(hidden) }
        publisher.publish(topics + Self.topics(of: news, viewer))
        return items
    }

    private static func topics(of news: [RepositoryItem], _ viewer: UserID?) -> [String] {
        var topics: [String] = []
        if news.contains(where: { !$0.repository.isPrivate }) { topics.append(Topic.repositories) }
        if let viewer, news.contains(where: \.repository.isPrivate) {
            topics.append(Topic.repositories(viewer))
        }
        return topics
    }

    /// Merges the answer to a question about one repository by its name; nil where the viewer may not see it.
    ///
    /// - Parameter old: what was known by this name
    func merge(
        _ found: FetchedRepository, named name: RepositoryName, after old: RepositoryRecord?,
        for viewer: UserID?, etag: String?
    ) async throws -> RepositoryItem? {
        guard let item = try await merge([found], for: viewer, etag: etag).first else {
            try await markGone(name, old, for: viewer)
            return nil
        }
        if item.fullName.lowercased() != name.description.lowercased() { note(old: name, of: item.id) }
        // The name now belongs to another repository; keeping the row would refetch it on every view.
        if let old, old.item.id != item.id { try await store.put([], forget: [old.key], at: clock.now()) }
        unmarkGone(name, for: viewer)
        return item
    }

    /// Notes that GitHub said that a repository is unchanged.
    func confirm(_ record: RepositoryRecord) async throws -> RepositoryItem {
        let now = clock.now()
        try await store.confirm(record.key, at: now)
        var item = record.item
        item.fetchedAt = now
        return item
    }

    private func note(old name: RepositoryName, of id: RepositoryID) {
        state.withLock { state in
            if state.oldNames.count >= Self.maximumNames { state.oldNames.removeAll() }
            state.oldNames[name.description.lowercased()] = id
        }
    }

    /// Notes that this viewer cannot see it, and removes what is stored under this viewer.
    func markGone(_ name: RepositoryName, _ old: RepositoryRecord?, for viewer: UserID?) async throws {
        let until = clock.steady() + Self.negativeTTL
        state.withLock { state in
            if state.gone.count > Self.maximumNames { state.gone.removeAll() }
            state.gone[Name(name: name, viewer: viewer)] = until
        }
        guard let old, old.viewer == viewer else { return }
        lists.remove([old.item.id])
        try await store.put([], forget: [old.key], at: clock.now())
        publisher.publish([Topic.repositories])
    }

    func unmarkGone(_ name: RepositoryName, for viewer: UserID?) {
        state.withLock { $0.gone[Name(name: name, viewer: viewer)] = nil }
    }

    // MARK: Making room

    /// Writes down what was looked at and keeps the latest used; what bookmarks refer to stays.
    func makeRoom(details: Int, readmes: Int) async {
        let now = clock.steady()
        let used = state.withLock { state in
            state.gone = state.gone.filter { $0.value > now }
            defer { state.used = [] }
            return state.used
        }
        do {
            try await store.tidy(used: used, details: details, readmes: readmes, at: clock.now())
        } catch {
            log.error("Repositories could not be tidied", metadata: ["error": "\(error)"])
        }
    }

    /// Drops what only this user's account could see: it is disconnected.
    func removeAll(of user: UserID) async {
        do { try await store.removeAll(of: user) } catch {
            log.error("Private repositories could not be forgotten", metadata: ["error": "\(error)"])
        }
    }

    func forget(_ user: UserID) {
        state.withLock { state in state.gone = state.gone.filter { $0.key.viewer != user } }
    }
}
