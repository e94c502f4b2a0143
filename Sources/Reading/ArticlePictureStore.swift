import ArticleText
import Foundation
import GRDB
package import RoostSupport

/// How many pictures are stored with an article.
package struct ArticlePictureLimits: Sendable {
    package var count = 20
    /// The limit for all pictures of an article together.
    package var bytes = 5 << 20

    package init() {}
}

/// A picture of an article that has not been fetched yet.
struct ArticlePictureJob: ColumnRecord, Sendable {
    var article: ArticleID = 0
    var name = ""
    var url = ""
    var attempts = 0

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("article_id", &article)
        try columns.column("name", &name)
        try columns.column("url", &url)
        try columns.column("attempts", &attempts)
    }
}

extension Reads {
    /// The names of the article's stored pictures.
    func storedPictureNames(of article: ArticleID) throws -> Set<String> {
        let names = try database.rows(
            "SELECT name FROM article_pictures WHERE article_id = ? AND state = 'stored'", [article]
        ).map { try $0.text("name") }
        return Set(names)
    }

    package func storedPicture(named name: String) throws -> PictureCache.StoredPicture? {
        try database.row(
            "SELECT media_type, fetched_at, bytes FROM stored_pictures WHERE name = ?", [name]
        ).map { row in
            let bytes: Data = try row.value("bytes")
            return PictureCache.StoredPicture(
                picture: .init(mediaType: try row.text("media_type"), bytes: Array(bytes)),
                fetchedAt: try row.time("fetched_at"))
        }
    }

    func hasDueArticlePictures() throws -> Bool {
        try database.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM article_pictures_due)") ?? false
    }

    /// Newest articles first.
    func articlePictureJobs(limit: Int, at now: Date) throws -> [ArticlePictureJob] {
        // A time beyond any delay was written before the clock was set back.
        try database.rows(
            """
            SELECT \(ArticlePictureJob.selection(of: "article_pictures"))
            FROM article_pictures INDEXED BY article_pictures_waiting
            WHERE state = 'waiting' AND (next_try_at <= :now OR next_try_at > :latest)
            ORDER BY next_try_at, article_id DESC, place LIMIT :limit
            """, ["now": now.stored, "latest": (now + 7 * 86_400).stored, "limit": limit]
        ).map { try ArticlePictureJob($0) }
    }
}

extension Writes {
    /// Lists the pictures of an article with a new text, the lead picture first. Returns false if it has no pictures.
    func listDueArticlePictures(_ limits: ArticlePictureLimits) throws -> Bool {
        let due = try database.row(
            """
            SELECT article_id, image_url FROM article_pictures_due AS due
                JOIN articles AS a ON a.id = due.article_id
            ORDER BY article_id DESC LIMIT 1
            """)
        guard let due else { return false }
        let id: ArticleID = try due.id("article_id")
        let markup = CleanMarkup(cleaned: try articleBody(of: id)?.markup ?? "")
        var urls = ArticlePictures.addresses(in: markup)
        if let lead = try due.textIfPresent("image_url") { urls.insert(lead, at: 0) }
        var listed: [PictureAddress] = []
        for url in urls where listed.count < limits.count {
            guard let address = PictureAddress(url, from: ArticlePictureSource()), !listed.contains(address)
            else { continue }
            listed.append(address)
        }
        let names = String(decoding: try JSONEncoder().encode(listed.map(\.name)), as: UTF8.self)
        try execute(
            """
            DELETE FROM article_pictures
            WHERE article_id = ? AND name NOT IN (SELECT value FROM json_each(?))
            """, [id, names])
        for (place, address) in listed.enumerated() {
            // A page that is fetched again may have a working picture where it had a broken one.
            try execute(
                """
                INSERT INTO article_pictures (article_id, name, place, url) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET place = excluded.place, attempts = 0, next_try_at = 0,
                    state = iif(state = 'stored', state, 'waiting')
                """, [id, address.name, place, address.url])
        }
        try execute("DELETE FROM article_pictures_due WHERE article_id = ?", [id])
        return true
    }

    /// Stores the picture unless the article's pictures would take more than `maximumBytes`. The article may have been
    /// deleted in the meantime.
    func storePicture(
        _ picture: PictureCache.Picture, of job: ArticlePictureJob, maximumBytes: Int, at now: Date
    ) throws {
        let used =
            try database.value(
                Int.self,
                """
                SELECT coalesce(sum(byte_count), 0) FROM article_pictures AS a
                    JOIN stored_pictures AS stored ON stored.name = a.name
                WHERE a.article_id = ? AND a.state = 'stored' AND a.name <> ?
                """, [job.article, job.name]) ?? 0
        let isStored = used + picture.bytes.count <= maximumBytes
        try execute(
            "UPDATE article_pictures SET state = ? WHERE article_id = ? AND name = ?",
            [isStored ? "stored" : "tooLarge", job.article, job.name])
        guard isStored, database.changesCount > 0 else { return }
        try execute(
            """
            INSERT INTO stored_pictures (name, media_type, fetched_at, byte_count, bytes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [job.name, picture.mediaType, now.stored, picture.bytes.count, Data(picture.bytes)])
    }

    func notePictureFailure(of job: ArticlePictureJob, isLast: Bool, nextTry: Date) throws {
        try execute(
            """
            UPDATE article_pictures SET state = ?, attempts = attempts + 1, next_try_at = ?
            WHERE article_id = ? AND name = ?
            """, [isLast ? "failed" : "waiting", nextTry.stored, job.article, job.name])
    }
}
