import Foundation
import TestSupport
import Testing

@testable import RoostServices

/// Attacks by a site, or by an address that a user was tricked into saving.
@Suite(.timeLimit(.minutes(3))) struct HostileSiteTests {
    private typealias Response = ScriptedUpstream.Response

    @Test(arguments: ["http://127.0.0.1", "http://[::1]", "http://0x7f000001", "http://localhost"])
    func `a redirect into the LAN is not followed, and nothing from there is shown`(target: String)
        async throws
    {
        try await withReading { fixture in
            let inner = try ScriptedUpstream { _ in ReadingFixture.html("<p>secret of the LAN</p>") }
            defer { inner.stop() }
            fixture.serve(["example.org/a": ReadingFixture.redirect(to: "\(target):\(inner.port)/")])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState.name == "failed")
            #expect(inner.connections == 0)
        }
    }

    @Test func `at most five redirects are followed`() async throws {
        try await withReading { fixture in
            fixture.sites.turn { request in
                let number = Int(request.target.dropFirst()) ?? 0
                return ReadingFixture.redirect(to: "http://example.org/\(number + 1)")
            }
            let item = try await fixture.fetched("http://example.org/0")
            #expect(item.fetchState == .failed(reason: "example.org redirected Roost more than five times."))
            #expect(fixture.sites.requests.count == 6)
        }
    }

    @Test func `a page above the text limit keeps its beginning and says that the end is missing`()
        async throws
    {
        try await withReading { fixture in
            let beginning = SamplePage.paragraphs.map { "<p>\($0)</p>" }.joined()
            let page = "<article>" + beginning + String(repeating: "<i>x</i>", count: 110_000)
            fixture.serve(["example.org/a": ReadingFixture.html(page)])
            let item = try await fixture.fetched("http://example.org/a")
            let article = try await fixture.reading.reading(item.id, for: fixture.ada)
            let markup = try #require(article.markup).html
            #expect(article.text.contains(SamplePage.paragraphs[0]))
            #expect(article.text.hasSuffix("The page is too long. Its end is missing here."))
            #expect(markup.contains("<em>The page is too long."))
        }
    }

    @Test func `a page of more than 5 MB is refused`() async throws {
        try await withReading { fixture in
            let body = String(repeating: "<p>word</p>", count: 600_000)
            fixture.sites.turn { request in
                request.method == "HEAD" ? ReadingFixture.html("") : ReadingFixture.html(body)
            }
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .failed(reason: "The page is larger than 5 MB."))
        }
    }

    @Test func `a slow site is abandoned and retried later`() async throws {
        try await withReading({ $0.articleTimeout = .milliseconds(300) }) { fixture in
            fixture.sites.turn { _ in
                usleep(1_000_000)
                return ReadingFixture.html(ReadingFixture.page("Late"))
            }
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .waiting)
            #expect(item.retryReason == "example.org did not answer within 20 seconds.")
        }
    }

    @Test func `a page without text says so and suggests what to do`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": "<!DOCTYPE html><html><body><div id=app></div></body></html>"])
            guard case .failed(let reason) = try await fixture.fetched("http://example.org/a").fetchState
            else {
                Issue.record("fetched")
                return
            }
            #expect(reason.contains("bookmarklet"))
        }
    }

    @Test(arguments: ["text/html; charset=windows-1252", "text/html"])
    func `a page's charset comes from its header or its own declaration`(type: String)
        async throws
    {
        try await withReading { fixture in
            let page = ReadingFixture.page("Caf\u{E9}", word: "fa\u{E7}ade")
                .replacing("<meta charset=\"utf-8\">", with: "<meta charset=\"windows-1252\">")
            let bytes = page.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            fixture.serve(["example.org/a": Response(headers: ["Content-Type: \(type)"], bytes: bytes)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.title == "Caf\u{E9}")
            #expect(try await fixture.reading.reading(item.id, for: fixture.ada).text.contains("fa\u{E7}ade"))
        }
    }

    @Test func `a time in the future, a huge title and control characters are handled`() async throws {
        try await withReading { fixture in
            let title = "Lan\u{202E}tern\u{7} " + String(repeating: "x", count: 100_000)
            let head = "<meta property=\"article:published_time\" content=\"2999-01-01T00:00:00Z\">"
            fixture.serve(["example.org/a": ReadingFixture.page(title, head: head)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .fetched)
            #expect(item.title.unicodeScalars.count <= 300)
            #expect(!item.title.unicodeScalars.contains("\u{202E}"))
            #expect((item.publishedAt ?? .distantPast) <= fixture.clock.now)
        }
    }

    @Test
    func `an article shows only Roost's copies of pictures, or their alternative text`()
        async throws
    {
        try await withReading { fixture in
            let picture =
                "<img src=\"http://blog.example/p.png\" alt=\"A lantern\"><img src=\"http://127.0.0.1/x.png\" alt=\"Router\">"
            let page = ReadingFixture.page("Lanterns")
                .replacing("<p>The harbour", with: "<p>\(picture) The harbour")
            fixture.serve([
                "example.org/a": ReadingFixture.html(page),
                "blog.example/p.png": Response(
                    headers: ["Content-Type: image/png"], bytes: Pictures.notedPNG),
            ])
            let item = try await fixture.fetched("http://example.org/a")
            let first = try await fixture.reading.reading(item.id, for: fixture.ada).markup?.html ?? ""
            #expect(first.contains("A lantern") && !first.contains("src=\"http"))
            try await fixture.services.whileRunning {
                try await wait(for: "the picture") {
                    let html = try await fixture.reading.reading(item.id, for: fixture.ada).markup?.html ?? ""
                    return html.contains("src=\"/pictures/")
                }
            }
            let html = try await fixture.reading.reading(item.id, for: fixture.ada).markup?.html ?? ""
            #expect(!html.contains("src=\"http"))
        }
    }
}
