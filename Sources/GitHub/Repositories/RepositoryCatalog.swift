import Foundation
import RoostSupport
import Synchronization

/// All data about repositories: SQLite's rows, missing repositories, and earlier names. Merges GitHub's responses.
final class RepositoryCatalog: Sendable {
    private static let lifetime: TimeInterval = 3_600
    /// The time until a missing or hidden repository is requested again.
    private static let negativeTTL = Duration.seconds(600)
    /// Seconds until another use of the same repository is saved.
    private static let minimumUseInterval: TimeInterval = 86_400
    private static let maximumNames = 5_000

    private struct Name: Hashable {
        let name: RepositoryName
        let viewer: UserID?
    }

    private struct State {
        /// Missing or hidden repositories, with the time when this expires.
        var missing: [Name: ContinuousClock.Instant] = [:]
        /// In lower case.
        var oldNames: [String: RepositoryID] = [:]
        /// Uses that are not yet saved in SQLite.
        var used: Set<RepositoryID> = []
    }

    let database: Database
    private let lists: RepositoryListCache
    private let publisher: ThrottledPublisher
    private let clock: WallClock
    private let state = Mutex(State())

    init(
        database: Database, lists: RepositoryListCache, publisher: ThrottledPublisher, clock: WallClock
    ) {
        self.database = database
        self.lists = lists
        self.publisher = publisher
        self.clock = clock
    }

    // MARK: Reading

    func records(_ reads: Reads, _ ids: [RepositoryID], for viewer: UserID?) throws -> [RepositoryID:
        RepositoryRecord]
    {
        let records = try reads.repositories(ids, for: viewer)
        noteUse(of: records.values)
        return records
    }

    /// Finds a repository by its current or an earlier name, case-insensitively.
    func record(_ reads: Reads, named name: RepositoryName, for viewer: UserID?) throws -> RepositoryRecord? {
        let key = name.description.lowercased()
        let id = state.withLock { $0.oldNames[key] }
        let record =
            try reads.repository(named: key, for: viewer)
            ?? id.flatMap { try reads.repositories([$0], for: viewer)[$0] }
        if let record { noteUse(of: CollectionOfOne(record)) }
        return record
    }

    func record(named name: RepositoryName, for viewer: UserID?) async throws -> RepositoryRecord? {
        try await database.read { try record($0, named: name, for: viewer) }
    }

    /// Uses a single query. Leaves out repositories that GitHub reports as missing.
    func items(_ reads: Reads, named names: [RepositoryName], for viewer: UserID?) throws
        -> [RepositoryName: RepositoryItem]
    {
        let names = names.filter { !isMissing($0, for: viewer) }
        var items: [RepositoryName: RepositoryItem] = [:]
        let records = try reads.repositories(named: names, for: viewer)
        for record in records {
            guard let name = RepositoryName(record.item.fullName), items[name] == nil else { continue }
            items[name] = record.item
        }
        for name in names where items[name] == nil {
            items[name] = lists.repository(named: name, for: viewer).map { RepositoryItem(repository: $0) }
        }
        return items
    }

    private func noteUse(of records: some Sequence<RepositoryRecord>) {
        let now = clock.now()
        let used = records.filter {
            ClockSkew.isExpired($0.usedAt, lifetime: Self.minimumUseInterval, now: now)
        }
        if !used.isEmpty { state.withLock { $0.used.formUnion(used.map(\.item.id)) } }
    }

    func isStale(_ fetchedAt: Date?) -> Bool {
        guard let fetchedAt else { return true }
        return ClockSkew.isExpired(fetchedAt, lifetime: Self.lifetime, now: clock.now())
    }

    /// Returns true if GitHub recently reported it as missing for this viewer.
    func isMissing(_ name: RepositoryName, for viewer: UserID?) -> Bool {
        let now = clock.steady()
        return state.withLock { ($0.missing[Name(name: name, viewer: viewer)] ?? .distantPast) > now }
    }

    // MARK: Merging

    /// Merges a response and publishes the changes. Returns what the viewer may see: nothing private without an
    /// account.
    ///
    /// - Parameters:
    ///   - etag: of a response about a single repository
    ///   - old: the record of another repository that had this one's name, which is removed
    @discardableResult
    func merge(
        _ found: [FetchedRepository], for viewer: UserID?, etag: String? = nil,
        replacing old: RepositoryRecord? = nil
    ) async throws -> [RepositoryItem] {
        let visible = found.filter { !$0.repository.isPrivate || viewer != nil }
        let hidden = Set(found.filter(\.repository.isPrivate).map(\.repository.id))
        let (previous, items, changed) = try await database.write { [now = clock.now()] writes in
            let previous = try writes.repositories(visible.map(\.repository.id), for: viewer)
            var records: [RepositoryRecord] = []
            var removed = Set(hidden.map { RepositoryKey(id: $0, viewer: nil) })
            var items: [RepositoryItem] = []
            var changed: [RepositoryItem] = []
            for one in visible {
                let before = previous[one.repository.id]
                let item = one.item(after: before?.item, at: now)
                items.append(item)
                // Keeping the row would refetch the repository on every view.
                if let old, old.item.id != item.id { removed.insert(old.key) }
                guard one.detail != nil else { continue }
                let isPrivate = item.repository.isPrivate
                let isSame =
                    before?.item.repository == item.repository && before?.item.detail == item.detail
                records.append(
                    .init(
                        item: item, etag: etag ?? (isSame ? before?.etag : nil),
                        viewer: isPrivate ? viewer : nil, usedAt: now))
                // The repository is public now, so the viewer's own row is redundant.
                if !isPrivate, let viewer { removed.insert(RepositoryKey(id: item.id, viewer: viewer)) }
                if !isSame { changed.append(item) }
            }
            try Self.put(records, at: now, in: writes)
            // Bookmarks must refer to the new rows first.
            for key in removed { try writes.forgetRepository(key) }
            return (previous, items, changed)
        }
        noteUse(of: previous.values)
        if !hidden.isEmpty { lists.remove(hidden) }
        publisher.publish(Self.topics(of: changed, viewer))
        return items
    }

    /// Stores records and updates their bookmarks.
    static func put(_ records: [RepositoryRecord], at now: Date, in writes: Writes) throws {
        try BookmarkEdits.follow(records.map(writes.putRepository), at: now, in: writes)
    }

    private static func topics(of changed: [RepositoryItem], _ viewer: UserID?) -> [String] {
        var topics: [String] = []
        if changed.contains(where: { !$0.repository.isPrivate }) { topics.append(Topic.repositories) }
        if let viewer, changed.contains(where: \.repository.isPrivate) {
            topics.append(Topic.repositories(viewer))
        }
        return topics
    }

    /// Merges the response for one repository requested by name. Returns nil if the viewer may not see it.
    ///
    /// - Parameter old: the previous record of this name
    func merge(
        _ found: FetchedRepository, named name: RepositoryName, after old: RepositoryRecord?,
        for viewer: UserID?, etag: String?
    ) async throws -> RepositoryItem? {
        guard let item = try await merge([found], for: viewer, etag: etag, replacing: old).first else {
            try await markMissing(name, old, for: viewer)
            return nil
        }
        if item.fullName.lowercased() != name.description.lowercased() { recordOldName(name, of: item.id) }
        unmarkMissing(name, for: viewer)
        return item
    }

    func confirm(_ record: RepositoryRecord) async throws -> RepositoryItem {
        let now = clock.now()
        try await database.write { try $0.confirmRepository(record.key, at: now) }
        var item = record.item
        item.fetchedAt = now
        return item
    }

    private func recordOldName(_ name: RepositoryName, of id: RepositoryID) {
        state.withLock { state in
            if state.oldNames.count >= Self.maximumNames { state.oldNames.removeAll() }
            state.oldNames[name.description.lowercased()] = id
        }
    }

    /// Records that this viewer cannot see the repository, and removes the record that is stored for this viewer.
    func markMissing(_ name: RepositoryName, _ old: RepositoryRecord?, for viewer: UserID?) async throws {
        let until = clock.steady() + Self.negativeTTL
        state.withLock { state in
            if state.missing.count > Self.maximumNames { state.missing.removeAll() }
            state.missing[Name(name: name, viewer: viewer)] = until
        }
        guard let old, old.viewer == viewer else { return }
        lists.remove([old.item.id])
        try await database.write { try $0.forgetRepository(old.key) }
        publisher.publish([Topic.repositories])
    }

    func unmarkMissing(_ name: RepositoryName, for viewer: UserID?) {
        state.withLock { $0.missing[Name(name: name, viewer: viewer)] = nil }
    }

    // MARK: Making room

    /// Saves uses and removes the least recently used rows. Rows that bookmarks refer to stay.
    func makeRoom(details: Int, readmes: Int) async {
        let now = clock.steady()
        let used = state.withLock { state in
            state.missing = state.missing.filter { $0.value > now }
            defer { state.used = [] }
            return state.used
        }
        try? await database.write { [now = clock.now()] writes in
            if !used.isEmpty { try writes.noteRepositoryUse(used, at: now) }
            try writes.removeUnusedRepositories(details: details, readmes: readmes)
        }
    }

    /// Removes what only this user's account could see, after it was disconnected.
    func removeAll(of user: UserID) async {
        try? await database.write { try $0.forgetRepositories(of: user) }
    }

    func forget(_ user: UserID) {
        state.withLock { state in state.missing = state.missing.filter { $0.key.viewer != user } }
    }
}
