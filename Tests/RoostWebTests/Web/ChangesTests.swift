import Foundation
import Testing

@testable import HTTPClient
@testable import roost

@Suite struct ChangesTests {
    @Test func `a poll returns a change under the client's topic name`() async throws {
        try await TestServer.with { testServer in
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/changes?topics=watchlist,displays&cursor=\(cursor)")
            try await eventually("the poll waits") { testServer.services.feed.waiting == 1 }
            try await testServer.services.market.watchlist.add("bitcoin", to: testServer.owner.userId)
            let body = try await news.object
            #expect(body["changed"] as? [String] == ["watchlist"])
            #expect(body["cursor"] as? String != cursor)
            #expect((body["version"] as? String)?.isEmpty == false)
        }
    }

    @Test func `prices in another currency and charts have their own topics`() async throws {
        try await TestServer.with { testServer in
            let topics = ["prices/eur", "chart/bitcoin", "currencies"]
            let answer = try await testServer.send(
                "GET", "/changes?topics=\(topics.joined(separator: ","))&cursor=before.7")
            #expect(answer.object["changed"] as? [String] == topics)
            let odd = try await testServer.send(
                "GET", "/changes?topics=chart/1move%2520token&cursor=before.7")
            #expect(odd.object["changed"] as? [String] == ["chart/1move%20token"])
        }
    }

    @Test func `another user's topic is refused`() async throws {
        try await TestServer.with { testServer in
            for topic in [
                "watchlist/99", "display/1", "everything", "prices/", "prices/EUR", "prices/a-b", "chart/",
            ] {
                let answer1 = try await testServer.send("GET", "/changes?topics=\(topic)")
                #expect(answer1.status == 403, "\(topic)")
            }
            let many = Array(repeating: "prices", count: 40).joined(separator: ",")
            let answer2 = try await testServer.send("GET", "/changes?topics=\(many)")
            #expect(answer2.status == 422)
        }
    }
}
