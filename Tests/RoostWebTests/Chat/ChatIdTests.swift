import Foundation
import TestSupport
import Testing

@testable import HTTPClient

/// Ids are UUIDs: compared without case, and returned as they were sent.
@Suite struct ChatIdTests {
    private static let path = "/api/v1/conversations"

    enum Spelling: CaseIterable, Sendable {
        case upper, mixed, lower

        func of(_ id: String) -> String {
            switch self {
            case .upper: id.uppercased()
            case .lower: id.lowercased()
            case .mixed:
                id.enumerated().map { $0 % 2 == 0 ? $1.uppercased() : $1.lowercased() }.joined()
            }
        }
    }

    /// Ada's conversation with Grace (and Hal, in a group), started by a program that writes ids in upper case.
    private static func with(
        isGroup: Bool = false, _ test: (ChatFixture) async throws -> Void
    ) async throws {
        try await TestServer.with(clock: TestClock().wallClock) { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let eve = try await Guest.signUp("eve", as: .member, testServer.services)
            let hal = try await Guest.signUp("hal", as: .member, testServer.services)
            let people = ([grace] + (isGroup ? [hal] : [])).map { "\"\($0.user.userId)\"" }.joined(
                separator: ",")
            let id = UUID().uuidString
            let started = try await testServer.json(
                "POST", path, #"{"participants": [\#(people)], "id": "\#(id)"}"#)
            #expect(started.status == 201)
            #expect(started.object["id"] as? String == id)
            try await test(ChatFixture(testServer: testServer, grace: grace, eve: eve, id: id))
        }
    }

    @Test(arguments: Spelling.allCases)
    func `a message's id is returned everywhere as it was sent`(spelling: Spelling) async throws {
        try await Self.with { talk in
            let server = talk.testServer
            let id = spelling.of(UUID().uuidString)
            let cursor = talk.services.feed.cursor
            let shown = try await server.send("GET", talk.api, as: talk.grace)
            let after = try #require(shown.object["logCursor"] as? String)
            let all = "\(talk.api)/messages"
            let sent = try await server.json("POST", all, #"{"id": "\#(id)", "text": "Needle"}"#)
            #expect(sent.status == 201)
            let seq = try #require(sent.object["seq"] as? Int)
            let answer = try await server.json(
                "POST", all, #"{"id": "\#(ChatFixture.newId())", "text": "Yes", "replyTo": \#(seq)}"#,
                as: talk.grace)
            #expect((answer.object["replyTo"] as? [String: Any])?["id"] as? String == id)
            let log = try await server.send("GET", "\(Self.path)/log?after=\(after)", as: talk.grace)
            let changes = try await server.send(
                "GET", "/changes?topics=chat&cursor=\(cursor)&after=\(after)", as: talk.grace)
            let found = try await server.send("GET", "\(Self.path)/search?q=needle", as: talk.grace)
            let export = try await server.send("GET", "/chat/\(talk.id)/export.json", as: talk.grace)
            var messages = [sent.object]
            messages.append(try await server.send("GET", "\(all)/\(seq)", as: talk.grace).object)
            messages.append(
                try await server.json("PATCH", "\(all)/\(seq)", #"{"text": "Needle 2"}"#).object)
            messages.append(try await server.send("PUT", "\(all)/\(seq)/reactions/%F0%9F%91%8D").object)
            messages += try await server.send("GET", all).items.suffix(1)
            messages += try await server.send("GET", "\(all)?after=0").items.prefix(1)
            messages += found.items
            messages += (export.object["messages"] as? [[String: Any]] ?? []).prefix(1)
            messages += [Self.message(in: log.object), Self.message(in: changes.object["chat"])].compactMap(
                \.self)
            #expect(messages.count == 10)
            for message in messages {
                #expect(message["id"] as? String == id)
                #expect(message["conversationId"] as? String == talk.id)
            }
            #expect(try await talk.page().text.contains("data-id=\"\(id)\""))
        }
    }

    private static func message(in log: Any?) -> [String: Any]? {
        let entries = (log as? [String: Any])?["entries"] as? [[String: Any]]
        return entries?.lazy.compactMap { $0["message"] as? [String: Any] }.first
    }

    @Test func `sending a message again with its id in another case returns the existing message`()
        async throws
    {
        try await Self.with { talk in
            let id = UUID().uuidString
            let path = "\(talk.api)/messages"
            var seqs: Set<Int> = []
            for (spelled, status) in [
                (id, 201), (id.lowercased(), 200), (Spelling.mixed.of(id), 200), (id, 200),
            ] {
                let answer = try await talk.testServer.json(
                    "POST", path, #"{"id": "\#(spelled)", "text": "Once"}"#)
                #expect(answer.status == status)
                #expect(answer.object["id"] as? String == id)
                seqs.insert(answer.object["seq"] as? Int ?? 0)
            }
            #expect(seqs.count == 1)
            // Another sender's message is a new one, even with the same id.
            let hers = try await talk.testServer.json(
                "POST", path, #"{"id": "\#(id)", "text": "Hers"}"#, as: talk.grace)
            #expect(hers.status == 201)
            #expect(try await talk.testServer.send("GET", path).items.count == 2)
        }
    }

    @Test func `an id used in another conversation is refused, in any case`() async throws {
        try await Self.with { talk in
            let other = try await talk.services.chat.conversations.start(
                with: [talk.eve.user.userId], groupName: nil, id: nil, by: talk.ada.user.userId)
            let message = try await talk.say("Here")
            let answer = try await talk.testServer.json(
                "POST", "\(Self.path)/\(other.conversation.id)/messages",
                #"{"id": "\#(message.id.uppercased())", "text": "There"}"#)
            #expect(answer.status == 409 && answer.error("field") == "id")
        }
    }

    @Test func `a webhook's post has the id that its program sent`() async throws {
        try await Self.with { talk in
            let id = UUID().uuidString
            let hook = try await talk.services.chat.webhooks.add(
                "Builds", to: talk.id.lowercased(), by: talk.ada.user.userId)
            for (spelled, status) in [(id, 201), (id.lowercased(), 200)] {
                let answer = try await talk.testServer.json(
                    "POST", "/hooks/\(hook.secret)", #"{"id": "\#(spelled)", "text": "Green"}"#,
                    as: .anonymous)
                #expect(answer.status == status)
                #expect(answer.object["id"] as? String == id)
            }
        }
    }

    @Test(arguments: Spelling.allCases)
    func `a conversation is found by its id in any case, and returned with its original id`(
        spelling: Spelling
    )
        async throws
    {
        try await Self.with(isGroup: true) { talk in
            let server = talk.testServer
            let first = try await server.json(
                "POST", "\(talk.api)/messages", #"{"id": "\#(ChatFixture.newId())", "text": "Hello"}"#)
            let seq = try #require(first.object["seq"])
            let api = "\(Self.path)/\(spelling.of(talk.id))"
            let page = "/chat/\(spelling.of(talk.id))"
            let sent = try await server.json(
                "POST", "\(api)/messages", #"{"id": "\#(ChatFixture.newId())", "text": "Again"}"#)
            #expect(sent.object["conversationId"] as? String == talk.id)
            #expect(sent.headers["Location"]?.hasPrefix(talk.api + "/") == true)
            for (method, path, body) in [
                ("PUT", "\(api)/draft", #"{"text": "Half"}"#), ("POST", "\(api)/typing", "{}"),
                ("POST", "\(api)/receipts", #"{"readSeq": \#(seq)}"#),
                ("POST", "\(api)/receipts", #"{"unreadFrom": \#(seq)}"#),
                ("PATCH", api, #"{"groupName": "Birds", "notify": "mentions"}"#),
                ("POST", "\(api)/members", #"{"userIds": ["\#(talk.eve.user.userId)"]}"#),
                ("PATCH", "\(api)/messages/\(seq)", #"{"text": "Hi"}"#),
            ] {
                let answer = try await server.json(method, path, body)
                #expect((200...204).contains(answer.status), "\(method) \(path) \(answer.status)")
            }
            let shown = try await server.send("GET", api).object
            #expect(shown["id"] as? String == talk.id)
            #expect(shown["groupName"] as? String == "Birds" && shown["draft"] as? String == "Half")
            let typing = try await server.send("GET", "\(api)/typing", as: talk.grace).items
            #expect(typing.first?["conversationId"] as? String == talk.id)
            for path in [
                "\(api)/members", "\(api)/messages", "\(api)/messages/\(seq)/receipts", page,
                "\(page)?message=\(seq)", "\(page)/details", "\(page)/typing", "\(page)/export.html",
                "\(page)/messages/\(seq)", "\(Self.path)/search?q=again&in=\(spelling.of(talk.id))",
                "/chat/search?q=again&in=\(spelling.of(talk.id))",
            ] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(!answer.text.isEmpty || path.hasSuffix("/typing"))
            }
            #expect(try await server.send("GET", page).text.contains("data-chat=\"\(talk.id)\""))
            let list = try await server.send("GET", "/chat/list?open=\(spelling.of(talk.id))").text
            #expect(list.contains("aria-current=\"true\""))
            let read = try await server.post("\(page)/read", form: "")
            #expect(read.status == 303)
            #expect(try await server.send("DELETE", api, as: talk.grace).status == 204)
            #expect(try await server.send("GET", api, as: talk.grace).status == 404)
        }
    }

    @Test func `starting a conversation again with its id in another case returns the existing one`()
        async throws
    {
        try await Self.with(isGroup: true) { talk in
            let people = #"["\#(talk.grace.user.userId)", "\#(talk.eve.user.userId)"]"#
            let own = try await talk.testServer.json(
                "POST", Self.path, #"{"participants": \#(people), "id": "\#(talk.id.lowercased())"}"#)
            #expect(own.status == 200 && own.object["id"] as? String == talk.id)
            let hers = try await talk.testServer.json(
                "POST", Self.path, #"{"participants": \#(people), "id": "\#(talk.id.lowercased())"}"#,
                as: talk.eve)
            #expect(hers.status == 409 && hers.error("field") == "id")
        }
    }

    @Test func `typing is reported under the conversation's id in any case`() async throws {
        try await Self.with { talk in
            let cursor = talk.services.feed.cursor
            _ = try await talk.testServer.json("POST", "\(talk.api)/typing", "{}")
            for id in [talk.id, talk.id.lowercased(), Spelling.mixed.of(talk.id)] {
                let poll = "/changes?topics=chat-typing/\(id)&cursor=\(cursor)&wait=0"
                let hers = try await talk.testServer.send("GET", poll, as: talk.grace)
                #expect(hers.object["changed"] as? [String] == ["chat-typing/\(id)"])
                let eves = try await talk.testServer.send("GET", poll, as: talk.eve)
                #expect(eves.object["changed"] as? [String] == [])
            }
        }
    }

    @Test func `a file is found by its id in any case`() async throws {
        try await Self.with(isGroup: true) { talk in
            let (files, ada) = (talk.services.chat.files, talk.ada.user.userId)
            let id = UUID().uuidString
            let file = try await files.upload(
                Picture.png, name: "a.png", id: id, to: talk.id.lowercased(), by: ada)
            let again = try await files.upload(
                Picture.png, name: "a.png", id: id.lowercased(), to: talk.id, by: ada)
            #expect(file.id.uppercased() == id && again == file)
            let sent = try await talk.testServer.json(
                "POST", "\(talk.api)/messages",
                #"{"id": "\#(ChatFixture.newId())", "fileId": "\#(Spelling.mixed.of(id))"}"#)
            #expect(sent.object["imageURL"] as? String == file.url)
            for spelled in [id, id.lowercased()] {
                #expect(try await talk.testServer.send("GET", "/chat/files/\(spelled)").status == 200)
            }
            let photo = try await talk.testServer.json(
                "PATCH", talk.api.lowercased(), #"{"groupPhotoId": "\#(id.lowercased())"}"#)
            #expect(photo.object["groupPhotoURL"] as? String == file.url)
        }
    }

    @Test func `an alert keeps the conversation's original id`() async throws {
        try await Self.with { talk in
            await talk.services.market.catalog.refresh()
            let created = try await talk.testServer.json(
                "POST", "/api/v1/alerts",
                #"{"coinId": "bitcoin", "kind": "above", "threshold": "900000", "conversationId": "\#(talk.id.lowercased())"}"#
            )
            #expect(created.status == 201)
            #expect(created.object["conversationId"] as? String == talk.id)
        }
    }
}
