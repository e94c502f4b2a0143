import Foundation
import Testing

@testable import RoostServices

/// What a site, or an address that somebody was talked into saving, may try.
@Suite(.timeLimit(.minutes(3))) struct HostileSiteTests {
    private typealias Response = ScriptedUpstream.Response

    @Test(arguments: [
        "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "0.0.0.0",
    ])
    func `no spelling of an address that is not public is fetched from`(host: String) async throws {
        try await withReading { fixture in
            let item = try await fixture.fetched("http://\(host):\(fixture.sites.port)/")
            guard case .failed(let reason) = item.fetchState else {
                Issue.record("\(item.fetchState)")
                return
            }
            #expect(reason.contains("at no public address"))
            #expect(fixture.sites.connections == 0)
        }
    }

    @Test(arguments: ["http://127.0.0.1", "http://[::1]", "http://0x7f000001", "http://localhost"])
    func `a redirect into the LAN is not followed, and what is there is not told`(target: String) async throws
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

    @Test func `redirects end after five`() async throws {
        try await withReading { fixture in
            fixture.sites.turn { request in
                let number = Int(request.target.dropFirst()) ?? 0
                return ReadingFixture.redirect(to: "http://example.org/\(number + 1)")
            }
            let item = try await fixture.fetched("http://example.org/0")
            #expect(item.fetchState == .failed(reason: "example.org sent Roost on more than five times."))
            #expect(fixture.sites.requests.count == 6)
        }
    }

    @Test func `a redirect to another scheme is not followed`() async throws {
        try await withReading { fixture in
            fixture.serve(["example.org/a": ReadingFixture.redirect(to: "file:///etc/passwd")])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .failed(reason: "example.org sent Roost to an address that is none."))
        }
    }

    @Test func `an article whose page is too large has its beginning, and says that the end is missing`()
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
            #expect(article.text.hasSuffix("The page is larger than Roost reads. Its end is missing here."))
            #expect(markup.contains("<em>The page is larger than Roost reads."))
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

    /// 20 MB of blanks in 20 kB.
    @Test func `what is small only until it is unpacked is refused`() async throws {
        try await withReading { fixture in
            let bomb = try GzipBomb.bytes(megabytes: 20)
            #expect(bomb.count < 100_000)
            fixture.sites.turn { request in
                request.method == "HEAD"
                    ? ReadingFixture.html("")
                    : Response(headers: ["Content-Type: text/html", "Content-Encoding: gzip"], bytes: bomb)
            }
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .failed(reason: "The page is larger than 5 MB."))
        }
    }

    @Test func `a site that takes its time is left, and asked again later`() async throws {
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

    @Test func `a page without text says so, and what to do`() async throws {
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
    func `a page in another charset is read as it was written, by its header or its own word`(type: String)
        async throws
    {
        try await withReading { fixture in
            let page = ReadingFixture.page("Caf\u{E9}", word: "fa\u{E7}ade")
                .replacing("<meta charset=\"utf-8\">", with: "<meta charset=\"windows-1252\">")
            let bytes = page.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            fixture.serve(["example.org/a": Response(headers: ["Content-Type: \(type)"], bytes: bytes)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.article.title == "Caf\u{E9}")
            #expect(try await fixture.reading.reading(item.id, for: fixture.ada).text.contains("fa\u{E7}ade"))
        }
    }

    @Test func `a time in the future, a title of megabytes and control characters do no harm`() async throws {
        try await withReading { fixture in
            let title = "Lan\u{202E}tern\u{7} " + String(repeating: "x", count: 100_000)
            let head = "<meta property=\"article:published_time\" content=\"2999-01-01T00:00:00Z\">"
            fixture.serve(["example.org/a": ReadingFixture.page(title, head: head)])
            let item = try await fixture.fetched("http://example.org/a")
            #expect(item.fetchState == .fetched)
            #expect(item.article.title.unicodeScalars.count <= 300)
            #expect(!item.article.title.unicodeScalars.contains("\u{202E}"))
            #expect((item.publishedAt ?? .distantPast) <= fixture.clock.now)
        }
    }

    @Test func `pictures in an article are Roost's own copies or their words, and nobody else is asked`()
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

/// Blanks, packed by the system's gzip.
private enum GzipBomb {
    static func bytes(megabytes: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "head -c \(megabytes << 20) /dev/zero | tr '\\0' ' ' | gzip -9"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }
}
