import Foundation

@testable import Reading

/// Realistic articles in several states, with long and hostile text.
extension ArticleItem {
    static let samples: [ArticleItem] = [
        sample(1, "How a clock keeps time", "https://example.org/clocks") {
            $0.tags = ["swift", "<b>bold</b>"]
            ($0.isFavorite, $0.progress, $0.highlightCount) = (true, 0.4, 3)
            ($0.author, $0.publishedAt) = ("Grace Hopper", .sample - 86_400 * 12)
            $0.snippet = [
                .init(text: "The <", isMatch: false), .init(text: "clock", isMatch: true),
                .init(text: "> & the tower", isMatch: false),
            ]
        },
        sample(2, "Warum “später” nie kommt <script>alert(1)</script>", "https://news.example/spaeter") {
            ($0.language, $0.words, $0.imageURL) = ("de", 2_640, "/pictures/0123456789abcdef")
            $0.excerpt = "Ein Text über das Aufschieben, & warum er <b>kurz</b> ist."
            $0.category = "Später <lesen>"
        },
        sample(3, "https://slow.example/", "https://slow.example/") {
            ($0.fetch, $0.error) = (.waiting, "The site did not answer in time.")
            $0.excerpt = nil
        },
        sample(4, "Behind a door", "https://walled.example/") {
            ($0.fetch, $0.error, $0.state) = (.failed, "The site refused access (403).", .archived)
            $0.excerpt = nil
        },
        sample(5, "A paper", "https://papers.example/a.pdf") {
            ($0.fetch, $0.mediaType, $0.excerpt) = (.link, "application/pdf", nil)
        },
    ]

    private static func sample(
        _ id: ArticleID, _ title: String, _ url: String, _ change: (inout ArticleItem) -> Void
    ) -> ArticleItem {
        var item = ArticleItem()
        (item.id, item.owner, item.title, item.url) = (id, 1, title, url)
        (item.createdAt, item.savedAt) = (.sample - 3_600 * Double(id), .sample - 3_600 * Double(id))
        (item.updatedAt, item.gistId) = (.sample - 60, id == 1 ? 7 : nil)
        item.site = url.splitBytes(at: "/").dropFirst().first.map(String.init) ?? ""
        (item.language, item.kind, item.fetch, item.words) = ("en", "article", .fetched, 1_730)
        item.excerpt = "A tower, a wheel and a weight: what a clock needs to go."
        change(&item)
        return item
    }
}

extension GistItem {
    static let samples: [GistItem] = [
        sample(7, "How a clock keeps time", "A weight falls.\nA wheel turns & <stops>.", article: 1),
        sample(8, "Notes <b>", "Ein kurzer Text.", article: nil),
    ]

    private static func sample(
        _ id: GistID, _ title: String, _ content: String, article: ArticleID?
    ) -> GistItem {
        var item = GistItem()
        (item.id, item.owner, item.articleId) = (id, 1, article)
        (item.title, item.content, item.category) = (title, content, "Unsorted")
        (item.createdAt, item.updatedAt) = (.sample - 600, .sample - 60)
        guard article != nil else { return item }
        (item.sourceUrl, item.method, item.isEdited) = ("https://example.org/clocks", .extractive, true)
        item.note = "The model did not answer in time: these are sentences of the text."
        item.shareToken = "sample-secret-of-a-shared-gist"
        return item
    }
}
