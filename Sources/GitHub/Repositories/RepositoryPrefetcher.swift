import Foundation
import Logging
import RoostSupport
import Synchronization

/// Fetches details of rows on screen: one by one without an account, fifty at a time with one. What has no node id is
/// asked for one by one as well.
final class RepositoryPrefetcher: Sendable {
    /// Seconds after which a row's detail is fetched again.
    private static let lifetime: TimeInterval = 7 * 86_400
    /// Seconds until a row that GitHub says is gone is asked for again; no user has clicked on it.
    private static let negativeTTL: TimeInterval = 86_400
    private static let maximumGone = 50_000

    /// This host has no GraphQL that could answer.
    private struct NoGraphQL: Error { let why: String }

    private struct State {
        var queue = PrefetchQueue()
        /// What GitHub says is gone, with the steady clock's time until which that holds.
        var gone: [RepositoryKey: Date] = [:]
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

    /// Replaces the rows on the user's screen; the last named comes first.
    func setVisible(_ ids: [RepositoryID], for user: UserID) {
        let now = clock.steady()
        state.withLock { $0.queue.setVisible(ids, of: user, at: now) }
    }

    /// Replaces the rows of the list that the user looks at, on screen or not. Returns whether any is to be fetched.
    func setOffscreen(_ items: [RepositoryItem], for user: UserID, viewer: UserID?) -> Bool {
        let (now, steady) = (clock.now(), clock.steady())
        // One by one a whole page would use up the limit.
        let stale = items.filter { item in
            RepositoryQuery.nodeId(of: item.repository) != nil
                && item.fetchedAt.map { ClockSkew.isOver($0, lifetime: Self.lifetime, now: now) } ?? true
        }
        return state.withLock { state in
            let ids = stale.map(\.id).filter { id in
                (state.gone[RepositoryKey(id: id, viewer: viewer)] ?? .distantPast) <= steady
            }
            state.queue.setOffscreen(ids, of: user, at: steady)
            return !ids.isEmpty
        }
    }

    /// Fetches the rows of all users whom this queue asks for.
    func fetch(_ queue: RepositoryRequestQueue) async throws {
        while true {
            try Task.checkCancellation()
            let isMany = queue.hasGraphQL
            let taken = take(isMany ? RepositoryQuery.maximum : 1, queue)
            guard !taken.isEmpty else { return }
            do {
                let wanted = try await unknown(taken.map(\.id), queue)
                guard !wanted.isEmpty else { continue }
                if isMany { try await fetchNodes(wanted, queue) }
                // One at a time: the screen may show others by then.
                let single = isMany ? wanted.filter { RepositoryQuery.nodeId(of: $0) == nil } : wanted
                guard let first = single.first else { continue }
                try await fetchRow(first, queue)
                let left = Set(single.dropFirst().map(\.id))
                state.withLock { $0.queue.putBack(taken.filter { left.contains($0.id) }) }
            } catch let lack as NoGraphQL {
                // REST asks for them one by one, as far as they are on screen.
                log.info("Repositories’ details are asked for by REST", metadata: ["why": "\(lack.why)"])
                queue.noteNoGraphQL()
                state.withLock { $0.queue.putBack(taken) }
            } catch {
                state.withLock { $0.queue.putBack(taken) }
                throw error
            }
        }
    }

    private func take(_ count: Int, _ queue: RepositoryRequestQueue) -> [PrefetchQueue.Taken] {
        let now = clock.steady()
        let users = state.withLock { $0.queue.users { _ in true } }
        let own = Set(users.filter { queues.queue(for: $0).viewer == queue.viewer })
        return state.withLock { state in
            state.queue.take(count, withOffscreen: queue.hasGraphQL, at: now) { own.contains($0) }
        }
    }

    /// Returns those of which too little is known, and that can be asked for.
    private func unknown(_ ids: [RepositoryID], _ queue: RepositoryRequestQueue) async throws -> [Repository]
    {
        let (now, steady) = (clock.now(), clock.steady())
        var seen: Set<RepositoryID> = []
        let records = try await catalog.records(ids, for: queue.viewer)
        return ids.filter { seen.insert($0).inserted }.compactMap { id in
            let fetchedAt = records[id]?.item.fetchedAt ?? .distantPast
            guard ClockSkew.isOver(fetchedAt, lifetime: Self.lifetime, now: now) else { return nil }
            let key = RepositoryKey(id: id, viewer: queue.viewer)
            guard state.withLock({ $0.gone[key] ?? .distantPast }) <= steady else { return nil }
            return records[id]?.item.repository ?? lists.repository(id, for: queue.viewer)
        }
    }

    private func fetchRow(_ repository: Repository, _ queue: RepositoryRequestQueue) async throws {
        guard let name = RepositoryName(repository.fullName) else { return }
        do {
            // Another's answer tells nothing of this one.
            if try await fetcher.fetchDetail(name, .rows, queue)?.item.id == repository.id { return }
        } catch let failure as GitHubFailure where Self.isOwnFault(failure) {
            log.info("A row’s detail could not be read", metadata: ["why": "\(failure.detail)"])
        }
        markGone([repository.id], queue)
    }

    /// Returns whether the failure is of this one repository: the next may go well.
    private static func isOwnFault(_ failure: GitHubFailure) -> Bool {
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
        } catch let failure as GitHubFailure where Self.isLack(failure) {
            throw NoGraphQL(why: failure.detail)
        }
        guard let answer = try? GraphQLRepositoryParser(body, now: clock.now()) else {
            throw NoGraphQL(why: "the answer is no GraphQL")
        }
        if answer.isLack { throw NoGraphQL(why: answer.problem ?? "") }
        guard answer.hasNodes else {
            throw GitHubFailure(
                error: .serverError(statusCode: 200), status: 200, detail: answer.problem ?? "no nodes")
        }
        let asked = Set(repositories.filter { RepositoryQuery.nodeId(of: $0) != nil }.map(\.id))
        // Only what was asked for: an answer cannot speak of others.
        let found = answer.found.filter { asked.contains($0.repository.id) }
        try await catalog.merge(found, for: queue.viewer)
        markGone(Array(asked.subtracting(found.map(\.repository.id))), queue)
    }

    /// Has these not asked for again for a day.
    private func markGone(_ ids: [RepositoryID], _ queue: RepositoryRequestQueue) {
        guard !ids.isEmpty else { return }
        let until = clock.steady() + Self.negativeTTL
        state.withLock { state in
            if state.gone.count > Self.maximumGone { state.gone.removeAll() }
            for id in ids { state.gone[RepositoryKey(id: id, viewer: queue.viewer)] = until }
        }
    }

    /// A host without GraphQL answers 404, a token that may not use it 403.
    private static func isLack(_ failure: GitHubFailure) -> Bool {
        failure.error == .forbidden || [400, 404, 405, 406, 410, 415, 501].contains(failure.status)
    }

    /// Drops what is over.
    func removeExpired() {
        let now = clock.steady()
        state.withLock { state in state.gone = state.gone.filter { $0.value > now } }
    }

    func forget(_ user: UserID) {
        state.withLock { state in
            state.queue.forget(user)
            state.gone = state.gone.filter { $0.key.viewer != user }
        }
    }
}
