import Testing

@testable import RoostSimulator
@testable import roost

/// The demo's initial reading list.
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
        // Pages in a Windows encoding are not decoded here: the article's text is already a String.
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

    @Test func `pages are unique, and the oldest comes first`() {
        #expect(Set(articles.map(\.address)).count == articles.count)
        #expect(articles.map(\.minutesAgo) == articles.map(\.minutesAgo).sorted(by: >))
    }

    @Test func `every highlight is in its article`() throws {
        var count = 0
        for article in articles {
            for (quote, _) in article.highlights {
                count += 1
                #expect(try text(article.address).contains(quote), "\(quote)")
            }
        }
        #expect(count >= 5)
    }

    @Test func `articles cover every state`() {
        #expect(articles.contains { $0.change.state == .archived })
        #expect(articles.contains { $0.change.state == nil })
        #expect(articles.contains { $0.change.isFavorite == true })
        #expect(articles.contains { (0.01..<1).contains($0.change.progress ?? 0) })
        #expect(articles.count { $0.gist == .generated } >= 3)
        #expect(articles.contains { if case .edited = $0.gist { true } else { false } })
        #expect(articles.contains { $0.highlights.contains { !$0.note.isEmpty } })
        #expect(articles.contains { !$0.sharedWith.isEmpty })
        #expect(Set(articles.compactMap(\.category)).count >= 3)
        #expect(Set(articles.flatMap(\.tags)).count >= 8)
        #expect(articles.contains { $0.address == SiteSimulation.SpecialURL.pdf })
    }

    @Test func `shared pages exist, and their senders and recipients are in the team`() throws {
        let names = Set(DemoPerson.colleagues.map(\.username))
        #expect(names.isSuperset(of: articles.flatMap(\.sharedWith)))
        #expect(names.isSuperset(of: DemoLibrary.shared.map(\.by)))
        for item in DemoLibrary.shared { #expect(try answer(item.address).status == 200) }
        #expect(articles.contains { $0.address == DemoLibrary.linked })
    }

    @Test func `a passage's offset counts as a browser does`() throws {
        let text = "A & B\nThe 🌊 rose slowly."
        let highlight = try #require(DemoText.highlight("rose slowly", in: text, note: "n"))
        #expect((highlight.start, highlight.end) == (13, 24))
        #expect(highlight.before == "A & B\nThe 🌊 " && highlight.after == "." && highlight.note == "n")
        #expect(DemoText.highlight("sank", in: text, note: "") == nil)
    }
}
