import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import HTTPClient
@testable import HTTPServer
@testable import RoostSupport
@testable import roost

/// A member cannot learn how much is written in conversations that they do not belong to.
@Suite struct ChatCountingTests {
    /// Ada and Grace write to each other; Eve and Hal write elsewhere.
    private struct Scene {
        static let chat = "6b1b36cb-5a3e-4f2e-9a71-0d4c8a3c5a10"

        let testServer: TestServer
        let grace, eve, hal: Guest
        let elsewhere: ConversationID
        /// The number of messages written elsewhere before each step here.
        var foreign: Int

        var chats: ChatService { testServer.services.chat.conversations }
        var ada: UserID { testServer.owner.userId }

        static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

        func disturb() async throws {
            for number in 0..<foreign {
                let sent = try await chats.send(
                    NewMessage(id: UUID().uuidString, text: "Heron \(number)"), to: elsewhere,
                    by: .user(eve.user.userId)
                ).message
                try await chats.react("👍", on: sent.seq, by: hal.user.userId, isOn: true)
                try await chats.markRead(elsewhere, upTo: sent.number, by: hal.user.userId)
            }
        }

        @discardableResult
        func say(
            _ number: Int, _ text: String, replyTo: Int? = nil, fileId: String? = nil
        ) async throws -> Message {
            let message = NewMessage(id: Self.id(number), text: text, fileId: fileId, replyTo: replyTo)
            return try await chats.send(message, to: Self.chat, by: .user(ada)).message
        }

        /// Does everything that can happen to a message, while others write in between.
        func prepare() async throws {
            let graces = grace.user.userId
            try await disturb()
            _ = try await chats.start(with: [graces], groupName: nil, id: Self.chat, by: ada)
            try await disturb()
            let first = try await say(1, "Heron")
            try await disturb()
            let file = try await testServer.services.chat.files.upload(
                Picture.png, name: "a.png", thumbnail: Picture.png, id: Self.id(9), to: Self.chat, by: ada)
            let second = try await say(2, "Heron, too", replyTo: first.number, fileId: file.id)
            try await disturb()
            try await chats.edit(first.seq, text: "A heron", by: ada)
            try await chats.react("👍", on: second.seq, by: graces, isOn: true)
            try await disturb()
            try await chats.delete(try await say(3, "Gone").seq, by: ada)
            for number in 4...8 { try await say(number, "Heron \(number)") }
            try await disturb()
            for user in [ada, graces] { try await chats.markRead(Self.chat, upTo: 8, by: user) }
            try await chats.markUnread(Self.chat, from: 7, by: graces)
            try await chats.saveDraft("Half", in: Self.chat, by: graces)
            try await chats.setNotify(.mentions, in: Self.chat, for: graces)
            try await disturb()
        }

        /// Requests all chat pages and API routes.
        func walk() async throws -> [(name: String, answer: ClientResponse)] {
            var answers: [(name: String, answer: ClientResponse)] = []
            func send(_ method: String, _ path: String, _ body: String? = nil) async throws {
                let type = ("Content-Type", "application/json")
                let answer = try await testServer.send(method, path, headers: [type], body: body, as: grace)
                answers.append(("\(method) \(path)", answer))
            }
            let page = try await testServer.send("GET", "/chat/\(Self.chat)", as: grace).text
            let webhook = try await testServer.services.chat.webhooks.add("Builds", to: Self.chat, by: ada)
            let routes = testServer.server.routes.filter {
                $0.method == .get && ($0.pattern.hasPrefix("/chat") || $0.pattern.hasPrefix(api))
            }
            // A PNG needs no preview, and the log's picture is not an answer.
            for route in routes
            where !route.pattern.hasSuffix("read.gif") && !route.pattern.hasSuffix("/preview") {
                let path = route.pattern.replacing("{id}", with: Self.chat).replacing("{seq}", with: "2")
                    .replacing("{file}", with: Self.id(9)).replacing("{user}", with: "1")
                    .replacing("{webhook}", with: "\(webhook.webhook.id)")
                try await send("GET", path)
            }
            let base = "\(api)/\(Self.chat)"
            for query in ["message=2", "before=3", "after=2", "reply=2"] {
                try await send("GET", "/chat/\(Self.chat)?\(query)")
            }
            for path in ["/chat/search?q=heron", "\(api)/search?q=heron&limit=2", "\(api)/log?html=1"] {
                try await send("GET", path)
            }
            for query in ["limit=2", "before=3", "after=2", "around=2"] {
                try await send("GET", "\(base)/messages?\(query)")
            }
            let reply = #"{"id": "\#(Self.id(9))", "text": "Yes", "replyTo": 2}"#
            try await send("POST", "\(base)/messages", reply)
            try await send("PATCH", "\(base)/messages/9", #"{"text": "No"}"#)
            try await send("PUT", "\(base)/messages/2/reactions/%F0%9F%8E%89")
            try await send("DELETE", "\(base)/messages/9")
            try await send("POST", "\(base)/receipts", #"{"readSeq": 8}"#)
            let secret = try await testServer.services.chat.webhooks.add("CI", to: Self.chat, by: ada).secret
            let hook = try await testServer.json("POST", "/hooks/\(secret)", #"{"text": "Green"}"#)
            answers.append(("POST /hooks", hook))
            #expect(hook.object["seq"] == nil)
            let cursor = try #require(page.firstMatch(of: /data-cursor="([^"]+)"/)).1
            let log = try #require(page.firstMatch(of: /data-log="([^"]+)"/)).1
            try await send("GET", "/changes?topics=chat&cursor=\(cursor)&after=\(log)&wait=0")
            try await send("GET", "\(api)/log?after=\(log)&html=1")
            return answers
        }

        private let api = "/api/v1/conversations"

        init(_ testServer: TestServer, foreign: Int) async throws {
            self.testServer = testServer
            self.foreign = foreign
            let services = testServer.services
            grace = try await Guest.signUp("grace", as: .member, services)
            eve = try await Guest.signUp("eve", as: .member, services)
            hal = try await Guest.signUp("hal", as: .member, services)
            elsewhere = try await services.chat.conversations.start(
                with: [hal.user.userId], groupName: nil, id: nil, by: eve.user.userId
            ).conversation.id
        }

        static func with<Value>(foreign: Int, _ body: (Scene) async throws -> Value) async throws -> Value {
            var value: Value?
            try await TestServer.with(
                clock: TestClock().wallClock,
                configure: { ($0.chatBurst, $0.chatRate) = (1_000_000, 1_000_000) }
            ) { testServer in
                let scene = try await Scene(testServer, foreign: foreign)
                try await scene.prepare()
                value = try await body(scene)
            }
            return try #require(value)
        }
    }

    /// Status, headers and body without the random parts: sealed tokens, UUIDs, proofs, the boot id, the order
    /// of JSON keys, and therefore the compressed length.
    private static func plain(_ answer: ClientResponse) -> String {
        let random = ["content-length", "date", "etag", "set-cookie"]
        let headers = answer.headers.fields.filter { !random.contains($0.name.lowercased()) }
            .map { "\($0.name): \($0.value)" }.sorted()
        let json = try? JSONSerialization.jsonObject(with: Data(answer.text.utf8))
        let sorted = json.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
        let text = sorted.map { String(decoding: $0, as: UTF8.self) } ?? answer.text
        return (["\(answer.status)"] + headers + [text]).joined(separator: "\n")
            .replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "UUID")
            .replacing(/(?:data-token|name="token" value)="[^"]+"/, with: "FORM TOKEN")
            .replacing(/[A-Za-z0-9_-]{40,}=*/, with: "TOKEN")
            .replacing(/proof=[0-9a-f]+/, with: "proof")
    }

    @Test func `a member's answers do not depend on how much others write elsewhere`() async throws {
        let calm = try await Scene.with(foreign: 0) { try await $0.walk() }
        let busy = try await Scene.with(foreign: 40) { try await $0.walk() }
        #expect(calm.count > 35)
        for (one, other) in zip(calm, busy) {
            #expect(one.answer.status < 300, "\(one.name): \(one.answer.text.prefix(300))")
            #expect(Self.plain(one.answer) == Self.plain(other.answer), "\(one.name)")
        }
    }

    @Test func `repeated requests do not reveal that others write`() async throws {
        try await Scene.with(foreign: 0) { calm in
            var scene = calm
            let server = scene.testServer
            let grace = calm.grace
            func tag() async throws -> String? {
                try await server.send("GET", "/chat/list", as: grace).headers["ETag"]
            }
            let before = try await tag()
            let log = "/api/v1/conversations/log?limit=1"
            var cursors: [String] = []
            for _ in 0..<2 {
                let answer = try await server.send("GET", log, as: scene.grace)
                cursors.append(try #require(answer.object["next"] as? String))
            }
            // The cursors differ even though nothing has happened.
            #expect(Set(cursors).count == 2)
            #expect(Set(cursors.map { scene.chats.position(of: $0) }).count == 1)
            scene.foreign = 20
            try await scene.disturb()
            #expect(try await tag() == before)
            try await scene.say(9, "Here")
            #expect(try await tag() != before)
        }
    }
}
