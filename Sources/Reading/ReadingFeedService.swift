import Foundation
package import RoostSupport
import TextFormats

/// Serves reading lists as feeds at secret addresses.
package final class ReadingFeedService: Sendable {
    private static let limit = 50
    /// Per user.
    static let maximumFeeds = 50
    private static let unknownFeed = RoostError.notFound(
        "There is no such feed. Its address was deleted or replaced.")

    let database: Database
    private let reading: ReadingService
    private let sealer: Sealer
    private let clock: WallClock

    init(database: Database, reading: ReadingService, sealer: Sealer, clock: WallClock) {
        self.database = database
        self.reading = reading
        self.sealer = sealer
        self.clock = clock
    }

    package func feeds(_ reads: Reads, of user: UserID) throws -> [ReadingFeed] {
        try reads.readingFeeds(of: user).compactMap { try? opened($0) }
    }

    /// Returns the feed of a list, creating it if needed. Throws `RoostError.invalid(field: "list")` for suggestions,
    /// which have no lasting order, and if there are too many feeds.
    ///
    /// - Parameter filter: its sort order is ignored, as feeds are newest first
    package func add(_ filter: ArticleFilter, by user: UserID) async throws -> ReadingFeed {
        guard filter.list != .suggested else {
            throw RoostError.invalid(field: "list", why: "Suggestions have no feed.")
        }
        for text in [filter.category, filter.tag, filter.site, filter.text]
        where (text?.utf8.count ?? 0) > 1_000 {
            throw RoostError.invalid(field: "list", why: "This filter is too long.")
        }
        let token = Secret.make(bytes: 24)
        let sealed = try seal(token, of: user)
        let added = try await database.write { [now = clock.now()] writes in
            writes.publish(Topic.reading(user))
            if let existing = try writes.readingFeed(of: filter, of: user) { return existing }
            guard try writes.readingFeedCount(of: user) < Self.maximumFeeds else {
                throw RoostError.invalid(
                    field: "list", why: "You can have up to \(Self.maximumFeeds) feeds. Delete one first.")
            }
            try writes.addReadingFeed(
                filter, tokenHash: Secret.hash(token), sealed: sealed, of: user, at: now)
            guard let added = try writes.readingFeed(of: filter, of: user) else { throw Self.unknownFeed }
            return added
        }
        return try opened(added)
    }

    /// Replaces a feed's address; the old one stops working. Throws `RoostError.notFound`.
    package func renew(_ id: Int64, by user: UserID) async throws -> ReadingFeed {
        let token = Secret.make(bytes: 24)
        let sealed = try seal(token, of: user)
        let renewed = try await database.write { writes in
            let found = try writes.renewReadingFeed(
                id, tokenHash: Secret.hash(token), sealed: sealed, of: user)
            guard let found else { throw Self.unknownFeed }
            writes.publish(Topic.reading(user))
            return found
        }
        return try opened(renewed)
    }

    /// Deletes a feed; its address stops working. Throws `RoostError.notFound`.
    package func withdraw(_ id: Int64, by user: UserID) async throws {
        try await database.write { writes in
            guard try writes.removeReadingFeed(id, of: user) else { throw Self.unknownFeed }
            writes.publish(Topic.reading(user))
        }
    }

    /// Returns the newest articles of a feed as Atom 1.0. Throws `RoostError.notFound`.
    ///
    /// - Parameter base: Roost's own address, "https://roost.example", with or without a trailing slash
    package func document(_ reads: Reads, token: String, base: String) throws -> ReadingFeedDocument {
        guard (16...64).contains(token.utf8.count),
            let record = try reads.readingFeed(tokenHash: Secret.hash(token))
        else { throw Self.unknownFeed }
        var filter = record.filter
        filter.sort = .newest
        let items = try reading.list(reads, filter, limit: Self.limit, of: record.user).items
        let gists = try reads.gistContents(of: items.map(\.id), for: record.user)
        let root = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
        let updatedAt = items.reduce(record.createdAt) { max($0, max($1.updatedAt, $1.savedAt)) }
        let body = try AtomFeed(
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

    package func document(token: String, base: String) async throws -> ReadingFeedDocument {
        try await database.read { try document($0, token: token, base: base) }
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

    func seal(_ token: String, of user: UserID) throws -> [UInt8] {
        try sealer.seal(token, as: Self.context(user))
    }

    private func opened(_ record: ReadingFeedStore.Record) throws -> ReadingFeed {
        ReadingFeed(
            id: record.id, filter: record.filter,
            token: try sealer.open(Array(record.sealed), as: Self.context(record.user)),
            createdAt: record.createdAt)
    }

    static func context(_ user: UserID) -> String { "reading feed of \(user)" }
}
