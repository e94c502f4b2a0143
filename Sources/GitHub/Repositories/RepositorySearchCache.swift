import Foundation
import RoostSupport

/// Search results in memory: one set per account, and one for all users without one.
package struct RepositorySearchCache: Sendable {
    package struct Key: Hashable, Sendable {
        let list: RepositoryList
        let viewer: UserID?
    }

    struct Page: Sendable {
        var repositories: [Repository]
        var total: Int?
        var isIncomplete: Bool
        var hasNext: Bool
        var fetchedAt: ContinuousClock.Instant
        var refused: Int
    }

    /// GitHub returns only the first thousand results.
    static let maximumPages = 10
    private static let maximumSearches = 200
    private static let maximumOfViewer = 20

    private struct Found {
        var pages: [Int: Page] = [:]
        var used = 0
    }

    private var found: [Key: Found] = [:]
    private var tick = 0

    static func lifetime(of list: RepositoryList) -> Duration {
        if case .trending = list { .seconds(3_600) } else { .seconds(300) }
    }

    mutating func page(_ number: Int, of key: Key) -> Page? {
        guard let page = found[key]?.pages[number] else { return nil }
        tick += 1
        found[key]?.used = tick
        return page
    }

    mutating func put(_ page: Page, _ number: Int, of key: Key) {
        if found[key] == nil {
            let own = found.filter { $0.key.viewer == key.viewer }
            let isViewerFull = key.viewer != nil && own.count >= Self.maximumOfViewer
            let candidates = isViewerFull ? own : found
            if isViewerFull || found.count >= Self.maximumSearches,
                let oldest = candidates.min(by: { $0.value.used < $1.value.used })?.key
            {
                found[oldest] = nil
            }
        }
        tick += 1
        found[key, default: Found()].used = tick
        found[key]?.pages[number] = page
    }

    mutating func forget(_ viewer: UserID) { found = found.filter { $0.key.viewer != viewer } }

    /// Removes repositories that are no longer public. They stay in results where an account sees them as private.
    mutating func remove(_ ids: Set<RepositoryID>) {
        for key in found.keys {
            for number in found[key]?.pages.keys.map(\.self) ?? [] {
                found[key]?.pages[number]?.repositories.removeAll { ids.contains($0.id) && !$0.isPrivate }
            }
        }
    }

    func repository(_ id: RepositoryID, for viewer: UserID?) -> Repository? {
        first(for: viewer) { $0.id == id }
    }

    func repository(named name: RepositoryName, for viewer: UserID?) -> Repository? {
        first(for: viewer) {
            $0.fullName.utf8.count == name.description.utf8.count
                && RepositoryName($0.fullName) == name
        }
    }

    private func first(for viewer: UserID?, where isMatch: (Repository) -> Bool) -> Repository? {
        for (key, found) in found where key.viewer == viewer {
            for page in found.pages.values {
                if let repository = page.repositories.first(where: isMatch) { return repository }
            }
        }
        return nil
    }
}
