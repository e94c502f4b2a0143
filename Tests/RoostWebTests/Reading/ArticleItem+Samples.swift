import Foundation

@testable import Reading
@testable import RoostWeb

/// Lifelike articles for the samples: in several states, with long and hostile words.
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
            ($0.language, $0.minutes, $0.imageURL) = ("de", 12, "/pictures/0123456789abcdef")
            $0.excerpt = "Ein Text über das Aufschieben, & warum er <b>kurz</b> ist."
            $0.article.category = "Später <lesen>"
        },
        sample(3, "https://slow.example/", "https://slow.example/") {
            ($0.fetchState, $0.retryReason) = (.waiting, "The site did not answer in time.")
            ($0.minutes, $0.excerpt) = (nil, nil)
        },
        sample(4, "Behind a door", "https://walled.example/") {
            ($0.fetchState, $0.state) = (.failed(reason: "The site refused access (403)."), .archived)
            ($0.minutes, $0.excerpt) = (nil, nil)
        },
        sample(5, "A paper", "https://papers.example/a.pdf") {
            ($0.fetchState, $0.minutes, $0.excerpt) = (.link(mediaType: "application/pdf"), nil, nil)
        },
    ].compactMap(\.self)

    private static func sample(
        _ id: ArticleID, _ title: String, _ url: String, _ change: (inout ArticleItem) -> Void
    ) -> ArticleItem? {
        guard
            let article = try? Article(
                id: "\(id)", title: title, url: url, userId: "1", createdAt: .sample - 3_600 * Double(id),
                updatedAt: .sample - 60, gistCreated: id == 1, gistId: id == 1 ? "7" : nil)
        else { return nil }
        var item = ArticleItem(
            article: article, id: id, site: url.splitBytes(at: "/").dropFirst().first.map(String.init) ?? "",
            language: "en", kind: "article", minutes: 8, wordCount: 1_730,
            excerpt: "A tower, a wheel and a weight: what a clock needs to go.", fetchState: .fetched,
            savedAt: .sample - 3_600 * Double(id), updatedAt: .sample - 60)
        change(&item)
        return item
    }
}

extension GistItem {
    static let samples: [GistItem] = [
        sample(7, "How a clock keeps time", "A weight falls.\nA wheel turns & <stops>.", article: 1),
        sample(8, "Notes <b>", "Ein kurzer Text.", article: nil),
    ].compactMap(\.self)

    private static func sample(
        _ id: GistID, _ title: String, _ content: String, article: ArticleID?
    ) -> GistItem? {
        guard
            let gist = try? Gist(
                id: "\(id)", title: title, content: content, userId: "1",
                sourceUrl: article == nil ? nil : "https://example.org/clocks", category: "Unsorted",
                createdAt: .sample - 600, updatedAt: .sample - 60)
        else { return nil }
        return GistItem(
            gist: gist, id: id, owner: 1, articleId: article, method: article == nil ? .own : .extractive,
            note: article == nil ? nil : "The model did not answer in time: these are sentences of the text.",
            isEdited: article != nil, shareToken: article == nil ? nil : "sample-secret-of-a-shared-gist",
            updatedAt: .sample - 60)
    }
}
