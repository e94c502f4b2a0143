import Foundation
import Logging
package import RoostSupport

/// Items that users share with each other, and the user's saves that wait to be fetched.
package final class SharedItemService: Service {
    package enum Content: Sendable, Equatable {
        case article(ArticleID)
        case gist(GistID)
        case address(String, title: String?)
    }

    package enum Direction: String, Sendable, CaseIterable {
        /// Shared with the user, and neither withdrawn nor dismissed.
        case withMe = "with"
        case byMe = "by"
        case own
    }

    /// Open items from one user to another, so that no one can flood another's list.
    private static let maximumOpen = 1_000

    let database: Database
    private let reading: ReadingService
    private let clock: WallClock

    init(database: Database, reading: ReadingService, clock: WallClock) {
        self.database = database
        self.reading = reading
        self.clock = clock
    }

    /// Newest first.
    package func list(
        _ reads: Reads, _ direction: Direction, after position: ArticlePosition? = nil, limit: Int = 40,
        of user: UserID
    ) throws -> (items: [SharedItemEntry], next: ArticlePosition?) {
        let limit = min(max(limit, 1), ReadingService.maximumPage)
        let found = try reads.sharedItems(direction, of: user, after: position, limit: limit)
        let shown = Array(found.prefix(limit))
        let next = found.count > limit ? shown.last : nil
        return (shown, next.map { ArticlePosition(time: $0.createdAt, id: $0.id) })
    }

    package func list(
        _ direction: Direction, after position: ArticlePosition? = nil, limit: Int = 40, of user: UserID
    ) async throws -> (items: [SharedItemEntry], next: ArticlePosition?) {
        try await database.read { try list($0, direction, after: position, limit: limit, of: user) }
    }

    /// An item that the user has shared or saved, or an open one that was shared with them. Throws
    /// `RoostError.notFound`.
    package func item(_ reads: Reads, _ id: Int64, for user: UserID) throws -> SharedItemEntry {
        let (sender, _) = try reads.sharedItemUsers(id)
        return sender == user ? try reads.sharedItem(id) : try reads.receivedItem(id, by: user)
    }

    package func counts(_ reads: Reads, of user: UserID) throws -> SharedItemCounts {
        try reads.sharedItemCounts(of: user)
    }

    package func counts(of user: UserID) async throws -> SharedItemCounts {
        try await database.read { try counts($0, of: user) }
    }

    /// Everyone else on this Roost, sorted by name.
    package func people(_ reads: Reads, for user: UserID) throws -> [(id: UserID, name: String)] {
        try reads.people(except: user)
    }

    /// Throws `RoostError.notFound` if the content isn't the user's, and `.invalid` with the field "with" or "url".
    @discardableResult
    package func share(
        _ content: Content, with other: UserID, by user: UserID
    ) async throws -> SharedItemEntry {
        var address: (url: String, title: String?)?
        if case .address(let text, let title) = content {
            let title = ArticleRules.shortened(title, maximumLength: ArticleRules.maximumTitleLength)
            address = (try ArticleAddress(text).text, title)
        }
        return try await database.write { [address, now = clock.nowInMilliseconds] writes in
            let (url, title, gist): (String, String?, GistID?)
            switch content {
            case .article(let id):
                let article = try writes.requiredArticle(id, of: user)
                (url, title, gist) = (article.url, article.title, nil)
            case .gist(let id):
                let own = try writes.ownGist(id, of: user)
                (url, title, gist) = (own.sourceUrl ?? "/gists/\(id)", own.title, id)
            case .address:
                (url, title, gist) = (address?.url ?? "", address?.title, nil)
            }
            guard try writes.hasUser(other), other != user else {
                throw RoostError.invalid(field: "with", why: "Choose someone to share it with.")
            }
            guard try writes.openSharedItemCount(from: user, to: other) < Self.maximumOpen else {
                throw RoostError.tooMany(
                    "This person hasn’t read many of your shared items yet. Try again later.",
                    retryAfter: 3_600)
            }
            writes.publish([user, other].map(Topic.reading))
            // Sharing it again moves the existing item to the top.
            if let existing = try writes.openSharedItem(url: url, gist: gist, from: user, to: other) {
                try writes.moveSharedItemToTop(existing, at: now)
                return try writes.sharedItem(existing)
            }
            let id = try writes.addSharedItem(
                url: url, title: title, gist: gist, from: user, to: other, at: now)
            return try writes.sharedItem(id)
        }
    }

    /// Removes the item from the recipient's list; saved copies stay.
    package func withdraw(_ id: Int64, by user: UserID) async throws {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let other = try writes.withdrawSharedItem(id, by: user, at: now)
            writes.publish([user, other].map(Topic.reading))
        }
    }

    /// Saves an item shared with the user to their list. Throws `RoostError.notFound`, and `.invalid(field: "url")` for
    /// the gist of a pasted text, which has no page.
    package func accept(_ id: Int64, by user: UserID) async throws -> SavedArticle {
        let item = try await database.read { try $0.receivedItem(id, by: user) }
        let saved = try await reading.save(
            ArticleDraft(url: item.url, title: item.title, source: "share", isTitleExternal: true),
            by: user)
        try await database.write { writes in
            try writes.markSharedItemProcessed(id)
            writes.publish([user, item.sharedBy].map(Topic.reading))
        }
        return saved
    }

    /// Removes an item shared with the user, or an own save that is not fetched yet.
    package func dismiss(_ id: Int64, by user: UserID) async throws {
        try await database.write { writes in
            let (sender, recipient) = try writes.sharedItemUsers(id)
            if recipient == user {
                try writes.markSharedItemProcessed(id)
                writes.publish(Topic.reading(sender))
            } else {
                guard sender == user, recipient == nil else { throw SharedItemStore.unknownItem }
                try writes.removeSave(id)
            }
            writes.publish(Topic.reading(user))
        }
    }
}
