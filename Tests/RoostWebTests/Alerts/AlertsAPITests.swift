import Foundation
import Testing

@testable import HTTPClient

@Suite struct AlertsAPITests {
    private static let path = "/api/v1/alerts"
    private static let bitcoin = #"{"coinId": "bitcoin", "kind": "above", "threshold": "90000000.125"}"#

    @Test func `an alert is created, listed, changed and removed`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.json("POST", Self.path, Self.bitcoin)
            #expect(created.status == 201)
            let id = try #require(created.object["id"] as? String)
            #expect(created.headers["Location"] == "\(Self.path)/\(id)")
            let item = try #require(try await testServer.send("GET", Self.path).items.first)
            #expect(item["coinId"] as? String == "bitcoin")
            #expect(item["threshold"] as? String == "90000000.125")
            #expect(item["currency"] as? String == "usd")
            #expect(item["isArmed"] as? Bool == true)
            #expect(item["firedAt"] is NSNull)
            let changed = try await testServer.json(
                "PATCH", "\(Self.path)/\(id)", #"{"kind": "below", "threshold": 0.0125}"#)
            #expect(changed.status == 200)
            #expect(changed.object["kind"] as? String == "below")
            #expect(changed.object["threshold"] as? String == "0.0125")
            let removed = try await testServer.send("DELETE", "\(Self.path)/\(id)")
            #expect(removed.status == 204)
            let left = try await testServer.send("GET", Self.path)
            #expect(left.text == #"{"items":[],"next":null}"#)
        }
    }

    @Test(arguments: [
        (#"{"coinId": "no-such-coin", "kind": "above", "threshold": "1"}"#, "coinId"),
        (#"{"kind": "above", "threshold": "1"}"#, "coinId"),
        (#"{"coinId": "bitcoin", "kind": "sideways", "threshold": "1"}"#, "kind"),
        (#"{"coinId": "bitcoin", "kind": "above", "threshold": "-1"}"#, "threshold"),
        (#"{"coinId": "bitcoin", "kind": "above"}"#, "threshold"),
        (#"{"coinId": "bitcoin", "kind": "above", "threshold": "1", "currency": "gold"}"#, "currency"),
        (
            #"{"coinId": "bitcoin", "kind": "above", "threshold": "1", "conversationId": "another"}"#,
            "conversationId"
        ),
    ])
    func `bad input names the field`(_ body: String, _ field: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.json("POST", Self.path, body)
            #expect(answer.status == 422)
            #expect(answer.error("field") == field)
        }
    }

    @Test func `an alert's conversation can be set, is kept by other changes, and is cleared by null`()
        async throws
    {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let chat = try await testServer.services.chat.conversations.start(
                with: [grace.user.userId], groupName: nil, id: nil, by: testServer.owner.userId
            ).conversation.id
            let body =
                #"{"coinId": "bitcoin", "kind": "change", "threshold": "5", "conversationId": "\#(chat)"}"#
            let created = try await testServer.json("POST", Self.path, body)
            let address = try #require(created.headers["Location"])
            let other = try await testServer.json("PATCH", address, #"{"threshold": "6"}"#)
            #expect(other.object["conversationId"] as? String == chat)
            let none = try await testServer.json("PATCH", address, #"{"conversationId": null}"#)
            #expect(none.object["conversationId"] is NSNull)
        }
    }

    @Test func `an alert cannot be disarmed or marked as unseen`() async throws {
        try await TestServer.with { testServer in
            let created = try await testServer.json("POST", Self.path, Self.bitcoin)
            let address = try #require(created.headers["Location"])
            for field in ["isArmed", "isSeen"] {
                let answer = try await testServer.json("PATCH", address, #"{"\#(field)": false}"#)
                #expect(answer.error("field") == field)
            }
            let armed = try await testServer.json("PATCH", address, #"{"isArmed": true, "isSeen": true}"#)
            #expect(armed.status == 200)
        }
    }

    @Test func `the list can be filtered by coin and by unseen alerts`() async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.json("POST", Self.path, Self.bitcoin)
            let otherCoin = try await testServer.send("GET", "\(Self.path)?coinId=solana")
            #expect(otherCoin.items.isEmpty)
            let own = try await testServer.send("GET", "\(Self.path)?coinId=bitcoin")
            #expect(own.items.count == 1)
            let new = try await testServer.send("GET", "\(Self.path)?new=true")
            #expect(new.items.isEmpty)
        }
    }
}
