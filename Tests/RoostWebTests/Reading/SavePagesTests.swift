import Foundation
import Testing

@testable import HTTPClient
@testable import Reading
@testable import roost

/// The bookmarklet's window, the phone's share menu, and offline reading.
@Suite struct SavePagesTests {
    private static let policy = "Cross-Origin-Opener-Policy"

    private static let page = [("Accept", "text/html")]

    @Test func `only the form of the bookmarklet's window may have an opener`() async throws {
        try await TestServer.with { testServer in
            let window = "/reading/save?url=https://x.example/"
            #expect(try await testServer.send("GET", window).headers.all(Self.policy) == ["unsafe-none"])
            let refused = try await testServer.post("/reading/save", form: "url=ftp://x.example/")
            #expect(refused.status == 422)
            let saved = try await testServer.post("/reading/save", form: "url=https://x.example/")
            #expect(saved.status == 303)
            let shown = try await testServer.send("GET", try #require(saved.headers["Location"]))
            #expect(shown.status == 200)
            for answer in [refused, saved, shown] {
                #expect(answer.headers.all(Self.policy) == ["same-origin"])
            }
            for path in [
                "/reading", "/reading/tools", "/reading/shared", "/reading/share?url=https://x.example/",
                "/gists", "/",
            ] {
                #expect(
                    try await testServer.send("GET", path).headers.all(Self.policy) == ["same-origin"],
                    "\(path)")
            }
            let page = try await testServer.send("GET", "/reading/save")
            #expect(page.headers["Content-Security-Policy"]?.contains("script-src 'self'") == true)
        }
    }

    @Test(arguments: [
        "", "?url=https://x.example/", "?from=bookmarklet&url=https://x.example/&title=A", "?from=share",
        "?saved=1", "?saved=999", "?saved=x",
    ])
    func `an opener cannot tell from the answer whether a user is signed in`(query: String) async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.post("/reading/save", form: "url=https://x.example/")
            let user = try await testServer.send("GET", "/reading/save" + query, headers: Self.page)
            let visitor = try await testServer.send(
                "GET", "/reading/save" + query, headers: Self.page, as: .anonymous)
            #expect(user.headers.all(Self.policy) == visitor.headers.all(Self.policy))
            #expect(user.headers["X-Frame-Options"] == visitor.headers["X-Frame-Options"])
            #expect(visitor.headers["Set-Cookie"] == nil)
            guard !query.contains("saved") else { return }
            #expect(user.status == 200 && visitor.status == 200)
            #expect(user.headers.all(Self.policy) == ["unsafe-none"])
            // Both pages load the same scripts.
            let scripts = #/<(?:script|link)[^>]* (?:src|href)="[^"]*"/#
            #expect(
                user.text.matches(of: scripts).map { String($0.0) }
                    == visitor.text.matches(of: scripts).map { String($0.0) })
            for page in [user.text, visitor.text] { #expect(!page.contains("<iframe")) }
        }
    }

    @Test func `a program without a session is refused`() async throws {
        try await TestServer.with { testServer async throws in
            #expect(try await testServer.send("GET", "/reading/save", as: .anonymous).status == 401)
        }
    }

    @Test(arguments: [
        "/bookmarks/export.csv", "/bookmarks/export.json", "/reading/export.json", "/api/v1/watchlist/export",
    ])
    func `another site cannot tell from a download whether a user is signed in`(path: String) async throws {
        try await TestServer.with { testServer in
            func ask(_ site: String, as guest: Guest? = nil) async throws -> ClientResponse {
                try await testServer.send(
                    "GET", path,
                    headers: Self.page + [
                        ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"),
                        ("Sec-Fetch-Dest", "document"),
                    ], as: guest)
            }
            for site in ["cross-site", "same-site"] {
                for guest in [nil, Guest.anonymous] {
                    let answer = try await ask(site, as: guest)
                    #expect(answer.headers["Content-Disposition"] == nil && answer.status != 200)
                    #expect(answer.headers.all(Self.policy) == ["same-origin"])
                }
            }
            for site in ["same-origin", "none"] {
                let answer = try await ask(site)
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
            }
        }
    }

    @Test func `nothing is saved before a click, and then the form's values are saved`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            let query = "url=https%3A%2F%2Fx.example%2Fa%3Fb%3D1&title=A%20%22page%22"
            let page = try await browser.open("/reading/save?from=bookmarklet&\(query)")
            #expect(browser.value(of: "url") == "https://x.example/a?b=1")
            #expect(browser.value(of: "title") == "A \"page\"")
            #expect(page.text.contains("name=\"html\""))
            let reading = testServer.services.reading.articles
            #expect(try await reading.counts(of: testServer.owner.userId).all == 0)
            let answer = try await browser.submit(
                "/reading/save",
                [
                    "from": "bookmarklet", "url": "https://x.example/a?b=1", "title": "Mine",
                    "category": "Clocks", "tags": "a, b", "html": ReadingFixture.html,
                ])
            #expect(answer.status == 303)
            let done = try await browser.open(try #require(answer.location))
            #expect(done.text.contains("Article saved."))
            let item = try #require(
                try await reading.list(ArticleFilter(), of: testServer.owner.userId).items.first)
            #expect(item.title == "Mine" && item.category == "Clocks")
            #expect(item.tags == ["a", "b"])
        }
    }

    @Test func `the browser's copy of a page is stored, and nothing is fetched`() async throws {
        try await TestServer.with { testServer in
            let fields = [
                ("url", "https://walled.example/"), ("from", "bookmarklet"), ("html", ReadingFixture.html),
            ]
            let body =
                fields.map {
                    "--XX\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
                }.joined() + "--XX--\r\n"
            let answer = try await testServer.send(
                "POST", "/reading/save", headers: [("Content-Type", "multipart/form-data; boundary=XX")],
                body: body)
            #expect(answer.status == 303)
            let reading = testServer.services.reading.articles
            let owner = testServer.owner.userId
            try await eventually("the text is fetched") {
                try await reading.list(ArticleFilter(), of: owner).items.first?.fetchState == .fetched
            }
        }
    }

    @Test func `a page that is too large is refused with a message, and its address stays`() async throws {
        try await TestServer.with { testServer in
            let html = String(repeating: "語", count: 1_800_000)
            let body =
                "--XX\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://x.example/\r\n"
                + "--XX\r\nContent-Disposition: form-data; name=\"html\"\r\n\r\n\(html)\r\n--XX--\r\n"
            let answer = try await testServer.send(
                "POST", "/reading/save", headers: [("Content-Type", "multipart/form-data; boundary=XX")],
                body: body)
            #expect(answer.status == 422)
            #expect(answer.text.contains("larger than 5 MB"))
            #expect(answer.text.contains("value=\"https://x.example/\""))
        }
    }

    @Test func `a refused save keeps what was typed, with the reason at its field`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(
                "/reading/save", form: "url=ftp://x.example/%3Cx%3E&title=T&tags=a%2Cb&autoCreateGist=yes")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"url-error\""))
            #expect(
                answer.text.contains("value=\"ftp://x.example/&lt;x&gt;\"")
                    && answer.text.contains("value=\"a,b\""))
            #expect(answer.text.contains("value=\"yes\" checked"))
        }
    }

    @Test(arguments: [
        ("url=https://x.example/1", "https://x.example/1"),
        ("text=Look:%20https://x.example/2%20!", "https://x.example/2"),
        ("title=https://x.example/3", "https://x.example/3"),
        ("text=https://x.example/4&title=A%20page", "https://x.example/4"),
    ])
    func `a phone's share menu may send the address in any parameter`(query: String, address: String)
        async throws
    {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/reading/share?\(query)").text
            #expect(page.contains("value=\"\(address)\""))
            #expect(page.contains("name=\"from\" value=\"share\""))
            #expect(
                try await testServer.services.reading.articles.counts(of: testServer.owner.userId).all == 0)
        }
    }

    @Test func `shared text without an address says so, and the address can be added`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/reading/share?text=only%20%3Cwords%3E")
            #expect(page.status == 200)
            #expect(page.text.contains("id=\"url-error\""))
            #expect(page.text.contains("only &lt;words&gt;"))
        }
    }

    @Test func `a visitor returns to the form after signing in`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            let path = "/reading/save?url=https://x.example/&title=A%20%22page%22"
            let page = try await browser.open(path)
            #expect(page.status == 200 && !page.text.contains("<form"))
            let link = try #require(page.text.firstMatch(of: #/class="button" href="([^"]*)"/#)).1
            #expect(link.hasPrefix("/login?next=%2Freading%2Fsave"))
            try await browser.open(String(link))
            let entered = try await browser.signIn("ada", next: browser.value(of: "next"))
            #expect(entered.status == 303)
            try await browser.open(try #require(entered.location))
            #expect(browser.value(of: "url") == "https://x.example/")
            #expect(browser.value(of: "title") == "A \"page\"")
        }
    }

    @Test func `the bookmarklet contains the address that the browser uses`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/reading/tools").text
            let link = try #require(page.firstMatch(of: #/<a class="button" href="(javascript:[^"]*)"/#)).1
            #expect(link.contains("http://\(testServer.server.address)"))
            #expect(!link.contains("ROOST") && !link.contains("\n"))
            #expect(link.contains("/reading/save?"))
        }
    }

    @Test func `the service worker is served from the root and revalidated on each request`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/sw.js", as: .anonymous)
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"]?.hasPrefix("text/javascript") == true)
            #expect(answer.headers["Cache-Control"] == "no-cache")
            let path = try #require(answer.text.firstMatch(of: #/importScripts\("([^"]+)"\)/#)).1
            #expect(try await testServer.send("GET", "\(path)", as: .anonymous).status == 200)
        }
    }

    @Test func `the offline list contains only the user's own pages, and names the user`() async throws {
        try await ReadingFixture.with { reading in
            let gist = try await reading.services.reading.gists.make(for: reading.id, by: reading.ada)
            let offline = try await reading.testServer.send("GET", "/reading/offline").object
            let articles = try #require(offline["articles"] as? [[String: Any]])
            #expect(articles.map { $0["path"] as? String } == [reading.path])
            let gists = try #require(offline["gists"] as? [[String: Any]])
            #expect(gists.map { $0["path"] as? String } == ["/gists/\(gist.id)"])
            let assets = try #require(offline["assets"] as? [String])
            #expect(assets.contains { $0.hasSuffix("/css/roost.css") })
            let owner = try #require(offline["owner"] as? String)
            #expect(try await reading.page("/reading").contains("data-offline=\"\(owner)\""))
            let graceOffline = try await reading.testServer.send("GET", "/reading/offline", as: reading.grace)
                .object
            #expect((graceOffline["articles"] as? [Any])?.isEmpty == true)
            #expect(graceOffline["owner"] as? String != owner)
        }
    }

    @Test func `a stored page is stale once its text is highlighted or its gist is created`() async throws {
        try await ReadingFixture.with { reading in
            func stamp() async throws -> String {
                let index = try await reading.testServer.send("GET", "/reading/offline").object
                let articles = try #require(index["articles"] as? [[String: Any]])
                return try #require(articles.first?["stamp"] as? String)
            }
            let plain = try await stamp()
            let highlight = try await reading.services.reading.articles.addHighlight(
                NewHighlight(start: 0, end: 1, quote: ReadingFixture.quote), to: reading.id, by: reading.ada)
            let highlighted = try await stamp()
            #expect(highlighted != plain)
            _ = try await reading.services.reading.articles.deleteHighlight(
                highlight.id, of: reading.id, by: reading.ada)
            let after = try await stamp()
            #expect(after != highlighted)
            _ = try await reading.services.reading.gists.make(for: reading.id, by: reading.ada)
            #expect(try await stamp() != after)
        }
    }
}
