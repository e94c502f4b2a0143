import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import TextFormats
@testable import roost

@Suite struct ChatAPITests {
    private static let path = "/api/v1/conversations"

    @Test func `messages are paged newest first by cursor, and in order around a message`() async throws {
        try await ChatFixture.with { talk in
            for number in 1...5 { try await talk.say("\(number)") }
            let first = try await talk.testServer.send("GET", "\(talk.api)/messages?limit=2")
            #expect(first.items.compactMap { $0["text"] as? String } == ["5", "4"])
            let next = try #require(first.object["next"] as? String)
            let second = try await talk.testServer.send("GET", "\(talk.api)/messages?limit=2&cursor=\(next)")
            #expect(second.items.compactMap { $0["text"] as? String } == ["3", "2"])
            let after = try await talk.testServer.send("GET", "\(talk.api)/messages?limit=2&after=4")
            #expect(after.items.compactMap { $0["text"] as? String } == ["5"])
            #expect(after.object["hasOlder"] as? Bool == true)
        }
    }

    @Test func `an invalid number is refused with its field`() async throws {
        try await ChatFixture.with { talk in
            let answer = try await talk.testServer.send("GET", "\(talk.api)/messages?after=x")
            #expect(answer.status == 422)
            #expect(answer.error("field") == "after")
        }
    }

    @Test(arguments: ["before=yesterday", "from=grace", "has=video", "since=1"])
    func `a search refuses a value or a name that it does not know`(query: String) async throws {
        try await ChatFixture.with { talk in
            let answer = try await talk.testServer.send("GET", "\(Self.path)/search?q=one&\(query)")
            #expect(answer.status == 422)
            #expect(answer.error("field") == String(query.prefix { $0 != "=" }))
        }
    }

    @Test(arguments: ["1", "0", "-1", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func `a cursor that Roost did not issue is refused with its field`(cursor: String) async throws {
        try await ChatFixture.with { talk in
            try await talk.say("One")
            let log = try await talk.testServer.send("GET", "\(Self.path)/log?after=\(cursor)")
            #expect(log.status == 422 && log.error("field") == "after")
            let search = try await talk.testServer.send("GET", "\(Self.path)/search?q=one&cursor=\(cursor)")
            #expect(search.status == 422 && search.error("field") == "cursor")
        }
    }

    @Test func `a message can be edited, reacted to, marked as read and deleted`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("Frist")
            let path = "\(talk.api)/messages/\(message.number)"
            let server = talk.testServer
            let edited = try await server.json("PATCH", path, #"{"text": "First"}"#)
            #expect(edited.object["text"] as? String == "First")
            let reaction = "\(path)/reactions/%F0%9F%91%8D"
            let reacted = try await server.send("PUT", reaction, as: talk.grace)
            #expect((reacted.object["reactions"] as? [[String: Any]])?.first?["emoji"] as? String == "👍")
            #expect((try await server.send("DELETE", reaction, as: talk.grace)).status == 200)
            let read = try await server.json(
                "POST", "\(talk.api)/receipts", #"{"readSeq": \#(message.number)}"#, as: talk.grace)
            #expect(read.status == 204)
            let receipts = try await server.send("GET", "\(path)/receipts")
            #expect(receipts.items.first?["status"] as? String == "read")
            #expect(receipts.items.first?["userId"] as? String == "\(talk.grace.user.userId)")
            let deleted = try await server.send("DELETE", path)
            #expect(deleted.object["text"] as? String == "")
            #expect(deleted.object["deletedAt"] != nil)
        }
    }

    @Test func `drafts, notification settings and unread marks are per user`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("News")
            let server = talk.testServer
            #expect(
                try await server.json("PUT", "\(talk.api)/draft", #"{"text": "So"}"#, as: talk.grace).status
                    == 204)
            _ = try await server.json("PATCH", talk.api, #"{"notify": "mentions"}"#, as: talk.grace)
            let hers = try await server.send("GET", talk.api, as: talk.grace).object
            #expect(hers["draft"] as? String == "So")
            #expect(hers["notify"] as? String == "mentions")
            let his = try await server.send("GET", talk.api).object
            #expect(his["draft"] == nil)
            try await talk.services.chat.conversations.markRead(
                talk.id, upTo: message.number, by: talk.grace.user.userId)
            _ = try await server.json(
                "POST", "\(talk.api)/receipts", #"{"unreadFrom": \#(message.number)}"#, as: talk.grace)
            #expect(try await talk.unread(of: talk.grace) == 1)
        }
    }

    @Test func `members are added, made admins and removed`() async throws {
        try await ChatFixture.with(isGroup: true) { talk in
            let server = talk.testServer
            let eve = talk.eve.user.userId
            let added = try await server.json("POST", "\(talk.api)/members", #"{"userIds": ["\#(eve)"]}"#)
            #expect((added.object["participants"] as? [String])?.contains("\(eve)") == true)
            let admin = try await server.json("PATCH", "\(talk.api)/members/\(eve)", #"{"isAdmin": true}"#)
            #expect((admin.object["admins"] as? [String])?.contains("\(eve)") == true)
            #expect(try await server.send("DELETE", "\(talk.api)/members/\(eve)").status == 204)
            #expect(try await server.send("GET", talk.api, as: talk.eve).status == 404)
            #expect(try await server.send("DELETE", talk.api, as: talk.grace).status == 204)
        }
    }

    @Test func `a file is uploaded and sent with a message`() async throws {
        try await ChatFixture.with { talk in
            let path = "\(talk.api)/files"
            let head = "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
            let body = Array(head.utf8) + Picture.png + Array("\r\n--XX--\r\n".utf8)
            let stored = try await talk.testServer.send(
                bytes: body, to: path,
                headers: talk.ada.headers(toward: path) + [
                    ("Content-Type", "multipart/form-data; boundary=XX")
                ])
            #expect(stored.status == 201)
            let id = try #require(stored.object["id"] as? String)
            let sent = try await talk.testServer.json(
                "POST", "\(talk.api)/messages", #"{"id": "\#(ChatFixture.newId())", "fileId": "\#(id)"}"#)
            #expect(sent.object["imageURL"] as? String == "/chat/files/\(id)")
        }
    }

    @Test(arguments: ["{}", "", #"{"isTyping": true}"#, #"{"isTyping": null}"#])
    func `a typing request without a value means typing, and only the others are notified`(body: String)
        async throws
    {
        try await ChatFixture.with(clock: TestClock().wallClock) { talk in
            let server = talk.testServer
            let type = body.isEmpty ? [] : [("Content-Type", "application/json")]
            let said = try await server.send("POST", "\(talk.api)/typing", headers: type, body: body)
            #expect(said.status == 204)
            let hers = try await server.send("GET", "\(talk.api)/typing", as: talk.grace)
            let status = try #require(hers.items.first)
            #expect(hers.items.count == 1)
            #expect(status["userId"] as? String == "\(talk.ada.user.userId)")
            #expect(status["conversationId"] as? String == talk.id)
            #expect(status["isTyping"] as? Bool == true)
            #expect((status["startedAt"] as? String).flatMap { ISO8601.parse($0) } != nil)
            #expect(try await server.send("GET", "\(talk.api)/typing").items.isEmpty)
            #expect(try await server.send("GET", "\(talk.api)/typing", as: talk.eve).status == 404)
            _ = try await server.json("POST", "\(talk.api)/typing", #"{"isTyping": false}"#)
            #expect(try await server.send("GET", "\(talk.api)/typing", as: talk.grace).items.isEmpty)
        }
    }

    @Test func `an invalid typing value is refused with its field`() async throws {
        try await ChatFixture.with { talk in
            let answer = try await talk.testServer.json("POST", "\(talk.api)/typing", #"{"isTyping": "x"}"#)
            #expect(answer.status == 422 && answer.error("field") == "isTyping")
        }
    }

    @Test func `every answer with a message says how long ago it was sent`() async throws {
        let clock = TestClock()
        try await ChatFixture.with(clock: clock.wallClock) { talk in
            let testServer = talk.testServer
            let all = "\(talk.api)/messages"
            let sent = try await testServer.json(
                "POST", all, #"{"id": "\#(ChatFixture.newId())", "text": "Hello"}"#)
            #expect(sent.object["timeAgo"] as? String == "now")
            let seq = try #require(sent.object["seq"] as? Int)
            let one = "\(all)/\(seq)"
            for (seconds, text) in [
                (1, "1 second ago"), (29, "30 seconds ago"), (30, "1 minute ago"), (7_140, "2 hours ago"),
                (86_400, "1 day ago"),
            ] {
                clock.advance(TimeInterval(seconds))
                for path in [all, "\(all)?after=0"] {
                    let items = try await testServer.send("GET", path).items
                    #expect(items.first?["timeAgo"] as? String == text, "\(path)")
                }
                #expect(try await testServer.send("GET", one).object["timeAgo"] as? String == text)
                let edited = try await testServer.json("PATCH", one, #"{"text": "Hello \#(seconds)"}"#)
                #expect(edited.object["timeAgo"] as? String == text)
                let liked = try await testServer.send("PUT", "\(one)/reactions/%F0%9F%91%8D")
                #expect(liked.object["timeAgo"] as? String == text)
                let page = try await talk.page().text
                #expect(page.contains(#" title="\#(text)">"#), "\(text)")
            }
            #expect(try await testServer.send("DELETE", one).object["timeAgo"] as? String == "1 day ago")
        }
    }

    @Test func `the log has every entry in order, and the messages' HTML on request`()
        async throws
    {
        try await ChatFixture.with { talk in
            let message = try await talk.say("See `this`")
            let plain = try await talk.testServer.send("GET", "\(Self.path)/log", as: talk.grace)
            let entries = try #require(plain.object["entries"] as? [[String: Any]])
            let last = try #require(entries.last)
            #expect((last["message"] as? [String: Any])?["seq"] as? Int == message.number)
            #expect(last["isNew"] as? Bool == true && last["html"] == nil)
            let shown = try await talk.testServer.send(
                "GET", "\(Self.path)/log?html=1", as: talk.grace)
            let marked = (shown.object["entries"] as? [[String: Any]])?.last
            #expect((marked?["html"] as? String)?.contains("See <code>this</code>") == true)
            let next = try #require(shown.object["next"] as? String)
            let rest = try await talk.testServer.send("GET", "\(Self.path)/log?after=\(next)", as: talk.grace)
            #expect((rest.object["entries"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `users outside the conversation get 404 for every request`() async throws {
        try await ChatFixture.with { talk in
            let message = try await talk.say("Ours")
            let file = try await talk.services.chat.files.upload(
                Picture.png, name: "a.png", to: talk.id, by: talk.ada.user.userId)
            try await talk.say("A picture", fileId: file.id)
            for (method, path) in [
                ("GET", talk.api), ("PATCH", talk.api), ("DELETE", talk.api), ("GET", "\(talk.api)/members"),
                ("POST", "\(talk.api)/members"), ("GET", "\(talk.api)/messages"),
                ("POST", "\(talk.api)/messages"),
                ("GET", "\(talk.api)/messages/\(message.number)"),
                ("PATCH", "\(talk.api)/messages/\(message.number)"),
                ("DELETE", "\(talk.api)/messages/\(message.number)"),
                ("GET", "\(talk.api)/messages/\(message.number)/receipts"),
                ("PUT", "\(talk.api)/messages/\(message.number)/reactions/x"),
                ("POST", "\(talk.api)/receipts"),
                ("POST", "\(talk.api)/typing"), ("PUT", "\(talk.api)/draft"), ("POST", "\(talk.api)/files"),
                ("GET", "/chat/\(talk.id)"), ("GET", "/chat/\(talk.id)?message=\(message.number)"),
                ("GET", "/chat/\(talk.id)/typing"), ("GET", "/chat/\(talk.id)/messages/\(message.number)"),
                ("GET", "/chat/\(talk.id)/details"), ("GET", "/chat/\(talk.id)/export.json"),
                ("GET", "/chat/\(talk.id)/export.html"), ("GET", "/chat/files/\(file.id)"),
                ("GET", "/chat/files/\(file.id)/thumbnail"), ("GET", "/chat/files/\(file.id)/preview"),
                ("GET", "\(Self.path)/search?q=Ours&in=\(talk.id)"),
            ] {
                let body = method == "GET" || method == "DELETE" ? nil : "{}"
                let answer = try await talk.testServer.send(
                    method, path, headers: [("Content-Type", "application/json")], body: body, as: talk.eve)
                #expect(answer.status == 404, "\(method) \(path)")
            }
            let log = try await talk.testServer.send("GET", "\(Self.path)/log", as: talk.eve)
            #expect((log.object["entries"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a message of another conversation is not found under this conversation's address`()
        async throws
    {
        try await ChatFixture.with { talk in
            let other = try await talk.services.chat.conversations.start(
                with: [talk.eve.user.userId], groupName: nil, id: nil, by: talk.ada.user.userId)
            try await talk.say("First")
            let message = try await talk.say("Here")
            let path = "\(Self.path)/\(other.conversation.id)/messages/\(message.number)"
            #expect(try await talk.testServer.send("GET", path).status == 404)
        }
    }
}
