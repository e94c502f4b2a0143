import Foundation
import Testing

@testable import RoostSimulator

@Suite struct SiteSimulationTests {
    private let sites = SiteSimulation()

    private func ask(_ address: String, cookie: String = "") throws -> SimulatedResponse {
        let parts = try #require(address.wholeMatch(of: #/http://([^/]+)(/.*)/#))
        return sites.answer(
            SiteRequest(target: String(parts.2), host: String(parts.1), cookie: cookie))
    }

    /// All public articles.
    private var articles: [(site: SimulatedSite, article: SiteArticle)] {
        SimulatedSite.all.flatMap { site in site.articles.map { (site, $0) } }
    }

    @Test func `there are at least a dozen articles, in English, German and French`() {
        #expect(articles.count >= 12)
        #expect(Set(SimulatedSite.all.map(\.language)) == ["en", "de", "fr"])
        for language in ["en", "de", "fr"] {
            #expect(articles.count { $0.site.language == language } >= 3, "\(language)")
        }
        let lengths = articles.map { $0.article.text.split { $0.isWhitespace }.count }
        #expect(lengths.count { (400...1_200).contains($0) } >= 12, "\(lengths.sorted())")
        let titles = articles.map(\.article.title)
        #expect(Set(titles).count == titles.count)
    }

    @Test func `an article's page names it, and has menus and boxes like real sites`() throws {
        let article = try #require(SimulatedSite.harbourGazette.articles.first)
        let page = try ask(SimulatedSite.harbourGazette.address(of: article.path))
        #expect(page.status == 200)
        for part in [
            "<h1>\(article.title)</h1>", "rel=\"canonical\"", "property=\"og:image\"",
            "application/ld+json", "article:published_time", "<h2>", "<ul>", "<blockquote>", "<figure>",
            "cookie-banner", "main-nav", "share-buttons", "newsletter-box", "related", "comments",
            "site-footer",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
    }

    @Test func `the pages have headings, lists, tables and code`() throws {
        let guide = try #require(SimulatedSite.tidewrightDocumentation.articles.first)
        let page = try ask(SimulatedSite.tidewrightDocumentation.address(of: guide.path)).text
        #expect(
            page.contains(
                "<ol><li>Stand the staff on the benchmark and read it. Call the reading <em>a</em>."))
        #expect(page.contains("<thead><tr><th>Setting</th><th>Standard</th><th>Meaning</th></tr></thead>"))
        #expect(page.contains("<td><code>interval</code></td><td>60</td>"))
        #expect(page.contains("<pre><code class=\"language-ini\">[north-pier]\ninterval = 60\n"))
    }

    @Test func `code keeps its blank lines and is escaped`() throws {
        let post = try ask("http://blog.tidewright.example/posts/tide-tables-in-forty-lines").text
        #expect(post.contains("}\n\nfunc predict(_ factors: [Double], at hour: Double) -&gt; Double {"))
    }

    @Test func `every picture on a page is a PNG`() throws {
        var count = 0
        for (site, article) in articles {
            let page = try ask(site.address(of: article.path), cookie: "member=1").text
            for found in page.matches(of: #/src="(/pictures/[^"]+)"/#) {
                count += 1
                let picture = try ask(site.address(of: String(found.1)))
                #expect(picture.header("Content-Type") == "image/png", "\(found.1)")
                #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
        }
        #expect(count > 12)
    }

    @Test func `different names have different pictures, and the same name the same one`() throws {
        let addresses = ["a", "chart-a", "plan-a", "b"].map {
            "http://blog.tidewright.example/pictures/\($0).png"
        }
        let pictures = try addresses.map { try ask($0).body }
        #expect(Set(pictures).count == 4)
        #expect(try ask(addresses[0]).body == pictures[0])
    }

    @Test func `tracking parameters are removed by a redirect`() throws {
        let article = try #require(SimulatedSite.alpenkurier.articles.first)
        let address = SimulatedSite.alpenkurier.address(of: article.path)
        let answer = try ask(address + "?utm_source=related&utm_medium=web")
        #expect(answer.status == 302)
        #expect(answer.header("Location") == address)
        #expect(try ask(address).status == 200)
    }

    @Test func `a short address leads to an article through three redirects`() throws {
        var address = SiteSimulation.SpecialURL.redirects, steps = 0
        while let next = try ask(address).header("Location") {
            address = next
            steps += 1
            if steps > 5 { break }
        }
        #expect(steps == 3)
        #expect(SimulatedSite.harbourGazette.articles.contains { address.hasSuffix($0.path) })
        let endless = SiteSimulation.SpecialURL.endlessRedirect
        #expect(try ask(endless).header("Location") == endless)
    }

    @Test func `members' articles are behind a wall until the reader signs in`() throws {
        let article = try #require(articles.first { $0.article.isForMembers })
        let address = article.site.address(of: article.article.path)
        let wall = try ask(address).text
        #expect(wall.contains("class=\"paywall\"") && !wall.contains("story-body"))
        let login = try ask("http://\(article.site.host)/login?next=\(article.article.path)")
        #expect(login.header("Location") == article.article.path)
        let cookie = try #require(login.header("Set-Cookie")?.split(separator: ";").first)
        let page = try ask(address, cookie: String(cookie)).text
        #expect(page.contains("story-body") && !page.contains("class=\"paywall\""))
    }

    @Test func `the log-in redirects to no other site`() throws {
        for next in ["https://elsewhere.example/", "//elsewhere.example/"] {
            #expect(
                try ask("http://www.harbour-gazette.example/login?next=\(next)").header("Location") == nil)
        }
    }

    @Test func `an article that a script builds is not in the page itself`() throws {
        let built = try #require(articles.first { $0.article.isBuiltByScript })
        let page = try ask(built.site.address(of: built.article.path)).text
        #expect(!page.contains("<h1>"))
        #expect(page.contains(#"\u003ch1\u003e"#))
    }

    @Test func `older pages are in Windows encodings, and one of them declares another`() throws {
        let pages = try [
            "/sciences/2026/09/le-cadran-qui-dit-l-heure-des-marees",
            "/archives/2004/les-cabanes-de-la-pointe",
        ]
        .map { try ask("http://www.rivesud.example\($0)") }
        #expect(pages.map { $0.header("Content-Type") } == ["text/html", "text/html; charset=utf-8"])
        for page in pages {
            #expect(String(validating: page.body, as: UTF8.self) == nil)
            let text = try #require(String(data: Data(page.body), encoding: .windowsCP1252))
            #expect(text.contains("charset=\"windows-1252\"") && text.contains("é") && text.contains("’"))
            #expect(!text.contains("S?abonner"))
        }
    }

    @Test func `a resource that is not a page has its own type or status`() throws {
        let pdf = try ask(SiteSimulation.SpecialURL.pdf)
        #expect(pdf.header("Content-Type") == "application/pdf" && pdf.text.hasPrefix("%PDF-1.4\n"))
        #expect(try ask(SiteSimulation.SpecialURL.image).header("Content-Type") == "image/png")
        #expect(try ask(SiteSimulation.SpecialURL.missing).status == 404)
    }

    @Test func `a page is too large, and another is small but unpacks to far more`() throws {
        #expect(try ask(SiteSimulation.SpecialURL.huge).body.count > 5 << 20)
        let bomb = try ask(SiteSimulation.SpecialURL.bomb)
        #expect(bomb.header("Content-Encoding") == "x-gzip")
        #expect(bomb.body.count < 500_000)
    }

    @Test func `a name that has moved leads to the new one`() throws {
        let answer = try ask("http://harbour-gazette.example/2026/10/some-page")
        #expect(answer.status == 301)
        #expect(answer.header("Location") == "http://www.harbour-gazette.example/2026/10/some-page")
    }

    @Test func `a page can be changed, replaced, redirected and restored`() throws {
        let address = "http://blog.tidewright.example/posts/measure-twice-mend-once"
        let before = try ask(address).body
        sites.change(address, SiteChange(title: "Other", text: "New words.\n\n## And a heading"))
        let changed = try ask(address).text
        #expect(changed.contains("<h1>Other</h1>") && changed.contains("<h2>And a heading</h2>"))
        sites.change(address, SiteChange(redirect: "http://127.0.0.1:1/"))
        #expect(try ask(address).header("Location") == "http://127.0.0.1:1/")
        sites.change(address, SiteChange(status: 410))
        #expect(try ask(address).status == 410)
        sites.change(address, nil)
        #expect(try ask(address).body == before)
        sites.change("http://blog.tidewright.example/posts/*", SiteChange(status: 410))
        #expect(try ask(address).status == 410)
        #expect(try ask("http://blog.tidewright.example/").status == 200)
        let new = "http://blog.tidewright.example/new"
        #expect(try ask(new).status == 404)
        sites.change(new, SiteChange(html: "<p>x", type: "text/html; charset=koi8-r"))
        #expect(try ask(new).header("Content-Type") == "text/html; charset=koi8-r")
    }
}
