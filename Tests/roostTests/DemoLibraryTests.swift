import Testing

@testable import RoostSimulator
@testable import roost

/// The reading list with which the demo begins.
@Suite struct DemoLibraryTests {
    private let articles = DemoLibrary.articles
    private let sites = SiteSimulation()

    private func answer(_ address: String) throws -> SimulatedResponse {
        let parts = try #require(address.wholeMatch(of: #/http://([^/]+)(/.*)/#))
        return sites.answer(SiteRequest(target: String(parts.2), host: String(parts.1)))
    }

    private func text(_ address: String) throws -> String {
        let site = try #require(SimulatedSite.all.first { address.hasPrefix($0.address(of: "/")) })
        let path = String(address.dropFirst(site.address(of: "").count))
        // Windows' bytes are not read here: the text itself says what the page does.
        let article = try #require(site.article(at: path), "\(address)")
        return article.text.split { $0.isWhitespace }.joined(separator: " ")
            .replacing("*", with: "").replacing("> ", with: "")
    }

    @Test func `a dozen pages in three languages can be fetched, and one fails`() throws {
        let statuses = try articles.map { try answer($0.address).status }
        #expect(statuses.count { $0 == 200 } >= 12)
        #expect(statuses.count { $0 == 404 } == 1)
        let languages = SimulatedSite.all.compactMap { site in
            articles.contains { $0.address.hasPrefix(site.address(of: "/")) } ? site.language : nil
        }
        #expect(Set(languages) == ["en", "de", "fr"])
    }

    @Test func `no page is there twice, and the oldest comes first`() {
        #expect(Set(articles.map(\.address)).count == articles.count)
        #expect(articles.map(\.minutesAgo) == articles.map(\.minutesAgo).sorted(by: >))
    }

    @Test func `what is highlighted stands in the article`() throws {
        var count = 0
        for article in articles {
            for (quote, _) in article.highlights {
                count += 1
                #expect(try text(article.address).contains(quote), "\(quote)")
            }
        }
        #expect(count >= 5)
    }

    @Test func `every state of an article is there`() {
        #expect(articles.contains { $0.isArchived } && articles.contains { !$0.isArchived })
        #expect(articles.contains { $0.isFavorite })
        #expect(articles.contains { $0.progress > 0 && $0.progress < 1 })
        #expect(articles.count { $0.gist == .made } >= 3)
        #expect(articles.contains { if case .edited = $0.gist { true } else { false } })
        #expect(articles.contains { $0.highlights.contains { !$0.note.isEmpty } })
        #expect(articles.contains { !$0.sharedWith.isEmpty })
        #expect(Set(articles.compactMap(\.category)).count >= 3)
        #expect(Set(articles.flatMap(\.tags)).count >= 8)
        #expect(articles.contains { $0.address == SiteSimulation.Trouble.pdf })
    }

    @Test func `those who share and are shared with are the team's, and what is shared exists`() throws {
        let names = Set(DemoPerson.colleagues.map(\.username))
        #expect(names.isSuperset(of: articles.flatMap(\.sharedWith)))
        #expect(names.isSuperset(of: DemoLibrary.shared.map(\.by)))
        for item in DemoLibrary.shared { #expect(try answer(item.address).status == 200) }
        #expect(articles.contains { $0.address == DemoLibrary.linked })
    }

    @Test func `a passage is placed as a browser counts it`() throws {
        let text = "A & B\nThe 🌊 rose slowly."
        let highlight = try #require(DemoText.highlight("rose slowly", in: text, note: "n"))
        #expect((highlight.start, highlight.end) == (13, 24))
        #expect(highlight.before == "A & B\nThe 🌊 " && highlight.after == "." && highlight.note == "n")
        #expect(DemoText.highlight("sank", in: text, note: "") == nil)
    }
}
