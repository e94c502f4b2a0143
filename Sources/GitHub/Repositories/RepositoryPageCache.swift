import Foundation

/// Pages of the list of all public repositories, in memory: they are everybody's.
struct RepositoryPageCache: Sendable {
    struct Page: Sendable {
        var repositories: [Repository]
        var etag: String?
        /// Where the next one begins; nil at the end.
        var next: RepositoryID?
        /// By the steady clock.
        var fetchedAt: Date
        var refused = 0
    }

    /// Twenty thousand repositories.
    static let maximumPages = 200
    /// Shown, and fetched again, after so many seconds.
    static let lifetime: TimeInterval = 600

    private var pages: [RepositoryID: Page] = [:]
    private var used: [RepositoryID: Int] = [:]
    private var tick = 0
    /// The page that a repository is on.
    private var places: [RepositoryID: RepositoryID] = [:]
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
            places[repository.id] = since
            names[repository.fullName.lowercased()] = repository.id
        }
    }

    /// GitHub said that it is still the same.
    mutating func confirm(since: RepositoryID, at now: Date) { pages[since]?.fetchedAt = now }

    private mutating func remove(since: RepositoryID) {
        used[since] = nil
        guard let page = pages.removeValue(forKey: since) else { return }
        for repository in page.repositories where places[repository.id] == since {
            places[repository.id] = nil
            names[repository.fullName.lowercased()] = nil
        }
    }

    /// It is not for everybody any more.
    mutating func remove(_ ids: Set<RepositoryID>) {
        // Pages overlap where readers begin anywhere: it may be on many of them.
        for (since, page) in pages where page.repositories.contains(where: { ids.contains($0.id) }) {
            pages[since]?.repositories.removeAll { ids.contains($0.id) }
            // The page as GitHub sent it had this one: it must come whole.
            pages[since]?.etag = nil
        }
        for id in ids { places[id] = nil }
        names = names.filter { !ids.contains($0.value) }
    }

    func repository(_ id: RepositoryID) -> Repository? {
        places[id].flatMap { pages[$0]?.repositories.first { $0.id == id } }
    }

    func repository(named name: RepositoryName) -> Repository? {
        names[name.description.lowercased()].flatMap { repository($0) }
    }
}
