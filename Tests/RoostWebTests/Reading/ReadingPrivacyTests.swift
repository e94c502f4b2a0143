import Foundation
import Testing

@testable import HTMLDocument
@testable import HTTPClient
@testable import Reading
@testable import TextFormats

/// Other users' data is not found, and text from pages and users is escaped.
@Suite struct ReadingPrivacyTests {
    @Test func `another user's articles, gists, highlights and feeds are not found`() async throws {
        try await ReadingFixture.with { reading in
            let highlight = try await reading.highlight(note: "Mine")
            let gist = try await reading.services.reading.gists.make(for: reading.id, by: reading.ada)
            let feed = try await reading.services.reading.feeds.add(ArticleFilter(), by: reading.ada)
            let deleted = try await reading.save("https://gone.example/")
            let undo = try await reading.services.reading.articles.delete(deleted, by: reading.ada)
            let (one, mark) = (reading.path, "\(reading.path)/highlights/\(highlight.id)")
            let gistPath = "/gists/\(gist.id)"
            let before = try await reading.item()
            for path in [
                one, "\(one)/reader", "\(one)/gist-text", "\(one)/edit", "\(one).epub", gistPath,
                "\(gistPath)/edit",
                "\(gistPath).md", "\(gistPath)/text", "/reading/selection.epub?id=\(reading.id)", reading.api,
                "\(reading.api)/text", "\(reading.api)/highlights", "/api/v1/gists/\(gist.id)",
            ] {
                let answer = try await reading.testServer.send("GET", path, as: reading.grace)
                #expect(answer.status == 404, "\(path)")
            }
            for path in [
                "\(one)/archive", "\(one)/favorite", "\(one)/delete", "\(one)/fetch", "\(one)/gist",
                "\(one)/progress", "\(one)/tags", "\(one)/edit", "\(one)/highlights", "\(mark)/edit",
                "\(mark)/delete", "/reading/undo/\(undo)", "\(gistPath)/edit", "\(gistPath)/delete",
                "\(gistPath)/share", "\(gistPath)/unshare", "\(gistPath)/regenerate",
                "/reading/feeds/\(feed.id)/renew", "/reading/feeds/\(feed.id)/delete",
            ] {
                let answer = try await reading.post(path, [("title", "x")], as: reading.grace)
                #expect(answer.status == 404, "\(path)")
            }
            for (method, path) in [
                ("PATCH", reading.api), ("DELETE", reading.api), ("POST", "\(reading.api)/fetch"),
                ("POST", "\(reading.api)/gist"), ("POST", "\(reading.api)/highlights"),
                ("PATCH", "\(reading.api)/highlights/\(highlight.id)"),
                ("DELETE", "\(reading.api)/highlights/\(highlight.id)"),
                ("PATCH", "/api/v1/gists/\(gist.id)"), ("DELETE", "/api/v1/gists/\(gist.id)"),
            ] {
                let answer = try await reading.testServer.json(method, path, "{}", as: reading.grace)
                #expect(answer.status == 404, "\(method) \(path)")
            }
            #expect(try await reading.item() == before)
            let bulk = [("id", "\(reading.id)"), ("change", "delete")]
            try await reading.post("/reading/bulk", bulk, as: reading.grace)
            #expect(try await reading.item() == before)
        }
    }

    @Test func `a feed is read only by its secret address`() async throws {
        try await ReadingFixture.with { reading in
            let created = try await reading.post("/reading/feeds", [("list", "all")])
            #expect(created.status == 303)
            let tools = try await reading.page("/reading/tools")
            let address = try #require(
                tools.firstMatch(of: #/value="http[^"]*(\/reading\/feeds\/[^"]+\.atom)"/#)
            ).1
            let feed = try await reading.testServer.send("GET", "\(address)", as: .anonymous)
            #expect(feed.status == 200)
            #expect(feed.headers["Content-Type"]?.hasPrefix("application/atom+xml") == true)
            #expect(feed.text.contains("How a tower clock keeps time"))
            let tag = try #require(feed.headers["ETag"])
            let again = try await reading.testServer.send(
                "GET", "\(address)", headers: [("If-None-Match", tag)], as: .anonymous)
            #expect(again.status == 304)
            let id = try #require(
                try await reading.services.database.read {
                    try reading.services.reading.feeds.feeds($0, of: reading.ada)
                }.first
            ).id
            try await reading.post("/reading/feeds/\(id)/renew")
            #expect(try await reading.testServer.send("GET", "\(address)", as: .anonymous).status == 404)
            #expect(!reading.testServer.accessLines.all.contains { $0.contains(address) })
        }
    }

    // MARK: Hostile text

    private static let text = HostileText.short

    private static func expectSound(_ answer: ClientResponse, _ path: String, holds: Bool) throws {
        #expect(!holds || answer.text.containsBytes("probe"), "\(path) does not show the text")
        try HTMLDocument.walk(answer.text.utf8) { piece in
            guard case .start(let element) = piece else { return true }
            let names = [element.name] + element.attributes.map(\.name)
            #expect(names.allSatisfy { !$0.containsBytes("probe") }, "\(path): \(names)")
            return true
        }
    }

    @Test func `text from pages and users is escaped everywhere`() async throws {
        try await ReadingFixture.with { reading in
            let services = reading.services
            let page = """
                <html lang="en"><head><title>\(escaped)</title><meta name="author" content="\(escaped)"></head>
                <body><article><h1>\(escaped)</h1><p>\(escaped) \(String(repeating: "Words of the text. ", count: 60))</p>
                </article></body></html>
                """
            let saved = try await services.reading.articles.save(
                ArticleDraft(
                    url: "https://odd.example/?q=\(PercentEncoding.encode(Self.text))", category: Self.text,
                    tags: ["a\"b<probe"], html: Array(page.utf8)), by: reading.ada)
            let id = saved.item.id
            try await eventually("the text is fetched") {
                try await services.reading.articles.item(id, for: reading.ada).fetchState == .fetched
            }
            try await services.reading.articles.edit(
                id, change: ArticleChange(title: Self.text), by: reading.ada)
            try await reading.highlight(note: Self.text)
            let gist = try await services.reading.gists.makeOfText(
                title: Self.text, text: Self.text + ". And more.", category: Self.text, by: reading.ada)
            _ = try await services.reading.sharedItems.share(
                .gist(gist.id), with: reading.grace.user.userId, by: reading.ada)
            _ = try await services.reading.feeds.add(
                ArticleFilter(list: .all, category: Self.text, tag: "a\"b<probe"), by: reading.ada)
            let token = try await services.reading.gists.share(gist.id, by: reading.ada)
            for path in [
                "/reading", "/reading/list", "/reading/tile",
                "/reading?category=\(PercentEncoding.encode(Self.text))",
                "/reading/\(id)", "/reading/\(id)/reader", "/reading/\(id)/edit", reading.path, "/gists",
                "/gists/\(gist.id)", "/gists/\(gist.id)/edit", "/reading/shared", "/reading/tools",
                "/shared-gists/\(token)", "/",
            ] {
                try Self.expectSound(try await reading.testServer.send("GET", path), path, holds: true)
            }
            let hers = try await reading.testServer.send("GET", "/reading/shared", as: reading.grace)
            try Self.expectSound(hers, "Grace’s shared", holds: true)
        }
    }

    private var escaped: String {
        Self.text.unicodeScalars.map { $0.isASCII ? "&#\($0.value);" : String($0) }.joined()
    }

    @Test(arguments: [
        "/reading?text=", "/reading?tag=", "/reading?category=", "/reading?site=", "/reading?cursor=",
        "/reading/save?url=", "/reading/save?title=", "/reading/share?text=", "/reading/share?title=",
        "/gists?cursor=", "/reading/shared?cursor=",
    ])
    func `text from an address is escaped on the page`(path: String) async throws {
        try await ReadingFixture.with { reading in
            let address = path + PercentEncoding.encode(Self.text)
            try Self.expectSound(try await reading.testServer.send("GET", address), path, holds: false)
        }
    }

    @Test func `text from a refused form is escaped`() async throws {
        try await ReadingFixture.with { reading in
            for (path, field) in [
                ("/reading/save", "from=list&url"), ("/reading/save", "url"), ("/reading/save-many", "lines"),
                ("\(reading.path)/edit", "tags"), ("\(reading.path)/highlights", "quote"),
                ("/reading/shared", "with=0&url"), ("/gists/new", "text=&title"), ("/reading/feeds", "list"),
            ] {
                for text in [Self.text, String(repeating: Self.text, count: 60)] {
                    let answer = try await reading.testServer.post(
                        path, form: "\(field)=\(PercentEncoding.encode(text))")
                    try Self.expectSound(answer, path, holds: false)
                }
            }
        }
    }
}
