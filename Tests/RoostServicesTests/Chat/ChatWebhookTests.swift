import Foundation
import RoostServices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChatWebhookTests {
    @Test func `a program posts under the webhook's name`() async throws {
        try await withChatGroup { chat async throws in
            let (webhook, secret) = try await chat.services.chatWebhooks.add(
                "  Builds ", to: chat.group, by: chat.ada.userId)
            #expect(webhook.name == "Builds" && webhook.lastUsedAt == nil && secret.utf8.count == 32)
            let (message, isNew) = try await chat.services.chatWebhooks.post("All green", secret: secret)
            #expect(isNew && message.isFromBot && message.senderName == "Builds")
            let page = try await chat.services.chat.page(of: chat.group, for: chat.grace.userId)
            #expect(page.messages.map(\.text) == ["All green"])
        }
    }

    @Test func `a repeated post is the message that is there`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chatWebhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            let id = UUID().uuidString.lowercased()
            let first = try await chat.services.chatWebhooks.post("once", id: id, secret: secret)
            let second = try await chat.services.chatWebhooks.post("once", id: id, secret: secret)
            #expect(first.isNew && !second.isNew && first.message.seq == second.message.seq)
        }
    }

    @Test func `the database knows the hash of an address and never the secret`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chatWebhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            #expect(
                try chat.fixture.sql(Data.self, "SELECT token_hash FROM chat_webhooks")
                    == [Data(Secret.hash(secret))])
            #expect(try !chat.fixture.isOnDisk(secret))
        }
    }

    @Test(arguments: ["", "x", "0123456789012345678901", String(repeating: "a", count: 1_000)])
    func `no other address posts anything`(secret: String) async throws {
        try await withChatGroup { chat async throws in
            _ = try await chat.services.chatWebhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            let error = await refusal { _ = try await chat.services.chatWebhooks.post("x", secret: secret) }
            #expect(error?.isNotFound == true)
        }
    }

    @Test func `one that was withdrawn posts nothing any more, and its messages stay`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chatWebhooks
            let (webhook, secret) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            _ = try await webhooks.post("before", secret: secret)
            try await webhooks.withdraw(webhook.id, from: chat.group, by: chat.ada.userId)
            let error = await refusal { _ = try await webhooks.post("after", secret: secret) }
            #expect(error?.isNotFound == true)
            #expect(try await webhooks.webhooks(of: chat.group, for: chat.ada.userId).isEmpty)
            let page = try await chat.services.chat.page(of: chat.group, for: chat.ada.userId)
            #expect(page.messages.map(\.text) == ["before"])
        }
    }

    @Test func `in a group admins make and withdraw them, members see them, strangers know of nothing`()
        async throws
    {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chatWebhooks
            let (webhook, _) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            #expect(try await webhooks.webhooks(of: chat.group, for: chat.grace.userId) == [webhook])
            let errors = [
                await refusal { _ = try await webhooks.add("Hers", to: chat.group, by: chat.grace.userId) },
                await refusal {
                    try await webhooks.withdraw(webhook.id, from: chat.group, by: chat.grace.userId)
                },
            ]
            for error in errors {
                #expect(error == .notAllowed("Only the group’s admins may do this."))
            }
            let stranger = await refusal {
                _ = try await webhooks.webhooks(of: chat.group, for: chat.mallory.userId)
            }
            #expect(stranger?.isNotFound == true)
        }
    }

    @Test func `between two either makes one, and withdraws none of another conversation`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chatWebhooks
            let pair = try await chat.pair(chat.ada, chat.grace)
            let (webhook, _) = try await webhooks.add("Hers", to: pair, by: chat.grace.userId)
            let error = await refusal {
                try await webhooks.withdraw(webhook.id, from: chat.group, by: chat.ada.userId)
            }
            #expect(error?.isNotFound == true)
            try await webhooks.withdraw(webhook.id, from: pair, by: chat.ada.userId)
        }
    }

    @Test func `when it was last used is noted, once a minute`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chatWebhooks
            let (_, secret) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            let start = chat.clock.now
            for (wait, noted) in [(0.0, 0.0), (59, 0), (2, 61)] {
                chat.clock.advance(wait)
                _ = try await webhooks.post("x", secret: secret)
                let last = try await webhooks.webhooks(of: chat.group, for: chat.ada.userId).first?.lastUsedAt
                #expect(last == start + noted, "after \(wait) s")
            }
        }
    }

    @Test(arguments: ["", "   ", "a\u{0}b", "a\u{202E}b", String(repeating: "x", count: 65)])
    func `a name is one to 64 characters that can be read`(name: String) async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.services.chatWebhooks.add(name, to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }

    @Test func `a conversation has twenty at most`() async throws {
        try await withChatGroup { chat async throws in
            for number in 0..<20 {
                _ = try await chat.services.chatWebhooks.add(
                    "Bot \(number)", to: chat.group, by: chat.ada.userId)
            }
            let error = await refusal {
                _ = try await chat.services.chatWebhooks.add("One more", to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }

    @Test func `a program is held to the limits of a person`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chatWebhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            var wait: Int?
            for _ in 0...300 where wait == nil {
                wait = await refusal { _ = try await chat.services.chatWebhooks.post("x", secret: secret) }?
                    .wait
            }
            #expect((wait ?? 0) >= 1)
            // Nobody else pays for it.
            try await chat.send("still here")
        }
    }
}
