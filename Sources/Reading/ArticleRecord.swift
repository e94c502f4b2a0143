import Foundation
import GRDB
import RoostSupport

/// A row of `articles` with what lists show beside it.
struct ArticleRecord: Sendable {
    let item: ArticleItem
    /// The page's own address of its picture.
    let imageURL: String?

    /// In the order in which `init` reads them; of an article called `a`.
    static let columns = """
        a.id, a.user_id, a.given_url, a.title, a.category, a.state, a.is_favorite, a.site, a.author,
        a.published_at, a.language, a.kind, a.media_type, a.word_count, a.image_url, a.excerpt, a.created_at,
        a.updated_at, a.saved_at, a.archived_at, a.progress, a.fetch_state, a.error,
        (SELECT id FROM gists WHERE article_id = a.id) AS gist_id,
        (SELECT count(*) FROM article_highlights WHERE article_id = a.id) AS highlight_count,
        (SELECT group_concat(tag, char(10)) FROM (
            SELECT tag FROM article_tags WHERE article_id = a.id ORDER BY place)) AS tags,
        (SELECT json_array(CAST(reason AS TEXT), CAST(fetched_at AS REAL), CAST(word_count AS INTEGER),
            CAST(title AS TEXT)) FROM article_new_texts WHERE article_id = a.id) AS new_text
        """

    init(_ row: Row) throws {
        var columns = RowReader(row)
        let id = try columns.id()
        let userId = try columns.id()
        let url = try columns.text()
        let title = try columns.text()
        let category = try columns.text()
        let state: ArticleState = try columns.choice()
        let isFavorite = try columns.flag()
        let site = try columns.text()
        let author = try columns.ifPresent { try $0.text() }
        let publishedAt = try columns.ifPresent { try $0.time() }
        let language = try columns.ifPresent { try $0.text() }
        let kind = try columns.ifPresent { try $0.text() }
        let mediaType = try columns.ifPresent { try $0.text() }
        let words = try columns.ifPresent { try $0.count() }
        imageURL = try columns.ifPresent { try $0.text() }
        let excerpt = try columns.ifPresent { try $0.text() }
        let (createdAt, updatedAt, savedAt) = (
            try columns.time(), try columns.time(), try columns.time()
        )
        let archivedAt = try columns.ifPresent { try $0.time() }
        let progress = try columns.value { (share: Double) in (0...1).contains(share) }
        let fetched = try columns.text()
        let error = try columns.ifPresent { try $0.text() }
        let gist = try columns.ifPresent { try $0.id() }
        let highlights = try columns.count()
        // A tag is one line.
        let tags = try columns.ifPresent { try $0.text(maximumBytes: 1 << 16) }?.splitBytes(at: "\n").map(
            String.init)
        let newText = try columns.ifPresent { columns in
            let json = Data(try columns.text(maximumBytes: 1 << 16).utf8)
            return try JSONDecoder().decode(NewTextColumns.self, from: json).newText
        }
        guard
            let article = try? Article(
                id: "\(id)", title: title, url: url, category: category, userId: "\(userId)",
                createdAt: createdAt, updatedAt: updatedAt, gistCreated: gist != nil,
                gistId: gist.map { "\($0)" })
        else { throw ImpossibleValue(column: "title") }
        let fetchState: ArticleFetchState =
            switch fetched {
            case "fetched": .fetched
            case "failed": .failed(reason: error ?? "The page could not be fetched.")
            case "link": .link(mediaType: mediaType ?? "text/html")
            case "waiting": .waiting
            default: throw ImpossibleValue(column: "fetch_state")
            }
        let isText = fetched == "fetched"
        item = ArticleItem(
            article: article, id: id, state: state, isFavorite: isFavorite, tags: tags ?? [], site: site,
            author: author, publishedAt: publishedAt, language: language, kind: kind,
            minutes: isText ? words.map(Self.minutes) : nil, wordCount: isText ? words : nil,
            excerpt: excerpt, progress: progress, fetchState: fetchState,
            retryReason: fetched == "failed" ? nil : error, savedAt: savedAt, archivedAt: archivedAt,
            highlightCount: highlights, updatedAt: updatedAt, newText: newText)
    }

    private struct NewTextColumns: Decodable {
        let newText: ArticleItem.NewText

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let reason = try values.decode(ArticleItem.NewText.Reason.self)
            let fetchedAt = Date(timeIntervalSince1970: try values.decode(Double.self))
            let words = try values.decode(Int.self)
            newText = ArticleItem.NewText(
                reason: reason, fetchedAt: fetchedAt, title: try values.decodeIfPresent(String.self),
                wordCount: words)
        }
    }

    /// At 220 words a minute.
    static func minutes(_ words: Int) -> Int { max(1, (words + 110) / 220) }
}
