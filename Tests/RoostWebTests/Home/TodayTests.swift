import Foundation
import Testing

@testable import Reading
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

extension TodayLinesView {
    static let sample = TodayLinesView(
        lines: [
            TodayLine(
                "<b>A title</b> (example.org, 4 min) is ready.", from: "Reading", at: "/reading/1",
                summary: "Its <main> point."),
            TodayLine("Solana is down 5.21 %.", from: "Watchlist", at: "/coins/solana"),
        ], since: .sample - 86_400, now: .sample)
}

extension TodayView {
    static let sample = TodayView(
        layout: .sample, lines: .sample, feedAddress: "http://127.0.0.1:8080/today/feeds/1-abc.atom")
}

@Suite struct TodayTests {
    @Test func `without changes the page says so, and offers a feed`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/today").text
            #expect(page.contains("Nothing has changed since"))
            #expect(page.contains(">Create feed</button>"))
        }
    }

    @Test func `the feed's address opens without a session, until it is replaced or deleted`() async throws {
        try await TestServer.with { testServer in
            func address() async throws -> String? {
                let page = try await testServer.send("GET", "/today").text
                return page.firstMatch(of: /value="[^"]*(\/today\/feeds\/[^"]+)"/).map { String($0.output.1) }
            }
            #expect(try await address() == nil)
            _ = try await testServer.post("/today/feed")
            let first = try #require(try await address())
            let feed = try await testServer.send("GET", first)
            #expect(feed.status == 200)
            #expect(feed.headers["Content-Type"] == TodayFeed.mediaType)
            _ = try await testServer.post("/today/feed")
            let second = try #require(try await address())
            #expect(first != second)
            #expect(try await testServer.send("GET", first).status == 404)
            _ = try await testServer.post("/today/feed/delete")
            #expect(try await testServer.send("GET", second).status == 404)
            #expect(try await testServer.send("GET", "/today/feeds/1-.atom").status == 404)
        }
    }

    @Test func `a feed has an entry for the day with each line and its summary`() throws {
        let feed = TodayFeed(view: .sample, userId: 7, base: "http://x/", address: "/today/feeds/7-a.atom")
        let text = String(decoding: try feed.document(), as: UTF8.self)
        #expect(text.components(separatedBy: "<entry>").count == 2)
        #expect(text.components(separatedBy: "<li>").count == 3)
        #expect(text.contains("href=\"http://x/coins/solana\""))
        #expect(text.contains("Its &lt;main&gt; point."))
    }

    @Test func `another user's changes are not listed`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let lines = try await testServer.send("GET", "/api/v1/today", as: grace)
            #expect(lines.status == 200)
            #expect((lines.object["items"] as? [Any])?.isEmpty == true)
        }
    }
}
