import Foundation
import Logging
package import RoostSupport

/// What users share with each other, and what they have saved that waits to be fetched.
package final class SharedItemService: Service {
    /// What is shared.
    package enum Content: Sendable, Equatable {
        case article(ArticleID)
        case gist(GistID)
        case address(String, title: String?)
    }

    /// Which items a list shows.
    package enum Direction: String, Sendable, CaseIterable {
        /// Shared with the user, and neither withdrawn nor dismissed.
        case withMe = "with"
        /// What the user has shared with others.
        case byMe = "by"
        /// The user's own saves.
        case own
    }

    private let writer: ReadingWriter
    private let reading: ReadingService

    init(writer: ReadingWriter, reading: ReadingService) {
        self.writer = writer
        self.reading = reading
    }

    /// The newest first.
    package func list(
        _ direction: Direction, cursor: String? = nil, limit: Int = 40, of user: UserID
    ) async throws -> (items: [SharedItemEntry], next: String?) {
        let limit = min(max(limit, 1), ReadingService.maximumPage)
        let before = try cursor.map { try ArticleListQuery.Cursor($0) }
        let found = try await writer.read {
            try SharedItemTransaction($0).list(direction, of: user, before: before, limit: limit)
        }
        let shown = Array(found.prefix(limit))
        let next = found.count > limit ? shown.last : nil
        return (shown, next.map { ArticleListQuery.Cursor(time: $0.item.createdAt, id: $0.id).string })
    }

    package func counts(of user: UserID) async throws -> SharedItemCounts {
        try await writer.read { try SharedItemTransaction($0).counts(of: user) }
    }

    /// Those with whom something can be shared: everybody else on this Roost, by name.
    package func people(for user: UserID) async throws -> [(id: UserID, name: String)] {
        try await writer.read { try SharedItemTransaction($0).people(except: user) }
    }

    /// Throws `RoostError.notFound` for what is not the user's, and `.invalid` with the field "with" or "url".
    @discardableResult
    package func share(
        _ content: Content, with other: UserID, by user: UserID
    ) async throws -> SharedItemEntry {
        var given: (url: String, title: String?)?
        if case .address(let text, let title) = content {
            let title = ArticleRules.strangers(title, maximumLength: ArticleRules.maximumTitleLength)
            given = (try ArticleAddress(text).text, title)
        }
        let address = given
        return try await writer.write(for: user, other) { reading in
            let items = SharedItemTransaction(reading)
            switch content {
            case .article(let id):
                let article = try reading.known(id, of: user).item.article
                return try items.share(
                    url: article.url, title: article.title, gist: nil, with: other, by: user)
            case .gist(let id):
                let gist = try GistTransaction(reading).own(id, of: user)
                return try items.share(
                    url: gist.sourceURL ?? "/gists/\(id)", title: gist.title, gist: id, with: other, by: user)
            case .address:
                return try items.share(
                    url: address?.url ?? "", title: address?.title, gist: nil, with: other, by: user)
            }
        }
    }

    /// Takes back what the user has shared: it leaves the other's list; what he has saved of it stays his.
    package func withdraw(_ id: Int64, by user: UserID) async throws {
        // Whom else it concerns is known within the transaction only.
        let other = try await writer.write(for: user) { try SharedItemTransaction($0).withdraw(id, by: user) }
        writer.feed.publish(Topic.reading(other))
    }

    /// Saves what was shared with the user to his list. Throws `RoostError.notFound`, and `.invalid(field: "url")` for the
    /// gist of a pasted text, which has no page.
    package func accept(_ id: Int64, by user: UserID) async throws -> SavedArticle {
        let item = try await writer.read { try SharedItemTransaction($0).received(id, by: user) }
        let saved = try await reading.save(
            NewArticle(url: item.item.url, title: item.item.title, source: "share", isTitleOthers: true),
            by: user)
        try await writer.write(for: user, item.sharedBy) { try SharedItemTransaction($0).markProcessed(id) }
        return saved
    }

    /// Takes it off the user's list: what was shared with him, or a save of his own that is not fetched yet.
    package func dismiss(_ id: Int64, by user: UserID) async throws {
        let other = try await writer.write(for: user) { try SharedItemTransaction($0).dismiss(id, by: user) }
        if let other { writer.feed.publish(Topic.reading(other)) }
    }
}
