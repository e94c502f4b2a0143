import Foundation
import Testing

@testable import ArticleText
@testable import RoostSimulator

/// The text extracted from the simulated sites' pages.
@Suite struct SimulatedArticleTests {
    /// All pages except those whose text only a browser renders.
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
    func `the complete article is extracted from a page, and nothing around it`(_ address: String) throws {
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
}
