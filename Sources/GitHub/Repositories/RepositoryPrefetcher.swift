import Foundation
import Logging
import RoostSupport
import Synchronization

/// Fetches the details of list rows: fifty at a time with GraphQL, or one at a time. Repositories without a node id are
/// always fetched one at a time.
final class RepositoryPrefetcher: Sendable {
    private static let lifetime: TimeInterval = 7 * 86_400
    /// The time until a missing repository is requested again. Long, because no user has clicked on it.
    private static let negativeTTL = Duration.seconds(86_400)
    private static let maximumMissing = 50_000

    private struct NoGraphQL: Error { let why: String }

    private struct State {
        var queue = PrefetchQueue()
        /// Missing or hidden repositories, with the time when this expires.
        var missing: [RepositoryKey: ContinuousClock.Instant] = [:]
    }

    private let queues: RepositoryRequestQueues
    private let fetcher: RepositoryFetcher
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let clock: WallClock
    private let log: Logger
    private let state = Mutex(State())

    init(
        queues: RepositoryRequestQueues, fetcher: RepositoryFetcher, catalog: RepositoryCatalog,
        lists: RepositoryListCache, clock: WallClock, log: Logger
    ) {
        self.queues = queues
        self.fetcher = fetcher
        self.catalog = catalog
        self.lists = lists
        self.clock = clock
        self.log = log
    }

    func setVisible(_ ids: [RepositoryID], for user: UserID) {
        let now = clock.steady()
        state.withLock { $0.queue.setVisible(ids, of: user, at: now) }
    }

    /// Replaces the rows of the user's current list, visible or not. Returns true if any should be fetched.
    func setOffscreen(_ items: [RepositoryItem], for user: UserID, viewer: UserID?) -> Bool {
        let (now, steady) = (clock.now(), clock.steady())
        // Skips rows without a node id: requesting a whole page one by one would use up the limit.
        let stale = items.filter { item in
            RepositoryQuery.nodeId(of: item.repository) != nil
                && item.fetchedAt.map { ClockSkew.isExpired($0, lifetime: Self.lifetime, now: now) } ?? true
        }
        return state.withLock { state in
            let ids = stale.map(\.id).filter { id in
                (state.missing[RepositoryKey(id: id, viewer: viewer)] ?? .distantPast) <= steady
            }
            state.queue.setOffscreen(ids, of: user, at: steady)
            return !ids.isEmpty
        }
    }

    func fetch(_ queue: RepositoryRequestQueue) async throws {
        while true {
            try Task.checkCancellation()
            let isMany = queue.hasGraphQL
            let rows = dequeue(isMany ? RepositoryQuery.maximum : 1, queue)
            guard !rows.isEmpty else { return }
            do {
                let repositories = try await unknown(rows.map(\.id), queue)
                guard !repositories.isEmpty else { continue }
                if isMany { try await fetchNodes(repositories, queue) }
                // One at a time, because the screen may show other rows by then.
                let single =
                    isMany ? repositories.filter { RepositoryQuery.nodeId(of: $0) == nil } : repositories
                guard let first = single.first else { continue }
                try await fetchRow(first, queue)
                let left = Set(single.dropFirst().map(\.id))
                state.withLock { $0.queue.putBack(rows.filter { left.contains($0.id) }) }
            } catch let error as NoGraphQL {
                // REST then fetches visible rows, one at a time.
                log.info("Repository details are fetched over REST", metadata: ["why": "\(error.why)"])
                queue.noteNoGraphQL()
                state.withLock { $0.queue.putBack(rows) }
            } catch {
                state.withLock { $0.queue.putBack(rows) }
                throw error
            }
        }
    }

    private func dequeue(_ count: Int, _ queue: RepositoryRequestQueue) -> [PrefetchQueue.Row] {
        let now = clock.steady()
        let users = state.withLock { $0.queue.users { _ in true } }
        let own = Set(users.filter { queues.queue(for: $0).viewer == queue.viewer })
        return state.withLock { state in
            state.queue.dequeue(count, withOffscreen: queue.hasGraphQL, at: now) { own.contains($0) }
        }
    }

    /// Returns the repositories that can be requested and whose detail is missing or old.
    private func unknown(_ ids: [RepositoryID], _ queue: RepositoryRequestQueue) async throws -> [Repository]
    {
        let (now, steady) = (clock.now(), clock.steady())
        var seen: Set<RepositoryID> = []
        let records = try await catalog.database.read { try catalog.records($0, ids, for: queue.viewer) }
        return ids.filter { seen.insert($0).inserted }.compactMap { id in
            let fetchedAt = records[id]?.item.fetchedAt ?? .distantPast
            guard ClockSkew.isExpired(fetchedAt, lifetime: Self.lifetime, now: now) else { return nil }
            let key = RepositoryKey(id: id, viewer: queue.viewer)
            guard state.withLock({ $0.missing[key] ?? .distantPast }) <= steady else { return nil }
            return records[id]?.item.repository ?? lists.repository(id, for: queue.viewer)
        }
    }

    private func fetchRow(_ repository: Repository, _ queue: RepositoryRequestQueue) async throws {
        guard let name = RepositoryName(repository.fullName) else { return }
        do {
            // The name may belong to another repository by now.
            if try await fetcher.fetchDetail(name, .rows, queue)?.item.id == repository.id { return }
        } catch let failure as GitHubFailure where Self.isRepositorySpecific(failure) {
            log.info("A repository’s details could not be read", metadata: ["why": "\(failure.detail)"])
        }
        markMissing([repository.id], queue)
    }

    /// True if only this repository is affected, and the next request may succeed.
    private static func isRepositorySpecific(_ failure: GitHubFailure) -> Bool {
        switch failure.error {
        case .invalidResponse, .forbidden, .singleSignOn, .legallyBlocked: true
        default: false
        }
    }

    private func fetchNodes(_ repositories: [Repository], _ queue: RepositoryRequestQueue) async throws {
        let nodeIds = repositories.compactMap(RepositoryQuery.nodeId)
        guard !nodeIds.isEmpty else { return }
        let body: Data
        do {
            body = try await queue.graphQL(
                RepositoryQuery.nodes, ["ids": .list(nodeIds)], .rows)
        } catch let failure as GitHubFailure where Self.isUnsupported(failure) {
            throw NoGraphQL(why: failure.detail)
        }
        guard let answer = try? GraphQLRepositoryParser(body, now: clock.now()) else {
            throw NoGraphQL(why: "not a GraphQL response")
        }
        if answer.isUnsupported { throw NoGraphQL(why: answer.problem ?? "") }
        guard answer.hasNodes else {
            throw GitHubFailure(
                error: .serverError(statusCode: 200), status: 200, detail: answer.problem ?? "no nodes")
        }
        let requested = Set(repositories.filter { RepositoryQuery.nodeId(of: $0) != nil }.map(\.id))
        let found = answer.found.filter { requested.contains($0.repository.id) }
        try await catalog.merge(found, for: queue.viewer)
        markMissing(Array(requested.subtracting(found.map(\.repository.id))), queue)
    }

    /// Prevents requests for these for a day.
    private func markMissing(_ ids: [RepositoryID], _ queue: RepositoryRequestQueue) {
        guard !ids.isEmpty else { return }
        let until = clock.steady() + Self.negativeTTL
        state.withLock { state in
            if state.missing.count > Self.maximumMissing { state.missing.removeAll() }
            for id in ids { state.missing[RepositoryKey(id: id, viewer: queue.viewer)] = until }
        }
    }

    /// A host without GraphQL answers 404; a token without access to it, 403.
    private static func isUnsupported(_ failure: GitHubFailure) -> Bool {
        failure.error == .forbidden || [400, 404, 405, 406, 410, 415, 501].contains(failure.status)
    }

    func removeExpired() {
        let now = clock.steady()
        state.withLock { state in state.missing = state.missing.filter { $0.value > now } }
    }

    func forget(_ user: UserID) {
        state.withLock { state in
            state.queue.forget(user)
            state.missing = state.missing.filter { $0.key.viewer != user }
        }
    }
}
