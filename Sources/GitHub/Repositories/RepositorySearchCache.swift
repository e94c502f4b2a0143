import Foundation
import RoostSupport

/// What searches found, in memory: apart for each account, together for all users without one.
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
        /// By the steady clock.
        var fetchedAt: Date
        var refused: Int
    }

    /// GitHub returns the first thousand of any search.
    static let maximumPages = 10
    private static let maximumSearches = 200
    private static let maximumOfViewer = 20

    private struct Found {
        var pages: [Int: Page] = [:]
        var used = 0
    }

    private var found: [Key: Found] = [:]
    private var tick = 0

    /// Seconds after which it is asked again.
    static func lifetime(of list: RepositoryList) -> TimeInterval {
        if case .trending = list { 3_600 } else { 300 }
    }

    /// - Parameter number: from 1
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
            let among = isViewerFull ? own : found
            if isViewerFull || found.count >= Self.maximumSearches,
                let oldest = among.min(by: { $0.value.used < $1.value.used })?.key
            {
                found[oldest] = nil
            }
        }
        tick += 1
        found[key, default: Found()].used = tick
        found[key]?.pages[number] = page
    }

    mutating func forget(_ viewer: UserID) { found = found.filter { $0.key.viewer != viewer } }

    /// They are not for everybody any more: what an account sees as private stays where that account looks.
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

    private func first(for viewer: UserID?, where fits: (Repository) -> Bool) -> Repository? {
        for (key, found) in found where key.viewer == viewer {
            for page in found.pages.values {
                if let repository = page.repositories.first(where: fits) { return repository }
            }
        }
        return nil
    }
}
