import Foundation
import Testing

@testable import ArticleText
@testable import RoostSimulator

/// What a reader gets of the simulated sites' pages.
@Suite struct SimulatedArticleTests {
    /// All but those whose text only a browser makes.
    private static let addresses = SimulatedSite.all.flatMap { site in
        site.articles.filter { !$0.isBuiltByScript }.map { site.address(of: $0.path) }
    }

    private func page(_ address: String) throws -> SimulatedResponse {
        let parts = try #require(address.wholeMatch(of: #/http://([^/]+)(/.*)/#))
        return SiteSimulation().answer(
            SiteRequest(target: String(parts.2), host: String(parts.1), cookie: "member=1"))
    }

    private func extract(_ address: String) throws -> ExtractedArticle {
        let page = try page(address)
        let type = try #require(page.header("Content-Type"))
        let charset = type.wholeMatch(of: #/.*charset=(.*)/#).map { String($0.1) }
        return try ArticleExtractor.extract(page.body, charset: charset, url: address)
    }

    private func flat(_ text: some StringProtocol) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test(arguments: addresses)
    func `a page gives its whole article, and nothing of what stands around it`(_ address: String) throws {
        let site = try #require(SimulatedSite.all.first { address.hasPrefix($0.address(of: "/")) })
        let article = try #require(site.articles.first { address.hasSuffix($0.path) })
        let extracted = try extract(address)
        let text = flat(extracted.text)
        let paragraphs = article.text.components(separatedBy: "\n\n").map(flat)
            .filter { !$0.isEmpty && $0.allSatisfy { !"#|`*[!>-".contains($0) } && $0.count > 60 }
        for paragraph in [paragraphs.first, paragraphs.last].compactMap(\.self) {
            #expect(text.contains(paragraph), "\(paragraph)")
        }
        for around in [
            "214 partners", "187 Partner", "163 partenaires", "in your mailbox", "in Ihrem Postfach",
            "dans votre boîte", "Accept all", "© 2026",
        ] {
            #expect(!text.contains(around), "\(around)")
        }
        #expect(extracted.title == article.title)
        #expect(extracted.language == site.language)
        #expect(extracted.canonical == address)
    }

    @Test func `a news article has its author, day and picture`() throws {
        let site = SimulatedSite.harbourGazette
        let article = try #require(site.articles.first)
        let extracted = try extract(site.address(of: article.path))
        #expect(extracted.byline == article.author)
        #expect(extracted.siteName == site.name)
        #expect(extracted.published == (try? Date(article.published, strategy: .iso8601)))
        #expect(extracted.leadImage == site.address(of: "/pictures/the-wall-that-lets-the-sea-in.png"))
    }

    @Test func `headings, tables and code stay what they are`() throws {
        let guide = try extract("http://docs.tidewright.example/guide/calibrating-a-gauge").markup.html
        #expect(guide.contains("<table") && guide.contains("<ol") && guide.contains("<pre"))
        #expect(guide.contains("Set the height</h"))
        #expect(guide.contains("[north-pier]\ninterval = 60"))
    }

    @Test func `of a thread all contributions stay, in their order`() throws {
        let text = flat(
            try extract("http://forum.keelhouse.example/threads/4127-mooring-lines-that-wear-through").text)
        let parts = [
            "Is it the rope, the fairlead, or me?", "Run your thumbnail along the inside",
            "a sleeve of old belt leather", "15 to 30 degrees", "blue plastic hose",
        ]
        let places = parts.map { text.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }
}
