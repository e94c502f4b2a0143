import Foundation
import GRDB
import RoostSupport
import TextFormats

/// Articles, gists and shares in an export of all data. Articles and gists are as in the file of the reading list.
enum ReadingTransfer {
    static let articles = TransferPart("articles") { reads, source, key in
        guard let user = source.user else { return TransferPage([]) }
        let ids = try reads.articleIDs(after: key, of: user)
        let articles = try reads.exportedArticles(ids, of: user, withTexts: true)
        // Unreadable rows are skipped, so the key is that of the last id.
        return TransferPage(lines: try articles.map { try TransferLine.json($0) }, next: ids.last)
    } merge: { row in
        let (user, now) = (try row.user, row.context.now)
        var json = JSONArticle()
        try read(row) { try json.read(&$0) }
        let article = try json.article.checked(isOwn: true)
        let entry = ArticlePreparation(now: now).entry(article, number: row.number)
        // A page that was not fetched yet is fetched here.
        let importer = ArticleImporter(
            open: ArticleImportStore.Open(
                id: 0, user: user, fetches: article.fetchState == "waiting", isUndo: false, startedAt: now),
            now: now)
        return { writes in
            writes.publish(Topic.reading(user))
            return try importer.add(entry, in: writes).result
        }
    }

    /// Those without an article.
    static let gists = TransferPart("gists") { reads, source, key in
        guard let user = source.user else { return TransferPage([]) }
        let limit = 50
        let gists = try reads.standaloneGists(of: user, after: key, limit: limit)
        return TransferPage(
            try gists.map { (key: $0.id, line: try TransferLine.json($0.gist)) }, limit: limit)
    } merge: { row in
        let (user, now) = (try row.user, row.context.now)
        var gist: ImportedArticle.Gist?
        try read(row) { gist = try ImportedArticle.Gist(&$0) }
        guard let gist else { throw RoostError.file("This gist is empty.") }
        let entry = ArticlePreparation(now: now).entry(ImportedArticle(gist: gist), number: row.number)
        let importer = ArticleImporter(
            open: ArticleImportStore.Open(
                id: 0, user: user, fetches: false, isUndo: false, startedAt: now), now: now)
        return { writes in
            writes.publish(Topic.reading(user))
            return try importer.add(entry, in: writes).result
        }
    }

    private static func read(_ row: TransferRow, _ body: (inout JSONReader) throws -> Void) throws {
        var reader = JSONReader(bytes: row.bytes)
        do {
            try body(&reader)
            try reader.end()
        } catch is JSONReader.Malformed {
            throw RoostError.file("This line isn’t valid JSON.")
        }
    }

    // MARK: Shares

    private struct Share: Codable {
        /// User names.
        var from: String
        var to: String?
        var url: String
        var title: String?
        var sourceApplication: String?
        var createdAt: Date
        var processed: Bool
        var withdrawnAt: Date?
        var error: String?
        /// Of the gist that was shared.
        var gistTitle: String?
        var gistCreatedAt: Date?
    }

    /// The most shares of one user, here and in the file together.
    private static let maximumShares = 10_000

    /// A user's own file also has what others shared with the user. It adds nothing to other users' lists.
    static let shares = TransferPart("shares") { reads, source, key in
        guard let user = source.user else { return TransferPage([]) }
        let rows = try reads.sharesToExport(of: user, withReceived: !source.isServer, after: key)
        // Unreadable rows are skipped, so the key is that of the last row.
        return TransferPage(
            lines: rows.readable { row in
                let share = Share(
                    from: try row.text("sender"), to: try row.textIfPresent("recipient"),
                    url: try row.text("url", maximumBytes: 16_384), title: try row.textIfPresent("title"),
                    sourceApplication: try row.textIfPresent("source_application"),
                    createdAt: try row.time("created_at"),
                    processed: try row.number("processed", in: 0...1) == 1,
                    withdrawnAt: try row.timeIfPresent("withdrawn_at"), error: try row.textIfPresent("error"),
                    gistTitle: try row.textIfPresent("gist_title"),
                    gistCreatedAt: try row.timeIfPresent("gist_created_at"))
                return try TransferLine.json(share)
            }, next: rows.count < TransferPage.rows ? nil : try rows.last?.id("id"))
    } merge: { row in
        let (user, context) = (try row.user, row.context)
        var share: Share = try row.decode()
        share.url = try ArticleAddress(share.url).text
        share.title = ArticleRules.shortened(share.title, maximumLength: ArticleRules.maximumTitleLength)
        share.error = ArticleRules.shortened(share.error, maximumLength: 500)
        share.sourceApplication = ArticleRules.shortened(share.sourceApplication, maximumLength: 64)
        share.createdAt = context.time(share.createdAt)
        share.withdrawnAt = share.withdrawnAt.map(context.time)
        let sender = context.isServer || share.to != nil ? context.person(share.from) : user
        let recipient = context.person(share.to)
        guard context.isServer || share.to == nil else {
            throw RoostError.file("What people share with each other is only imported with a whole server.")
        }
        guard sender == user, (share.to == nil) == (recipient == nil) else {
            throw RoostError.file("Its sender or its recipient has no account here.")
        }
        // A save without a recipient would be fetched before all others. The article's own row has it fetched.
        if share.to == nil { share.processed = true }
        return { [share] writes in
            let counter = "shares/\(user)"
            let count = try context.id(counter) ?? writes.sharedItemCount(by: user)
            guard count < maximumShares else {
                return .skipped("You can have up to 10,000 shares.")
            }
            let isAdded = try writes.addImportedShare(
                share.url, title: share.title, source: share.sourceApplication, from: user, to: recipient,
                createdAt: share.createdAt, processed: share.processed, withdrawnAt: share.withdrawnAt,
                error: share.error, gist: share.gistTitle.map { ($0, share.gistCreatedAt ?? context.now) })
            context.setID(isAdded ? count + 1 : count, of: counter)
            if isAdded {
                writes.publish(Topic.reading(user))
                if let recipient { writes.publish(Topic.reading(recipient)) }
            }
            return isAdded ? .added : .unchanged
        }
    }
}

extension ArticleImporter.Outcome {
    fileprivate var result: TransferResult {
        switch self {
        case .added(_, _, let why): TransferResult(.added, why: why)
        case .duplicate: .unchanged
        case .merged(_, let undo, let why): TransferResult(undo == nil ? .unchanged : .updated, why: why)
        case .refused(let why): .skipped(why)
        }
    }
}

extension ReadingFeedService {
    /// Feeds in an export of all data. Their addresses are secrets, so an imported feed has a new one.
    var transferPart: TransferPart {
        TransferPart("feeds") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let lines = try reads.readingFeeds(of: user).map { feed in
                try TransferLine.json(TransferFields(feed, omitting: Self.ownColumns))
            }
            return TransferPart.all(lines, after: key)
        } merge: { [self] row in
            let (user, context) = (try row.user, row.context)
            let draft: ReadingFeedStore.Record = try row.decode(TransferFields.self)
                .record(omitting: Self.ownColumns)
            let filter = draft.filter
            guard filter.list != .suggested,
                [filter.category, filter.tag, filter.site, filter.text].allSatisfy({
                    ($0?.utf8.count ?? 0) <= 1_000
                })
            else { throw RoostError.file("This filter can’t be a feed.") }
            let token = Secret.make(bytes: 24)
            // A command has no key.
            let sealed = try? seal(token, of: user)
            return { writes in
                if try writes.readingFeed(of: filter, of: user) != nil { return .unchanged }
                guard let sealed else {
                    return .skipped(
                        """
                        A feed’s address is a secret, which a command can’t make. Import the file in Settings, or \
                        create the feed again.
                        """)
                }
                guard try writes.readingFeedCount(of: user) < Self.maximumFeeds else {
                    return .skipped("You can have up to \(Self.maximumFeeds) feeds.")
                }
                try writes.addReadingFeed(
                    filter, tokenHash: Secret.hash(token), sealed: sealed, of: user,
                    at: context.time(draft.createdAt))
                writes.publish(Topic.reading(user))
                return .added
            }
        }
    }

    private static let ownColumns: Set = ["id", "user_id", "token_hash", "token_sealed"]
}

extension Reads {
    /// Ids of a part of the list, whose texts have about a page's bytes together.
    fileprivate func articleIDs(after id: ArticleID, of user: UserID) throws -> [ArticleID] {
        let rows = try database.cursor(
            """
            SELECT a.id, coalesce(length(body.markup) + length(body.text), 0) + coalesce(length(body.comments), 0)
                AS size
            FROM articles AS a LEFT JOIN article_texts AS body ON body.article_id = a.id
            WHERE a.user_id = ? AND a.id > ? ORDER BY a.id LIMIT ?
            """, [user, id, TransferPage.rows])
        var (ids, size): ([ArticleID], Int) = ([], 0)
        while size < TransferPage.bytes, let row = try rows.next() {
            ids.append(try row.id("id"))
            size += try row.number("size", in: 0...Int.max)
        }
        return ids
    }

    fileprivate func sharedItemCount(by user: UserID) throws -> Int64 {
        try database.value(
            Int64.self, "SELECT count(*) FROM shared_items WHERE user_id = ? AND is_import = 0", [user]) ?? 0
    }

    fileprivate func sharesToExport(
        of user: UserID, withReceived: Bool, after id: Int64
    ) throws -> [Row] {
        try database.rows(
            """
            SELECT s.id, sender.username AS sender, recipient.username AS recipient, s.url, s.title,
                s.source_application, s.created_at, s.processed, s.withdrawn_at, s.error,
                gists.title AS gist_title, gists.created_at AS gist_created_at
            FROM shared_items AS s JOIN users AS sender ON sender.id = s.user_id
                LEFT JOIN users AS recipient ON recipient.id = s.shared_with
                LEFT JOIN gists ON gists.id = s.gist_id
            WHERE s.id > :id AND s.is_import = 0
                AND (s.user_id = :user OR :received AND s.shared_with = :user AND s.withdrawn_at IS NULL)
            ORDER BY s.id LIMIT :limit
            """, ["id": id, "user": user, "received": withReceived, "limit": TransferPage.rows])
    }
}

extension Writes {
    /// Returns false if the item is there already.
    fileprivate func addImportedShare(
        _ url: String, title: String?, source: String?, from user: UserID, to recipient: UserID?,
        createdAt: Date, processed: Bool, withdrawnAt: Date?, error: String?,
        gist: (title: String, createdAt: Date)?
    ) throws -> Bool {
        try execute(
            """
            INSERT INTO shared_items (user_id, shared_with, url, title, source_application, created_at, processed,
                withdrawn_at, error, gist_id)
            SELECT :user, :recipient, :url, :title, :source, :created, :processed, :withdrawn, :error,
                (SELECT id FROM gists WHERE user_id = :user AND title = :gist
                    AND created_at BETWEEN :gistCreated - 0.002 AND :gistCreated + 0.002 LIMIT 1)
            WHERE NOT EXISTS (
                SELECT 1 FROM shared_items WHERE user_id = :user AND shared_with IS :recipient AND url = :url
                    AND created_at BETWEEN :created - 0.002 AND :created + 0.002)
            """,
            [
                "user": user, "recipient": recipient, "url": url, "title": title, "source": source,
                "created": createdAt.stored, "processed": processed, "withdrawn": withdrawnAt?.stored,
                "error": error, "gist": gist?.title, "gistCreated": gist?.createdAt.stored,
            ])
        return database.changesCount > 0
    }
}
