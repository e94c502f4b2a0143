package import Foundation
import Logging
package import RoostSupport

/// Asks GitHub for lists, details and READMEs, and takes in what it answers.
package final class RepositoryFetcher: Sendable {
    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let store: RepositoryStore
    private let publisher: ThrottledPublisher
    private let host: GitHubHost
    private let clean: RepositoryParts.Cleaning
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock
    private let log: Logger

    /// - Parameters:
    ///   - host: the one whose repositories are shown
    ///   - clean: makes of a README's HTML what a page may show
    init(
        queues: RepositoryRequestQueues, catalog: RepositoryCatalog, lists: RepositoryListCache,
        store: RepositoryStore, publisher: ThrottledPublisher, host: GitHubHost,
        clean: @escaping RepositoryParts.Cleaning, heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        self.queues = queues
        self.catalog = catalog
        self.lists = lists
        self.store = store
        self.publisher = publisher
        self.host = host
        self.clean = clean
        self.heavyWork = heavyWork
        self.clock = clock
        self.log = log
    }

    // MARK: Lists

    /// Fetches a page of all public repositories.
    func fetchPage(
        since: RepositoryID, _ purpose: RateLimitPolicy.Purpose, _ queue: RepositoryRequestQueue
    ) async throws {
        let old = lists.page(since: since)
        let path = since > 0 ? "/repositories?since=\(since)" : "/repositories"
        let answer = try await queue.get(path, etag: old?.etag, purpose)
        let fetchedAt = clock.steady()
        if answer.status == 304 { return lists.confirm(since: since, at: fetchedAt) }
        let list = try Self.reading { try RESTRepositoryParser.list(answer.body, now: clock.now()) }
        logRefused(list)
        // Only public ones belong here, whatever the account may see.
        let hidden = list.found.filter(\.repository.isPrivate).count
        let repositories = list.found.map(\.repository).filter { !$0.isPrivate }
        lists.put(
            RepositoryPageCache.Page(
                repositories: repositories, etag: answer.etag,
                next: Self.next(answer.links["next"], after: since), fetchedAt: fetchedAt,
                refused: list.refused + hidden),
            since: since)
        publisher.publish([Topic.repositories])
    }

    /// Reads `/repositories?since=369`; a link that leads back would never end.
    private static func next(_ link: String?, after since: RepositoryID) -> RepositoryID? {
        guard let link, link.hasPrefix("/repositories?"),
            let match = link.firstMatch(of: #/[?&]since=([0-9]{1,18})(?:&|$)/#),
            let next = RepositoryID(match.1), next > since
        else { return nil }
        return next
    }

    func fetchSearch(
        _ search: RepositorySearchCache.Key, page: Int, _ purpose: RateLimitPolicy.Purpose,
        _ queue: RepositoryRequestQueue
    ) async throws {
        // What only the server's token may see is not searched.
        let isPublic = queue.viewer == nil && queue.isSignedIn
        let path = RepositorySearch.path(of: search.list, page: page, isPublic: isPublic, now: clock.now())
        let answer = try await queue.get(path, purpose)
        let fetchedAt = clock.steady()
        let list = try Self.reading { try RESTRepositoryParser.search(answer.body, now: clock.now()) }
        logRefused(list)
        let items = try await catalog.merge(list.found, for: queue.viewer)
        // How many more the server's token sees than is public is not shown.
        let total = items.count == list.found.count ? list.total : nil
        lists.put(
            RepositorySearchCache.Page(
                repositories: items.map(\.repository), total: total,
                isIncomplete: list.isIncomplete, hasNext: answer.links["next"] != nil,
                fetchedAt: fetchedAt, refused: list.refused),
            page, of: search)
        // Users without an account share what they find.
        if queue.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    /// Fetches one page of what the user has starred, as background work.
    ///
    /// Throws `GitHubFailure`; `RoostError.unavailable` without an account on the standard host.
    package func starred(_ path: String?, for user: UserID) async throws -> StarredPage {
        let queue = queues.queue(for: user)
        guard queue.viewer == user else { throw RoostError.unavailable("Connect GitHub first.") }
        let path = path ?? "/user/starred?per_page=100"
        guard path.hasPrefix("/user/starred?") else { throw RoostError.unavailable("Please start again.") }
        let answer = try await queue.get(path, accept: "application/vnd.github.star+json", .upkeep)
        let list = try Self.reading { try RESTRepositoryParser.stars(answer.body, now: clock.now()) }
        logRefused(list)
        let items = try await catalog.merge(list.found, for: user)
        let next = answer.links["next"].flatMap { $0.hasPrefix("/user/starred?") && $0 != path ? $0 : nil }
        return StarredPage(items: Array(zip(items, list.starredAt)), refused: list.refusals, next: next)
    }

    private func logRefused(_ list: RESTRepositoryParser.List) {
        guard let why = list.why else { return }
        log.warning(
            "Repositories were left out", metadata: ["count": "\(list.refused)", "why": "\(why)"])
    }

    // MARK: One repository

    func isStale(_ name: RepositoryName, _ queue: RepositoryRequestQueue) async throws -> Bool {
        catalog.isStale(try await catalog.record(named: name, for: queue.viewer)?.item.fetchedAt)
    }

    /// Fetches a detail; nil: GitHub says that it is gone. Throws `GitHubFailure`.
    func fetchDetail(
        _ name: RepositoryName, _ purpose: RateLimitPolicy.Purpose, _ queue: RepositoryRequestQueue
    ) async throws -> (item: RepositoryItem, isNew: Bool)? {
        let old = try await catalog.record(named: name, for: queue.viewer)
        do {
            let answer = try await queue.get("/repos/\(name)", etag: old?.etag, purpose)
            if answer.status == 304, let old { return (try await catalog.confirm(old), false) }
            let found = try Self.reading { try RESTRepositoryParser.detail(answer.body, now: clock.now()) }
            return try await catalog.merge(
                found, named: name, after: old, for: queue.viewer, etag: answer.etag
            ).map { ($0, true) }
        } catch let failure as GitHubFailure where Self.isGone(failure) {
            try await catalog.markGone(name, old, for: queue.viewer)
            return nil
        }
    }

    func fetchReadme(_ name: RepositoryName, _ queue: RepositoryRequestQueue) async throws {
        guard let record = try await catalog.record(named: name, for: queue.viewer) else { return }
        // What an account may see is shared with everybody only if it is public at this moment.
        let isRecent = record.item.fetchedAt.map { !ClockSkew.isOver($0, lifetime: 60, now: clock.now()) }
        if queue.isSignedIn, record.viewer == nil, isRecent != true {
            guard try await fetchDetail(name, .readme, queue) != nil else { return }
            let again = try await catalog.record(named: name, for: queue.viewer)
            guard again?.key == record.key else { return }
        }
        let old = try await store.readme(record.key)
        guard catalog.isStale(old?.fetchedAt) else { return }
        let readme: RepositoryStore.StoredReadme
        do {
            let answer = try await queue.get(
                "/repos/\(record.item.fullName)/readme", accept: "application/vnd.github.html",
                etag: old?.etag, .readme)
            if answer.status == 304, let old {
                readme = .init(readme: old.readme, etag: old.etag, fetchedAt: clock.now())
            } else {
                let branch = record.item.detail?.defaultBranch ?? "HEAD"
                // Users without an account share what they read: it counts as no user's work.
                let cleaned = try await heavyWork.run(for: queue.viewer ?? 0, rows: answer.body.count / 100) {
                    clean(answer.body, record.item.repository, branch, host)
                }
                readme = .init(readme: cleaned, etag: answer.etag, fetchedAt: clock.now())
            }
        } catch let failure as GitHubFailure where Self.isGone(failure) {
            readme = .init(readme: nil, etag: nil, fetchedAt: clock.now())
        }
        try await store.put(readme, as: record.key)
        if record.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    /// Returns whether GitHub says that there is no such repository, or none that one may see: 404, 410.
    private static func isGone(_ failure: GitHubFailure) -> Bool { [404, 410].contains(failure.status) }

    /// Has a body that cannot be parsed count as an invalid answer.
    private static func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "unreadable: \(error)")
        }
    }
}

/// A page of what a user has starred on GitHub.
package struct StarredPage: Sendable {
    package var items: [(item: RepositoryItem, starredAt: Date)]
    /// What could not be read.
    package var refused: RefusedRepositories
    /// The path of the next page; nil: this is the last.
    package var next: String?

    package init(
        items: [(item: RepositoryItem, starredAt: Date)], refused: RefusedRepositories = .init(),
        next: String?
    ) {
        self.items = items
        self.refused = refused
        self.next = next
    }
}
