import Foundation
import Testing

@testable import HTTPClient

/// The chat entries in a poll's answer.
@Suite struct ChatChangesTests {
    private func entries(_ answer: ClientResponse) -> [[String: Any]] {
        (answer.object["chat"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    }

    @Test func `a change carries the new message with its HTML and the next cursor`() async throws {
        try await ChatFixture.with { talk in
            try await talk.say("Before")
            let after = try await talk.cursor()
            let cursor = talk.services.feed.cursor
            async let poll = talk.testServer.send(
                "GET", "/changes?topics=chat&cursor=\(cursor)&after=\(after)", as: talk.grace)
            try await eventually("the poll waits") { talk.services.feed.waiting == 1 }
            let message = try await talk.say("Now *then*")
            let answer = try await poll
            #expect(answer.object["changed"] as? [String] == ["chat"])
            let entry = try #require(entries(answer).first { $0["kind"] as? String == "message" })
            #expect((entry["message"] as? [String: Any])?["seq"] as? Int == message.number)
            #expect(entry["isNew"] as? Bool == true)
            #expect((entry["html"] as? String)?.contains("Now <i>then</i>") == true)
            let next = (answer.object["chat"] as? [String: Any])?["next"] as? String
            #expect(next.flatMap { talk.services.chat.conversations.position(of: $0) } ?? 0 >= message.seq)
        }
    }

    @Test func `sender and reader get the same HTML`() async throws {
        try await ChatFixture.with { talk in
            try await talk.say("Before")
            let after = try await talk.cursor()
            let cursor = talk.services.feed.cursor
            let message = try await talk.say("Same")
            var markup: Set<String> = []
            for guest in [talk.ada, talk.grace] {
                let answer = try await talk.testServer.send(
                    "GET", "/changes?topics=chat&cursor=\(cursor)&after=\(after)", as: guest)
                let entry = entries(answer).first {
                    ($0["message"] as? [String: Any])?["seq"] as? Int == message.number
                }
                markup.insert(try #require(entry?["html"] as? String))
            }
            #expect(markup.count == 1)
            #expect(markup.first?.contains(" mine") == false)
        }
    }

    @Test func `a link that may have a card is marked, and the reader's own fragment has the card`()
        async throws
    {
        try await ChatFixture.with { talk in
            try await talk.say("Before")
            let after = try await talk.cursor()
            let cursor = talk.services.feed.cursor
            let message = try await talk.say("See /watchlist?q=bitcoin")
            let answer = try await talk.testServer.send(
                "GET", "/changes?topics=chat&cursor=\(cursor)&after=\(after)", as: talk.grace)
            let entry = try #require(
                entries(answer).first { ($0["message"] as? [String: Any])?["seq"] as? Int == message.number })
            #expect(entry["cards"] as? Bool == true)
            #expect((entry["html"] as? String)?.contains("class=\"card\"") == false)
            let own = try await talk.testServer.send(
                "GET", "/chat/\(talk.id)/messages/\(message.number)", as: talk.grace)
            #expect(own.text.contains("class=\"card\""))
        }
    }

    @Test func `without a log cursor, or without a change, no chat entries are sent`() async throws {
        try await ChatFixture.with { talk in
            let cursor = talk.services.feed.cursor
            try await talk.say("News")
            let none = try await talk.testServer.send(
                "GET", "/changes?topics=chat&cursor=\(cursor)", as: talk.grace)
            #expect(none.object["changed"] as? [String] == ["chat"])
            #expect(none.object["chat"] == nil)
            let later = talk.services.feed.cursor
            let calm = try await talk.testServer.send(
                "GET", "/changes?topics=chat&cursor=\(later)&after=\(try await talk.cursor())&wait=0",
                as: talk.eve)
            #expect(calm.object["chat"] == nil)
        }
    }

    @Test func `users outside a conversation receive nothing of it`() async throws {
        try await ChatFixture.with { talk in
            let (cursor, after) = (talk.services.feed.cursor, try await talk.cursor())
            try await talk.say("Ours")
            let poll = "/changes?topics=chat,chat-typing/\(talk.id)&cursor=\(cursor)&after=\(after)&wait=0"
            let answer = try await talk.testServer.send("GET", poll, as: talk.eve)
            #expect(answer.status == 200)
            #expect(answer.object["changed"] as? [String] == [])
            #expect(answer.object["chat"] == nil)
        }
    }

    @Test func `only members receive who is typing`() async throws {
        try await ChatFixture.with { talk in
            let cursor = talk.services.feed.cursor
            let body = #"{"isTyping": true}"#
            #expect(try await talk.testServer.json("POST", "\(talk.api)/typing", body).status == 204)
            let poll = "/changes?topics=chat-typing/\(talk.id)&cursor=\(cursor)&wait=0"
            let hers = try await talk.testServer.send("GET", poll, as: talk.grace)
            #expect(hers.object["changed"] as? [String] == ["chat-typing/\(talk.id)"])
            let eves = try await talk.testServer.send("GET", poll, as: talk.eve)
            #expect(eves.object["changed"] as? [String] == [])
            let shown = try await talk.testServer.send("GET", "/chat/\(talk.id)/typing", as: talk.grace)
            #expect(shown.text.contains("ada is typing…"))
        }
    }

    @Test func `a poll marks its user as present, and earlier messages as delivered`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("News")
            let poll = "/changes?topics=chat&after=\(try await talk.cursor())&wait=0"
            _ = try await talk.testServer.send("GET", poll, as: talk.grace)
            #expect(talk.services.chat.conversations.isPresent(talk.grace.user.userId))
            await talk.services.chat.conversations.flush()
            let now = try await talk.services.chat.conversations.message(
                message.seq, for: talk.ada.user.userId)
            #expect(now.status == .delivered)
        }
    }
}
