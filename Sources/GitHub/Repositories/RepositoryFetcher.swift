package import Foundation
import Logging
package import RoostSupport

package final class RepositoryFetcher: Sendable {
    private let queues: RepositoryRequestQueues
    private let catalog: RepositoryCatalog
    private let lists: RepositoryListCache
    private let database: Database
    private let publisher: ThrottledPublisher
    private let host: GitHubHost
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock
    private let log: Logger

    /// - Parameter host: the host whose repositories are shown
    init(
        queues: RepositoryRequestQueues, catalog: RepositoryCatalog, lists: RepositoryListCache,
        database: Database, publisher: ThrottledPublisher, host: GitHubHost,
        heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        self.queues = queues
        self.catalog = catalog
        self.lists = lists
        self.database = database
        self.publisher = publisher
        self.host = host
        self.heavyWork = heavyWork
        self.clock = clock
        self.log = log
    }

    // MARK: Lists

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
        // The account may see private repositories, but this list is public.
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

    /// Parses `/repositories?since=369`. Rejects links back, which would never end.
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
        // Excludes private repositories that the server's token can see.
        let isPublic = queue.viewer == nil && queue.isSignedIn
        let path = RepositorySearch.path(of: search.list, page: page, isPublic: isPublic, now: clock.now())
        let answer = try await queue.get(path, purpose)
        let fetchedAt = clock.steady()
        let list = try Self.reading { try RESTRepositoryParser.search(answer.body, now: clock.now()) }
        logRefused(list)
        let items = try await catalog.merge(list.found, for: queue.viewer)
        // The total would reveal how many private repositories the server's token can see.
        let total = items.count == list.found.count ? list.total : nil
        lists.put(
            RepositorySearchCache.Page(
                repositories: items.map(\.repository), total: total,
                isIncomplete: list.isIncomplete, hasNext: answer.links["next"] != nil,
                fetchedAt: fetchedAt, refused: list.refused),
            page, of: search)
        // Users without an account share search results.
        if queue.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    /// Fetches one page of the user's stars, as background work.
    ///
    /// Throws `GitHubFailure`, and `RoostError.unavailable` without an account on the standard host.
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
            "Repositories were skipped", metadata: ["count": "\(list.refused)", "why": "\(why)"])
    }

    // MARK: One repository

    func isStale(_ name: RepositoryName, _ queue: RepositoryRequestQueue) async throws -> Bool {
        catalog.isStale(try await catalog.record(named: name, for: queue.viewer)?.item.fetchedAt)
    }

    /// Returns nil if GitHub reports the repository as missing. Throws `GitHubFailure`.
    func fetchDetail(
        _ name: RepositoryName, _ purpose: RateLimitPolicy.Purpose, _ queue: RepositoryRequestQueue
    ) async throws -> (item: RepositoryItem, isNew: Bool)? {
        let old = try await catalog.record(named: name, for: queue.viewer)
        do {
            let answer = try await queue.get(name.apiPath, etag: old?.etag, purpose)
            if answer.status == 304, let old { return (try await catalog.confirm(old), false) }
            let found = try Self.reading { try RESTRepositoryParser.detail(answer.body, now: clock.now()) }
            return try await catalog.merge(
                found, named: name, after: old, for: queue.viewer, etag: answer.etag
            ).map { ($0, true) }
        } catch let failure as GitHubFailure where Self.isNotFound(failure) {
            try await catalog.markMissing(name, old, for: queue.viewer)
            return nil
        }
    }

    func fetchReadme(_ name: RepositoryName, _ queue: RepositoryRequestQueue) async throws {
        guard let record = try await catalog.record(named: name, for: queue.viewer) else { return }
        // Before sharing with everyone what an account can see, check that the repository is still public.
        let isRecent = record.item.fetchedAt.map { !ClockSkew.isExpired($0, lifetime: 60, now: clock.now()) }
        if queue.isSignedIn, record.viewer == nil, isRecent != true {
            guard try await fetchDetail(name, .readme, queue) != nil else { return }
            let again = try await catalog.record(named: name, for: queue.viewer)
            guard again?.key == record.key else { return }
        }
        let old = try await database.read { try $0.readme(of: record.key) }
        guard catalog.isStale(old?.fetchedAt) else { return }
        let readme: StoredReadme
        do {
            let answer = try await queue.get(
                "/repos/\(record.item.fullName)/readme", accept: "application/vnd.github.html",
                etag: old?.etag, .readme)
            if answer.status == 304, let old {
                readme = .init(readme: old.readme, etag: old.etag, fetchedAt: clock.now())
            } else {
                let branch = record.item.detail?.defaultBranch ?? "HEAD"
                // Users without an account share READMEs, so no one user is charged for the work.
                let cleaned = try await heavyWork.run(for: queue.viewer ?? 0, rows: answer.body.count / 100) {
                    Readme.cleaned(
                        answer.body, repository: record.item.repository, branch: branch, host: host)
                }
                readme = .init(readme: cleaned, etag: answer.etag, fetchedAt: clock.now())
            }
        } catch let failure as GitHubFailure where Self.isNotFound(failure) {
            readme = .init(readme: nil, etag: nil, fetchedAt: clock.now())
        }
        try await database.write { [readme] in try $0.putReadme(readme, of: record.key) }
        if record.viewer == nil { publisher.publish([Topic.repositories]) }
    }

    private static func isNotFound(_ failure: GitHubFailure) -> Bool { [404, 410].contains(failure.status) }

    /// Reports a body that cannot be parsed as an invalid response.
    private static func reading<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "unreadable: \(error)")
        }
    }
}

package struct StarredPage: Sendable {
    package var items: [(item: RepositoryItem, starredAt: Date)]
    package var refused: RefusedRepositories = .init()
    /// The path of the next page, or nil for the last page.
    package var next: String?
}
