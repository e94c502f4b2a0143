import Foundation
package import RoostSupport
import TextFormats

/// Lists that feed readers follow, each at a secret address of its own.
package final class ReadingFeedService: Sendable {
    /// Articles of a feed.
    private static let limit = 50
    private static let unknown = RoostError.notFound(
        "There is no such feed: its address was withdrawn or renewed.")

    private let store: ReadingFeedStore
    private let reading: ReadingService
    private let sealer: Sealer
    private let feed: ChangeFeed
    private let clock: WallClock

    init(store: ReadingFeedStore, reading: ReadingService, sealer: Sealer, feed: ChangeFeed, clock: WallClock)
    {
        self.store = store
        self.reading = reading
        self.sealer = sealer
        self.feed = feed
        self.clock = clock
    }

    /// In the order of their making.
    package func feeds(of user: UserID) async throws -> [ReadingFeed] {
        try await store.feeds(of: user).compactMap { try? opened($0) }
    }

    /// Makes the feed of a list, or answers the one that there is. Throws `RoostError.invalid(field: "list")` for the
    /// suggestions, which have no order that lasts, and where there are too many feeds.
    ///
    /// - Parameter filter: its order is of no account: a feed has the newest first
    package func add(_ filter: ArticleFilter, by user: UserID) async throws -> ReadingFeed {
        guard filter.list != .suggested else {
            throw RoostError.invalid(field: "list", why: "Suggestions have no feed.")
        }
        for text in [filter.category, filter.tag, filter.site, filter.text]
        where (text?.utf8.count ?? 0) > 1_000 {
            throw RoostError.invalid(field: "list", why: "This filter is too long.")
        }
        let token = Secret.make(bytes: 24)
        let made = try await store.add(
            filter, tokenHash: Secret.hash(token), sealed: try seal(token, of: user), of: user,
            at: clock.now())
        feed.publish(Topic.reading(user))
        return try opened(made)
    }

    /// Gives a feed another address; the former one opens nothing any more. Throws `RoostError.notFound`.
    package func renew(_ id: Int64, by user: UserID) async throws -> ReadingFeed {
        let token = Secret.make(bytes: 24)
        guard
            let renewed = try await store.renew(
                id, tokenHash: Secret.hash(token), sealed: try seal(token, of: user), of: user)
        else { throw Self.unknown }
        feed.publish(Topic.reading(user))
        return try opened(renewed)
    }

    /// Its address opens nothing any more. Throws `RoostError.notFound`.
    package func withdraw(_ id: Int64, by user: UserID) async throws {
        guard try await store.remove(id, of: user) else { throw Self.unknown }
        feed.publish(Topic.reading(user))
    }

    /// What is served at a secret address: Atom 1.0 of the newest articles. Throws `RoostError.notFound`.
    ///
    /// - Parameter base: where Roost is reached, "https://roost.example"; with or without a slash at the end
    package func document(token: String, base: String) async throws -> ReadingFeedDocument {
        guard (16...64).contains(token.utf8.count),
            let record = try await store.feed(tokenHash: Secret.hash(token))
        else { throw Self.unknown }
        var filter = record.filter
        filter.sort = .newest
        let items = try await reading.list(filter, limit: Self.limit, of: record.user).items
        let gists = try await store.gists(of: items.map(\.id), for: record.user)
        let root = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
        let updatedAt = items.reduce(record.createdAt) { max($0, max($1.updatedAt, $1.savedAt)) }
        let body = AtomFeed(
            id: NameBasedUUID.of("feed", "\(record.id)", "\(record.createdAt.timeIntervalSince1970)"),
            title: Self.title(filter), page: root + "/reading?" + Self.query(filter),
            address: "\(root)/reading/feeds/\(token).atom", base: root, updatedAt: updatedAt,
            entries: items.map { AtomFeed.Entry(item: $0, gist: gists[$0.id]) }
        ).document()
        let hash = Secret.hash(String(decoding: body, as: UTF8.self))
        return ReadingFeedDocument(
            body: body, entityTag: "\"\(Base64URL.encode(Data(hash.prefix(18))))\"",
            lastModified: Date(timeIntervalSince1970: updatedAt.timeIntervalSince1970.rounded(.down)))
    }

    /// "Reading list: unread, Science, #swift"
    package static func title(_ filter: ArticleFilter) -> String {
        let parts = [
            filter.list.rawValue, filter.category, filter.tag.map { "#" + $0 }, filter.site,
            filter.text.map { "“\($0)”" },
        ]
        return "Reading list: " + parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func query(_ filter: ArticleFilter) -> String {
        let fields = [
            ("list", filter.list.rawValue), ("category", filter.category), ("tag", filter.tag),
            ("site", filter.site), ("text", filter.text),
        ]
        return fields.compactMap { name, value in value.map { "\(name)=" + PercentEncoding.encode($0) } }
            .joined(separator: "&")
    }

    private func seal(_ token: String, of user: UserID) throws -> [UInt8] {
        try sealer.seal(token, as: Self.context(user))
    }

    private func opened(_ record: ReadingFeedStore.Record) throws -> ReadingFeed {
        ReadingFeed(
            id: record.id, filter: record.filter,
            token: try sealer.open(record.sealed, as: Self.context(record.user)), createdAt: record.createdAt)
    }

    static func context(_ user: UserID) -> String { "reading feed of \(user)" }
}
