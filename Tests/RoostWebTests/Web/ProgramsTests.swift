import Foundation
import Testing

@testable import Chat
@testable import HTTPClient
@testable import Market
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb

/// What a program can do as a person can: displays, wallets, sections, feeds, webhooks and changes of many things.
@Suite struct ProgramsTests {
    @Test func `a display is made, set up and removed`() async throws {
        try await TestServer.with { server async throws in
            let made = try await server.json("POST", "/api/v1/displays", #"{"name": "Office"}"#)
            #expect(made.status == 201 && made.object["name"] as? String == "Office")
            let path = try #require(made.headers["Location"])
            let list = try await server.json("POST", "/api/v1/watchlists", #"{"name": "Staking"}"#)
            let id = try #require(list.object["id"] as? String)
            let changed = try await server.json(
                "PATCH", path,
                #"{"list": "\#(id)", "perPage": 4, "theme": "light", "dimFrom": "21:30", "headline": "Hi"}"#)
            #expect(changed.status == 200 && changed.object["list"] as? String == id)
            #expect(changed.object["perPage"] as? Int == 4 && changed.object["theme"] as? String == "light")
            #expect(changed.object["dimFrom"] as? String == "21:30")
            #expect(changed.object["isOnline"] as? Bool == false)
            #expect(try await server.send("GET", path).object["headline"] as? String == "Hi")
            let cleared = try await server.json("PATCH", path, #"{"list": "", "reloadAt": ""}"#)
            #expect(cleared.object["list"] == nil && cleared.object["reloadAt"] == nil)
            for (body, field) in [
                (#"{"list": "999"}"#, "list"), (#"{"perPage": 25}"#, "perPage"),
                (#"{"theme": "pink"}"#, "theme"), (#"{"pages": ["x"]}"#, "pages[0]"),
                (#"{"reloadAt": "soon"}"#, "reloadAt"), (#"{"currency": "zzz"}"#, "currency"),
            ] {
                let refused = try await server.json("PATCH", path, body)
                #expect(refused.status == 422 && refused.error("field") == field, "\(body): \(refused.text)")
            }
            let first = try await server.send("GET", path + "/link").object["address"] as? String
            let second = try await server.json("POST", path + "/link", "").object["address"] as? String
            #expect(first != nil && second != nil && first != second)
            let link = try #require(second.flatMap { URL(string: $0) })
            #expect(try await server.send("GET", link.path, as: .anonymous).status == 200)
            let command = try await server.json("POST", path + "/command", #"{"kind": "identify"}"#)
            #expect(command.status == 204)
            let pairing = try await server.json("POST", "/api/v1/displays/pair", #"{"code": "AAA-222"}"#)
            #expect(pairing.status == 422 && pairing.error("field") == "code")
            #expect(try await server.send("POST", path + "/sign-out").status == 204)
            #expect(try await server.send("GET", link.path, as: .anonymous).status == 404)
            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("GET", "/api/v1/displays").items.isEmpty)
        }
    }

    @Test func `a wallet is added, changed and removed`() async throws {
        try await TestServer.with { server async throws in
            try await server.services.market.watchlist.add("bitcoin", to: server.owner.userId)
            let made = try await server.json(
                "POST", "/api/v1/wallets", #"{"coinId": "bitcoin", "address": "bc1q", "label": "Cold"}"#)
            let path = try #require(made.headers["Location"])
            let changed = try await server.json("PATCH", path, #"{"label": "Warm"}"#)
            #expect(changed.object["label"] as? String == "Warm")
            #expect(changed.object["address"] as? String == "bc1q")
            #expect(try await server.send("GET", "/api/v1/wallets?coin=solana").items.isEmpty)
            #expect(try await server.send("GET", "/api/v1/wallets?coin=bitcoin").items.count == 1)
            let empty = try await server.json("PATCH", path, #"{"address": " "}"#)
            #expect(empty.status == 422 && empty.error("field") == "address")
            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("GET", path).status == 404)
        }
    }

    @Test func `a section of the inbox is added, moved and removed`() async throws {
        try await TestServer.with { server async throws in
            let all = "/api/v1/pulls/sections"
            for name in ["One", "Two"] {
                let made = try await server.json(
                    "POST", all, #"{"name": "\#(name)", "query": "is:open \#(name)"}"#)
                #expect(made.status == 201)
            }
            let second = try #require(try await server.send("GET", all).items.last?["id"] as? String)
            let moved = try await server.json(
                "PATCH", "\(all)/\(second)", #"{"name": "First", "move": "up"}"#)
            #expect(moved.status == 200 && moved.object["query"] as? String == "is:open Two")
            let names = try await server.send("GET", all).items.map { $0["name"] as? String }
            #expect(names == ["First", "One"])
            let wrong = try await server.json("PATCH", "\(all)/\(second)", #"{"move": "left"}"#)
            #expect(wrong.status == 422 && wrong.error("field") == "move")
            #expect(try await server.send("DELETE", "\(all)/\(second)").status == 204)
            #expect(try await server.send("GET", all).items.count == 1)
        }
    }

    @Test func `a feed's address works until it is replaced`() async throws {
        try await TestServer.with { server async throws in
            let all = "/api/v1/articles/feeds"
            let made = try await server.json("POST", all, #"{"list": "unread", "tag": "swift"}"#)
            #expect(made.status == 201 && made.object["tag"] as? String == "swift")
            let path = try #require(made.headers["Location"])
            #expect(try await server.json("POST", all, #"{"list": "unread", "tag": "swift"}"#).status == 200)
            let address = try #require((made.object["address"] as? String).flatMap { URL(string: $0) })
            #expect(try await server.send("GET", address.path, as: .anonymous).status == 200)
            let renewed = try await server.json("POST", path + "/renew", "")
            #expect(renewed.status == 200 && renewed.object["address"] as? String != address.absoluteString)
            #expect(try await server.send("GET", address.path, as: .anonymous).status == 404)
            #expect(try await server.send("DELETE", path).status == 204)
            let suggested = try await server.json("POST", all, #"{"list": "suggested"}"#)
            #expect(suggested.status == 422 && suggested.error("field") == "list")
        }
    }

    @Test func `Today's feed is made, replaced and deleted`() async throws {
        try await TestServer.with { server async throws in
            let path = "/api/v1/today/feed"
            #expect(try await server.send("GET", path).status == 404)
            let key = ("Idempotency-Key", "feed-1")
            let made = try await server.json("POST", path, "", headers: [key])
            let again = try await server.json("POST", path, "", headers: [key])
            #expect(again.status == 200 && again.text == "{}")
            let address = try #require((made.object["address"] as? String).flatMap { URL(string: $0) })
            #expect(made.status == 200)
            #expect(try await server.send("GET", address.path, as: .anonymous).status == 200)
            #expect(try await server.send("GET", path).object["address"] as? String == address.absoluteString)
            #expect(try await server.send("DELETE", path).status == 204)
            #expect(try await server.send("GET", address.path, as: .anonymous).status == 404)
        }
    }

    @Test func `a webhook's address is in the first answer only`() async throws {
        try await ChatFixture.with { talk in
            let server = talk.testServer
            let all = "/api/v1/conversations/\(talk.id)/webhooks"
            let key = ("Idempotency-Key", "hook-1")
            let made = try await server.json("POST", all, #"{"name": "Builds"}"#, headers: [key])
            #expect(made.status == 201 && made.object["name"] as? String == "Builds")
            let address = try #require((made.object["address"] as? String).flatMap { URL(string: $0) })
            let posted = try await server.json("POST", address.path, #"{"text": "Green"}"#, as: .anonymous)
            #expect(posted.status == 201)
            let again = try await server.json("POST", all, #"{"name": "Builds"}"#, headers: [key])
            #expect(again.status == 201 && again.object["address"] == nil)
            #expect(again.object["id"] as? String == made.object["id"] as? String)
            #expect(again.headers["Location"] == made.headers["Location"])
            let shown = try await server.send("GET", try #require(made.headers["Location"]))
            #expect(shown.status == 200 && shown.object["address"] == nil)
            #expect(shown.object["lastUsedAt"] != nil)
            #expect(try !server.isOnDisk(address.lastPathComponent))
            #expect(try await server.send("DELETE", try #require(made.headers["Location"])).status == 204)
            #expect(try await server.send("GET", all).items.isEmpty)
            let gone = try await server.json("POST", address.path, #"{"text": "Red"}"#, as: .anonymous)
            #expect(gone.status == 404)
        }
    }

    @Test func `a webhook's secret is in the first answer only, and not stored for repeated requests`()
        async throws
    {
        try await TestServer.with { server async throws in
            try await server.services.webhooks.allow(
                "https://bot.example", by: "ada", from: ClientInfo(address: "127.0.0.1"))
            let (all, key) = ("/api/v1/webhooks", ("Idempotency-Key", "hook-1"))
            let body = #"{"url": "https://bot.example/", "events": ["alert.fired"]}"#
            let made = try await server.json("POST", all, body, headers: [key])
            let secret = try #require(made.object["secret"] as? String)
            #expect(made.status == 201)
            let again = try await server.json("POST", all, body, headers: [key])
            #expect(again.status == 201 && again.headers["Content-Type"] == "application/json")
            #expect(Set(again.object.keys) == Set(made.object.keys).subtracting(["secret"]))
            #expect(again.object["url"] as? String == "https://bot.example/")
            #expect(again.headers["Idempotent-Replayed"] == "true")
            #expect(again.headers["Location"] == made.headers["Location"])
            #expect(try await server.send("GET", all).items.count == 1)
            let rows = try await server.services.database.read { reads in
                try reads.database.rows("SELECT key, headers, CAST(body AS TEXT) AS body FROM request_keys")
                    .map { [try $0.text("key"), try $0.text("headers"), try $0.text("body")] }
            }
            #expect(rows.map(\.first) == ["hook-1"])
            #expect(!rows.joined().contains { $0.contains(secret) })
            #expect(try !server.isOnDisk(secret))
        }
    }

    @Test func `presence says who has Roost open`() async throws {
        try await ChatFixture.with { talk in
            talk.services.chat.conversations.markPresent(talk.grace.user.userId)
            let people = try await talk.testServer.send("GET", "/api/v1/presence").items
            let present = people.filter { $0["isPresent"] as? Bool == true }
            #expect(present.map { $0["username"] as? String } == ["grace"] && people.count == 2)
        }
    }

    @Test func `many articles are changed and deleted at once`() async throws {
        try await ReadingFixture.with { reading in
            let server = reading.testServer
            let all = "/api/v1/articles"
            let other = try await server.json("POST", all, #"{"url": "https://other.example/"}"#)
            let id = try #require(other.object["linkId"] as? String)
            let changed = try await server.json(
                "PATCH", all,
                #"{"ids": ["\#(reading.id)", "\#(id)", "999999"], "state": "archived", "addTags": ["old"]}"#)
            #expect(changed.status == 200 && changed.object["count"] as? Int == 2)
            #expect(try await server.send("GET", all + "?list=archived&tag=old").items.count == 2)
            let wrong = try await server.json("PATCH", all, #"{"ids": ["\#(id)", "x"]}"#)
            #expect(wrong.status == 422 && wrong.error("field") == "ids[1]")
            let theirs = try await server.json(
                "PATCH", all, #"{"ids": ["\#(id)"], "isFavorite": true}"#, as: reading.grace)
            #expect(theirs.object["count"] as? Int == 0)
            let deleted = try await server.send("DELETE", all + "?ids=\(reading.id),\(id)")
            #expect(deleted.object["count"] as? Int == 2)
            #expect(try await server.send("GET", all).items.isEmpty)
            #expect(try await server.send("DELETE", all).error("field") == "ids")
        }
    }

    @Test func `many bookmarks are changed at once, exported and imported again`() async throws {
        try await TestServer.with { server async throws in
            let all = "/api/v1/bookmarks"
            let none = try await server.json(
                "PATCH", all, #"{"fullNames": ["apple/swift"], "addTags": ["language"]}"#)
            #expect(none.status == 200 && none.object["count"] as? Int == 0)
            let wrong = try await server.json("PATCH", all, #"{"fullNames": ["apple/swift", "x y"]}"#)
            #expect(wrong.status == 422 && wrong.error("field") == "fullNames[1]")
            let tag = try await server.json(
                "PATCH", all, #"{"fullNames": ["apple/swift"], "removeTags": ["language", "a,b"]}"#)
            #expect(tag.status == 422 && tag.error("field") == "removeTags")
            let file = try await server.send("GET", all + "/export?format=json")
            #expect(file.object["kind"] as? String == "bookmarks")
            #expect(try await server.send("GET", all + "/export?format=xml").error("field") == "format")
            #expect(try await server.json("POST", all + "/import", "{}").status == 415)
            #expect(try await server.send("DELETE", all).error("field") == "fullNames")
        }
    }
}
