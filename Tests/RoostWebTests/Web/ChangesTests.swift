import Foundation
import Testing

@testable import HTTPClient

@Suite struct ChangesTests {
    @Test func `a poll hears of a change in the client's own words`() async throws {
        try await TestServer.with { testServer in
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/changes?topics=watchlist,displays&cursor=\(cursor)")
            try await eventually("it waits") { testServer.services.feed.waiting == 1 }
            try await testServer.services.watchlist.add("bitcoin", to: testServer.owner.userId)
            let body = try await news.object
            #expect(body["changed"] as? [String] == ["watchlist"])
            #expect(body["cursor"] as? String != cursor)
            #expect((body["version"] as? String)?.isEmpty == false)
        }
    }

    @Test func `a change between two polls is not lost`() async throws {
        try await TestServer.with { testServer in
            let cursor = testServer.services.feed.cursor
            try await testServer.services.watchlist.add("bitcoin", to: testServer.owner.userId)
            let answer = try await testServer.send("GET", "/changes?topics=watchlist&cursor=\(cursor)")
            #expect(answer.object["changed"] as? [String] == ["watchlist"])
        }
    }

    @Test func `after a restart every topic is new`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/changes?topics=prices,watchlist&cursor=before.7")
            #expect(answer.object["changed"] as? [String] == ["prices", "watchlist"])
        }
    }

    @Test func `prices in another currency and charts have topics of their own`() async throws {
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

    @Test func `a topic that is not one's own is refused`() async throws {
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

    @Test func `hundreds of polls all hear of one change`() async throws {
        try await TestServer.with { testServer in
            let cursor = testServer.services.feed.cursor
            try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        let path = "/changes?topics=displays&cursor=\(cursor)"
                        return try await testServer.send("GET", path).object["changed"] as? [String] ?? []
                    }
                }
                try await eventually("some wait") { testServer.services.feed.waiting > 0 }
                _ = try await testServer.services.displays.add("Wall", for: testServer.owner.userId)
                for try await changed in group { #expect(changed == ["displays"]) }
            }
        }
    }

    @Test func `stopping ends the polls at once`() async throws {
        try await TestServer.with { testServer in
            let cursor = testServer.services.feed.cursor
            async let news = testServer.send("GET", "/changes?topics=displays&cursor=\(cursor)")
            try await eventually("it waits") { testServer.services.feed.waiting == 1 }
            let begun = ContinuousClock.now
            try await testServer.server.stop()
            _ = try? await news
            #expect(begun.duration(to: .now) < .seconds(5))
        }
    }
}
