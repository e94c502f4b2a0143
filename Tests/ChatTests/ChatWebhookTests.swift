import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct ChatWebhookTests {
    @Test func `a program posts under the webhook's name`() async throws {
        try await withChatGroup { chat async throws in
            let (webhook, secret) = try await chat.services.chat.webhooks.add(
                "  Builds ", to: chat.group, by: chat.ada.userId)
            #expect(webhook.name == "Builds" && webhook.lastUsedAt == nil && secret.utf8.count == 32)
            let (message, isNew) = try await chat.services.chat.webhooks.post("All green", secret: secret)
            #expect(isNew && message.isFromBot && message.senderName == "Builds")
            let page = try await chat.services.chat.conversations.page(of: chat.group, for: chat.grace.userId)
            #expect(page.messages.map(\.text) == ["All green"])
        }
    }

    @Test func `a repeated post returns the existing message`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chat.webhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            let id = UUID().uuidString.lowercased()
            let first = try await chat.services.chat.webhooks.post("once", id: id, secret: secret)
            let second = try await chat.services.chat.webhooks.post("once", id: id, secret: secret)
            #expect(first.isNew && !second.isNew && first.message.seq == second.message.seq)
        }
    }

    @Test func `the database contains the hash of an address, never the secret`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chat.webhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            #expect(
                try chat.fixture.sql(Data.self, "SELECT token_hash FROM chat_webhooks")
                    == [Data(Secret.hash(secret))])
            #expect(try !chat.fixture.isOnDisk(secret))
        }
    }

    @Test(arguments: ["", "x", "0123456789012345678901", String(repeating: "a", count: 1_000)])
    func `no other address can post`(secret: String) async throws {
        try await withChatGroup { chat async throws in
            _ = try await chat.services.chat.webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            let error = await refusal { _ = try await chat.services.chat.webhooks.post("x", secret: secret) }
            #expect(error?.isNotFound == true)
        }
    }

    @Test func `a deleted webhook can no longer post, and its messages stay`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let (webhook, secret) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            _ = try await webhooks.post("before", secret: secret)
            try await webhooks.revoke(webhook.id, from: chat.group, by: chat.ada.userId)
            let error = await refusal { _ = try await webhooks.post("after", secret: secret) }
            #expect(error?.isNotFound == true)
            #expect(
                try await chat.services.database.read {
                    try webhooks.webhooks($0, of: chat.group, for: chat.ada.userId)
                }.isEmpty)
            let page = try await chat.services.chat.conversations.page(of: chat.group, for: chat.ada.userId)
            #expect(page.messages.map(\.text) == ["before"])
        }
    }

    @Test func `in a group, admins manage webhooks, members see them, and strangers see nothing`()
        async throws
    {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let (webhook, _) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            #expect(
                try await chat.services.database.read {
                    try webhooks.webhooks($0, of: chat.group, for: chat.grace.userId)
                } == [webhook])
            let errors = [
                await refusal { _ = try await webhooks.add("Hers", to: chat.group, by: chat.grace.userId) },
                await refusal {
                    try await webhooks.revoke(webhook.id, from: chat.group, by: chat.grace.userId)
                },
            ]
            for error in errors {
                #expect(error == .notAllowed("Only the group’s admins can do this."))
            }
            let stranger = await refusal {
                _ = try await chat.services.database.read {
                    try webhooks.webhooks($0, of: chat.group, for: chat.mallory.userId)
                }
            }
            #expect(stranger?.isNotFound == true)
        }
    }

    @Test func `in a pair, either person can add webhooks, but not delete those of another conversation`()
        async throws
    {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let pair = try await chat.pair(chat.ada, chat.grace)
            let (webhook, _) = try await webhooks.add("Hers", to: pair, by: chat.grace.userId)
            let error = await refusal {
                try await webhooks.revoke(webhook.id, from: chat.group, by: chat.ada.userId)
            }
            #expect(error?.isNotFound == true)
            try await webhooks.revoke(webhook.id, from: pair, by: chat.ada.userId)
        }
    }

    private func refuses(_ secret: String, _ chat: ChatGroupFixture) async -> Bool {
        let error = await refusal { _ = try await chat.services.chat.webhooks.post("after", secret: secret) }
        return error?.isNotFound == true
    }

    @Test(arguments: ["leaves", "is removed", "deletes the account"])
    func `a webhook ends when its creator leaves, and does not come back`(way: String) async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let (grace, ada) = (chat.grace, chat.ada)
            try await chat.services.chat.conversations.promote(grace.userId, in: chat.group, by: ada.userId)
            let (_, hers) = try await webhooks.add("Hers", to: chat.group, by: grace.userId)
            let (_, his) = try await webhooks.add("His", to: chat.group, by: ada.userId)
            let pair = try await chat.pair(ada, grace)
            let (_, elsewhere) = try await webhooks.add("Elsewhere", to: pair, by: grace.userId)
            _ = try await webhooks.post("before", secret: hers)
            switch way {
            case "leaves": try await chat.services.chat.conversations.leave(chat.group, by: grace.userId)
            case "is removed":
                try await chat.services.chat.conversations.remove(
                    grace.userId, from: chat.group, by: ada.userId)
            default:
                try await chat.services.identity.accounts.leave(
                    grace, password: Cast.password, from: Cast.desk)
            }
            #expect(await refuses(hers, chat))
            #expect(
                try await chat.services.database.read {
                    try webhooks.webhooks($0, of: chat.group, for: ada.userId)
                }.map(\.name) == ["His"])
            _ = try await webhooks.post("still here", secret: his)
            let isGone = way == "deletes the account"
            #expect(await refuses(elsewhere, chat) == isGone)
            let texts = try await chat.services.chat.conversations.page(of: chat.group, for: ada.userId)
                .messages.map(
                    \.text)
            #expect(texts == ["before", "still here"])
            if isGone { return }
            try await chat.services.chat.conversations.add(
                [grace.userId], to: chat.group, showingEarlier: true, by: ada.userId)
            #expect(await refuses(hers, chat))
        }
    }

    @Test func `a webhook stays when the admin who created it is demoted`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            try await chat.services.chat.conversations.promote(
                chat.grace.userId, in: chat.group, by: chat.ada.userId)
            let (webhook, secret) = try await webhooks.add("Hers", to: chat.group, by: chat.grace.userId)
            try await chat.services.chat.conversations.demote(
                chat.grace.userId, in: chat.group, by: chat.ada.userId)
            _ = try await webhooks.post("still here", secret: secret)
            try await webhooks.revoke(webhook.id, from: chat.group, by: chat.ada.userId)
            #expect(await refuses(secret, chat))
        }
    }

    @Test func `the number of a deleted webhook is not used again`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let (first, _) = try await webhooks.add("First", to: chat.group, by: chat.ada.userId)
            try await webhooks.revoke(first.id, from: chat.group, by: chat.ada.userId)
            let (second, _) = try await webhooks.add("Second", to: chat.group, by: chat.ada.userId)
            #expect(second.id > first.id)
        }
    }

    /// A database of the previous version, where webhooks outlived their creators.
    @Test
    func `a migration deletes the webhooks whose creators are gone, and keeps the others and the numbers`()
        throws
    {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue, upTo: "chat: ids in any case")
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO users (id, username, name_key, role, created_at)
                    VALUES (1, 'ada', 'ada', 'owner', 1), (2, 'grace', 'grace', 'member', 1);
                    INSERT INTO chat_conversations (id, is_group, created_at, last_message_at) VALUES ('g', 1, 1, 1);
                    INSERT INTO chat_members (conversation_id, user_id, joined_at, joined_seq, visible_after, left_seq,
                        delivered_seq, read_seq, count_at_read)
                    VALUES ('g', 1, 1, 1, 0, NULL, 1, 1, 0), ('g', 2, 1, 1, 0, 5, 1, 1, 0);
                    INSERT INTO chat_webhooks (id, conversation_id, name, token_hash, created_by, created_at)
                    VALUES (3, 'g', 'present', randomblob(32), 1, 1), (4, 'g', 'left', randomblob(32), 2, 1),
                        (9, 'g', 'deleted', randomblob(32), NULL, 1);
                    """)
        }
        try Migrations.migrator.migrate(queue)
        try queue.write { database in
            #expect(try String.fetchAll(database, sql: "SELECT name FROM chat_webhooks") == ["present"])
            try database.execute(
                sql: """
                    INSERT INTO chat_webhooks (conversation_id, name, token_hash, created_by, created_at)
                    VALUES ('g', 'new', randomblob(32), 1, 1)
                    """)
            #expect(database.lastInsertedRowID == 10)
        }
    }

    @Test func `a webhook's last use is recorded at most once a minute`() async throws {
        try await withChatGroup { chat async throws in
            let webhooks = chat.services.chat.webhooks
            let (_, secret) = try await webhooks.add("Builds", to: chat.group, by: chat.ada.userId)
            let start = chat.clock.now
            for (wait, noted) in [(0.0, 0.0), (59, 0), (2, 61)] {
                chat.clock.advance(wait)
                _ = try await webhooks.post("x", secret: secret)
                let last = try await chat.services.database.read {
                    try webhooks.webhooks($0, of: chat.group, for: chat.ada.userId)
                }.first?.lastUsedAt
                #expect(last == start + noted, "after \(wait) s")
            }
        }
    }

    @Test(arguments: [
        "", "   ", "a\u{0}b", "a\u{202E}b", "\u{200B}\u{3164}", String(repeating: "x", count: 65),
    ])
    func `a webhook's name has 1 to 64 printable characters`(name: String) async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.services.chat.webhooks.add(name, to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }

    @Test func `a conversation has at most twenty webhooks`() async throws {
        try await withChatGroup { chat async throws in
            for number in 0..<20 {
                _ = try await chat.services.chat.webhooks.add(
                    "Bot \(number)", to: chat.group, by: chat.ada.userId)
            }
            let error = await refusal {
                _ = try await chat.services.chat.webhooks.add("One more", to: chat.group, by: chat.ada.userId)
            }
            #expect(error?.field == "name")
        }
    }

    @Test func `a webhook has the same rate limit as a user`() async throws {
        try await withChatGroup { chat async throws in
            let (_, secret) = try await chat.services.chat.webhooks.add(
                "Builds", to: chat.group, by: chat.ada.userId)
            var wait: Int?
            for _ in 0...300 where wait == nil {
                wait = await refusal { _ = try await chat.services.chat.webhooks.post("x", secret: secret) }?
                    .wait
            }
            #expect((wait ?? 0) >= 1)
            // Other users are not slowed down.
            try await chat.send("still here")
        }
    }
}
