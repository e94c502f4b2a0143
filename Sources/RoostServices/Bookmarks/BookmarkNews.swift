import Foundation
import Synchronization

/// What was learned of bookmarked repositories and is not written down yet; the latest of each.
final class BookmarkNews: Sendable {
    private let waiting = Mutex<[UserID: [RepositoryID: RepositoryItem]]>([:])

    /// True when somebody has bookmarked some of it. What is private reaches the one user alone whose account
    /// sees it.
    func put(_ news: RepositoryService.News, for book: BookmarkBook) -> Bool {
        var isWanted = false
        for item in news.items {
            // Twice sure: an item that says that it is private is nobody's but its owner's.
            guard news.owner != nil || !item.repository.isPrivate else { continue }
            let users = book.users(of: item).filter { news.owner == nil || news.owner == $0 }
            guard !users.isEmpty else { continue }
            isWanted = true
            waiting.withLock { waiting in
                for user in users { Self.keep(item, in: &waiting[user, default: [:]]) }
            }
        }
        return isWanted
    }

    /// A row of a list does not displace a detail that came just before it.
    private static func keep(_ item: RepositoryItem, in items: inout [RepositoryID: RepositoryItem]) {
        var item = item
        if let before = items[item.id], before.detail != nil,
            (item.fetchedAt ?? .distantPast) < (before.fetchedAt ?? .distantPast)
        {
            (item.detail, item.fetchedAt) = (before.detail, before.fetchedAt)
        }
        items[item.id] = item
    }

    func takeAll() -> [UserID: [RepositoryItem]] {
        waiting.withLock { waiting in
            let all = waiting.mapValues { $0.values.sorted { $0.id < $1.id } }
            waiting.removeAll()
            return all
        }
    }
}
