import Foundation

/// Pages of all public repositories in memory, shared by all users.
struct RepositoryPageCache: Sendable {
    struct Page: Sendable {
        var repositories: [Repository]
        var etag: String?
        var next: RepositoryID?
        var fetchedAt: ContinuousClock.Instant
        var refused = 0
    }

    static let maximumPages = 200
    /// The time until a page is fetched again. It is shown until then.
    static let lifetime = Duration.seconds(600)

    private var pages: [RepositoryID: Page] = [:]
    private var used: [RepositoryID: Int] = [:]
    private var tick = 0
    private var pageStarts: [RepositoryID: RepositoryID] = [:]
    private var names: [String: RepositoryID] = [:]

    mutating func page(since: RepositoryID) -> Page? {
        guard let page = pages[since] else { return nil }
        tick += 1
        used[since] = tick
        return page
    }

    mutating func put(_ page: Page, since: RepositoryID) {
        remove(since: since)
        if pages.count >= Self.maximumPages, let oldest = used.min(by: { $0.value < $1.value })?.key {
            remove(since: oldest)
        }
        tick += 1
        used[since] = tick
        pages[since] = page
        for repository in page.repositories {
            pageStarts[repository.id] = since
            names[repository.fullName.lowercased()] = repository.id
        }
    }

    mutating func confirm(since: RepositoryID, at now: ContinuousClock.Instant) {
        pages[since]?.fetchedAt = now
    }

    private mutating func remove(since: RepositoryID) {
        used[since] = nil
        guard let page = pages.removeValue(forKey: since) else { return }
        for repository in page.repositories where pageStarts[repository.id] == since {
            pageStarts[repository.id] = nil
            names[repository.fullName.lowercased()] = nil
        }
    }

    mutating func remove(_ ids: Set<RepositoryID>) {
        // Pages overlap, because a list can start at any id.
        for (since, page) in pages where page.repositories.contains(where: { ids.contains($0.id) }) {
            pages[since]?.repositories.removeAll { ids.contains($0.id) }
            // The ETag describes the page with this repository: fetch it in full next time.
            pages[since]?.etag = nil
        }
        for id in ids { pageStarts[id] = nil }
        names = names.filter { !ids.contains($0.value) }
    }

    func repository(_ id: RepositoryID) -> Repository? {
        pageStarts[id].flatMap { pages[$0]?.repositories.first { $0.id == id } }
    }

    func repository(named name: RepositoryName) -> Repository? {
        names[name.description.lowercased()].flatMap { repository($0) }
    }
}
