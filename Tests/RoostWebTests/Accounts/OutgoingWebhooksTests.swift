import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import HTTPClient
@testable import RoostSupport

@Suite struct OutgoingWebhooksTests {
    private func withReceiver(
        _ test: (TestServer, Browser, ScriptedUpstream) async throws -> Void
    ) async throws {
        try await TestServer.with { testServer in
            let receiver = try ScriptedUpstream { _ in .init(body: "thanks") }
            defer { receiver.stop() }
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await test(testServer, browser, receiver)
        }
    }

    private func origin(of receiver: ScriptedUpstream) -> String { "http://127.0.0.1:\(receiver.port)" }

    @Test func `an owner allows an address, and a webhook gets a test event`() async throws {
        try await withReceiver { testServer, browser, receiver in
            let url = origin(of: receiver) + "/roost"
            try await browser.open("/settings/webhooks")
            let refused = try await browser.submit(
                "/settings/webhooks", ["url": url, "events": "message.arrived"])
            #expect(refused.status == 422 && refused.text.contains("value=\"\(url)\""))
            try await browser.open("/members/webhooks")
            let allowed = try await browser.submit(
                "/members/webhooks", ["origin": origin(of: receiver)])
            #expect(allowed.status == 303)
            #expect(try await browser.open("/members/log").text.contains("allowed webhooks to"))
            try await browser.open("/settings/webhooks")
            let added = try await browser.submit(
                "/settings/webhooks", ["url": url, "events": "message.arrived"])
            let location = try #require(added.location)
            #expect(added.status == 303 && location.contains("?new="))
            let shown = try await browser.open(location)
            let secret = try #require(shown.text.firstMatch(of: /value="(roosthook_[A-Za-z0-9_-]{43})"/)).1
            #expect(shown.cacheControl == "no-store")
            #expect(try !(await browser.open(location)).text.contains("roosthook_"))
            #expect(try !testServer.isOnDisk(String(secret)))
            let page = try #require(location.split(separator: "?").first.map(String.init))
            #expect(try await browser.submit(page + "/test").status == 303)
            try await wait(for: "the test event") { receiver.requests.count == 1 }
            #expect(receiver.requests.first?.headers["roost-event"] == "test")
            try await wait(for: "the log") {
                try await browser.open(page + "/log").text.contains("Delivered, status 200")
            }
            try await browser.open(page)
            #expect(try await browser.submit(page + "/delete").status == 303)
            #expect(try await browser.open(page).status == 404)
        }
    }

    @Test func `a wrong change keeps what was typed and what was chosen`() async throws {
        try await withReceiver { testServer, browser, receiver in
            try await testServer.services.webhooks.allow(
                origin(of: receiver), by: "ada", from: ClientInfo(address: "127.0.0.1"))
            let id = try await testServer.services.webhooks.add(
                url: origin(of: receiver), events: ["alert.fired"], for: testServer.owner.userId
            ).webhook.id
            try await browser.open("/settings/webhooks/\(id)")
            let refused = try await browser.submit(
                "/settings/webhooks/\(id)", ["url": "nonsense", "events": "article.saved", "isOn": "true"])
            #expect(refused.status == 422 && refused.text.contains("value=\"nonsense\""))
            #expect(refused.text.contains("value=\"article.saved\" checked"))
            let saved = try await browser.submit(
                "/settings/webhooks/\(id)", ["url": origin(of: receiver), "events": "article.saved"])
            #expect(saved.status == 303)
            let webhook = try await testServer.services.database.read {
                try testServer.services.webhooks.webhook($0, id, of: testServer.owner.userId)
            }
            #expect(webhook.events == ["article.saved"] && !webhook.isOn)
        }
    }

    @Test func `a member's message reaches the others' webhooks as the API has it, and not the sender's`()
        async throws
    {
        try await withReceiver { testServer, _, receiver in
            let services = testServer.services
            let grace = try await Guest.signUp("grace", as: .member, services)
            _ = try await Guest.signUp("eve", as: .member, services)
            let eve = try await services.identity.accounts.user(named: "eve").userId
            try await services.webhooks.allow(
                origin(of: receiver), by: "ada", from: ClientInfo(address: "127.0.0.1"))
            for (user, path) in [
                (testServer.owner.userId, "ada"), (grace.user.userId, "grace"), (eve, "eve"),
            ] {
                _ = try await services.webhooks.add(
                    url: origin(of: receiver) + "/" + path, events: ["message.arrived"], for: user)
            }
            let chat = try await services.chat.conversations.start(
                with: [testServer.owner.userId], groupName: nil, id: nil, by: grace.user.userId
            ).conversation.id
            let sent = try await services.chat.conversations.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "Hello"), to: chat,
                by: .user(grace.user.userId)
            ).message
            try await wait(for: "the event") { !receiver.requests.isEmpty }
            let body = try #require(receiver.requests.first?.body)
            let event = try #require(
                try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            let item = try await testServer.send(
                "GET", "/api/v1/conversations/\(chat)/messages/\(sent.number)"
            ).object
            let data = try #require(event["data"] as? [String: Any])
            #expect(event["event"] as? String == "message.arrived")
            #expect(Set(data.keys) == Set(item.keys))
            #expect(data["text"] as? String == "Hello")
            #expect(receiver.requests.map(\.target) == ["/ada"])
            let queued = try await services.database.read { reads in
                try reads.database.values(String.self, "SELECT delivery_id FROM webhook_deliveries")
            }
            #expect(queued.count == 1)
            try await services.chat.conversations.delete(sent.seq, by: grace.user.userId)
            let webhooks = try await services.database.read {
                try services.webhooks.webhooks($0, of: testServer.owner.userId)
            }
            let webhook = try #require(webhooks.first).id
            try await wait(for: "the end of the first attempt") {
                try await services.database.read {
                    try services.webhooks.deliveries($0, of: webhook, for: testServer.owner.userId)
                }.first?.attempts == 1
            }
            try await services.webhooks.sendAgain(
                try #require(queued.first), of: webhook, by: testServer.owner.userId)
            try await wait(for: "the refusal") {
                try await services.database.read {
                    try services.webhooks.deliveries($0, of: webhook, for: testServer.owner.userId)
                }.first?.state == .failed
            }
            #expect(receiver.requests.count == 1)
        }
    }

    @Test func `a saved article is announced once`() async throws {
        try await withReceiver { testServer, _, receiver in
            try await testServer.services.webhooks.allow(
                origin(of: receiver), by: "ada", from: ClientInfo(address: "127.0.0.1"))
            _ = try await testServer.services.webhooks.add(
                url: origin(of: receiver), events: ["article.saved"], for: testServer.owner.userId)
            for _ in 1...2 {
                _ = try await testServer.json(
                    "POST", "/api/v1/articles", #"{"url": "https://kept.invalid/"}"#)
            }
            try await wait(for: "the event") { !receiver.requests.isEmpty }
            #expect(receiver.requests.first?.body.contains("https://kept.invalid/") == true)
            let queued = try await testServer.services.database.read { reads in
                try reads.database.value(Int.self, "SELECT count(*) FROM webhook_deliveries")
            }
            #expect(queued == 1)
        }
    }

    @Test func `an owner's program manages the allowed addresses, and a member's does not`() async throws {
        try await TestServer.with { server async throws in
            let all = "/api/v1/webhook-origins"
            let token = try await Guest.bearer(server.owner, .write, server.services)
            let made = try await server.json(
                "POST", all, #"{"origin": "HTTPS://Bot.example:443"}"#, as: token)
            #expect(made.status == 201 && made.object["origin"] as? String == "https://bot.example")
            let one = try #require(made.headers["Location"])
            let shown = try await server.send("GET", one, as: token)
            #expect(shown.object["id"] as? String == made.object["id"] as? String)
            #expect(shown.object["createdAt"] != nil)
            for origin in ["https://bot.example", "https://bot.example/path", "http://localhost:9000", ""] {
                let refused = try await server.json("POST", all, #"{"origin": "\#(origin)"}"#, as: token)
                #expect(refused.status == 422 && refused.error("field") == "origin", "\(origin)")
            }
            let webhook = #"{"url": "https://bot.example/roost", "events": ["alert.fired"]}"#
            #expect(try await server.json("POST", "/api/v1/webhooks", webhook).status == 201)
            #expect(try await server.json("POST", all, #"{"origin": "http://10.0.0.9:90"}"#).status == 201)
            let first = try await server.send("GET", all + "?limit=1", as: token)
            let next = try #require(first.object["next"] as? String)
            let second = try await server.send("GET", all + "?limit=1&cursor=\(next)", as: token)
            #expect(
                (first.items + second.items).compactMap { $0["origin"] as? String }
                    == ["http://10.0.0.9:90", "https://bot.example"])
            let grace = try await Guest.signUp("grace", as: .member, server.services)
            let member = try await Guest.bearer(grace.user, .write, server.services)
            for guest in [grace, member, try await Guest.bearer(server.owner, .read, server.services)] {
                #expect(try await server.json("POST", all, #"{"origin": "x"}"#, as: guest).status == 403)
                #expect(try await server.send("DELETE", one, as: guest).status == 403)
            }
            #expect(try await server.send("GET", all, as: member).status == 403)
            #expect(try await server.send("DELETE", one, as: token).status == 204)
            #expect(try await server.send("GET", one, as: token).status == 404)
            #expect(try await server.send("GET", all).items.count == 1)
            let log = try await server.send("GET", "/members/log").text
            #expect(log.contains("allowed webhooks to") && log.contains("https://bot.example"))
        }
    }

    @Test func `programs manage webhooks`() async throws {
        try await withReceiver { testServer, _, receiver in
            try await testServer.services.webhooks.allow(
                origin(of: receiver), by: "ada", from: ClientInfo(address: "127.0.0.1"))
            let url = origin(of: receiver) + "/roost"
            let made = try await testServer.json(
                "POST", "/api/v1/webhooks", #"{"url": "\#(url)", "events": ["alert.fired"]}"#)
            #expect(made.status == 201)
            let path = try #require(made.headers["Location"])
            #expect((made.object["secret"] as? String)?.hasPrefix("roosthook_") == true)
            #expect(try await testServer.send("GET", path).object["secret"] == nil)
            for body in [
                #"{"url": "https://example.org/", "events": ["alert.fired"]}"#,
                #"{"url": "\#(url)", "events": ["no.such"]}"#, #"{"url": "\#(url)", "events": []}"#,
            ] {
                #expect(try await testServer.json("POST", "/api/v1/webhooks", body).status == 422, "\(body)")
            }
            #expect(try await testServer.json("POST", path + "/test", "{}").status == 202)
            let log = path + "/deliveries"
            try await wait(for: "the delivery") {
                let items = try await testServer.send("GET", log).object["items"] as? [[String: Any]]
                return items?.first?["state"] as? String == "delivered"
            }
            let items = try await testServer.send("GET", log).object["items"] as? [[String: Any]]
            let id = try #require(items?.first?["id"] as? String)
            #expect(try await testServer.json("POST", log + "/\(id)/send", "{}").status == 202)
            try await wait(for: "the repetition") { receiver.requests.count == 2 }
            #expect(Set(receiver.requests.map { $0.headers["roost-delivery"] }) == [id])
            let off = try await testServer.json("PATCH", path, #"{"isOn": false}"#)
            #expect(off.object["isOn"] as? Bool == false)
            #expect(try await testServer.json("POST", path + "/test", "{}").status == 409)
            #expect(try await testServer.send("DELETE", path).status == 204)
            #expect(try await testServer.send("GET", path).status == 404)
        }
    }
}
