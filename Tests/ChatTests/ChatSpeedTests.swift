import Foundation
import TestSupport
import Testing

/// The cost does not depend on the length of a conversation or its number of members.
@Suite struct ChatSpeedTests {
    /// The distinct statements that change or read tables.
    private func statements(
        _ fixture: ChatFixture, _ work: () async throws -> Void
    ) async throws -> [String] {
        let before = fixture.services.statements.all.count
        try await work()
        return fixture.services.statements.all.dropFirst(before).filter { statement in
            // The search index maintains its own tables.
            !statement.contains("chat_search")
                && ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { statement.hasPrefix($0) }
        }
    }

    @Test func `no user action scans a whole table`() async throws {
        try await withChat { fixture in
            let (chat, ada, grace) = (fixture.chat, fixture.ada, fixture.grace)
            let id = try await fixture.group()
            let all = try await statements(fixture) {
                let message = try await fixture.send("Hello @grace", to: id, by: ada)
                let (seq, number) = (message.seq, message.number)
                try await fixture.send("Yes", to: id, by: grace, replyTo: number)
                try await chat.edit(seq, text: "Hi", by: ada)
                try await chat.react("👍", on: seq, by: grace, isOn: true)
                try await chat.delete(seq, by: ada)
                chat.acknowledge(seq, by: grace)
                await chat.flush()
                try await chat.markRead(id, upTo: number, by: grace)
                try await chat.markUnread(id, from: number, by: grace)
                try await chat.saveDraft("Half", in: id, by: ada)
                try await chat.setNotify(.none, in: id, for: ada)
                _ = try await chat.conversations(of: ada)
                _ = try await fixture.services.services.database.read {
                    try chat.conversationList($0, of: ada)
                }
                _ = try await fixture.services.services.database.read { try chat.unreadTotal($0, of: grace) }
                _ = try await chat.page(of: id, for: ada)
                _ = try await chat.page(of: id, for: ada, before: number)
                _ = try await chat.page(of: id, for: ada, after: number)
                _ = try await chat.page(of: id, for: ada, around: number)
                _ = try await fixture.services.services.database.read {
                    try chat.message($0, number: number, in: id, for: ada)
                }
                _ = try await fixture.services.services.database.read {
                    try chat.receipts($0, of: seq, for: ada)
                }
                _ = try await chat.log(for: ada, after: 0)
                try await chat.leave(id, by: grace)
            }
            #expect(all.count > 40)
            for sql in Set(all) {
                // Replaces parameters, some of which are numbered, with a number.
                let plan = try fixture.services.plan(of: sql.replacing(#/\?\d*/#, with: "1"))
                let scans = plan.steps.filter { step in
                    ["SCAN chat", "SCAN message", "SCAN member", "SCAN conversation", "SCAN users"]
                        .contains { step.hasPrefix($0) }
                }
                #expect(scans.isEmpty, "\(sql): \(plan.steps)")
            }
        }
    }

    @Test func `a page of messages is read from its index in order`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let number = try await fixture.send("Hello", to: id, by: fixture.ada).number
            let all = try await statements(fixture) {
                _ = try await fixture.chat.page(of: id, for: fixture.ada)
                _ = try await fixture.chat.page(of: id, for: fixture.ada, after: number)
            }
            for sql in Set(all).filter({ $0.contains("ORDER BY message.seq") }) {
                let plan = try fixture.services.plan(of: sql.replacing(#/\?\d*/#, with: "1"))
                let first = plan.steps.first ?? ""
                #expect(first.hasPrefix("SEARCH message USING INDEX chat_messages_in_order"), "\(plan.steps)")
                #expect(!plan.steps.contains { $0.contains("ORDER BY") }, "\(plan.steps)")
            }
        }
    }

    @Test func `a message to a thousand people takes as many statements as one to two`() async throws {
        try await withChat { fixture in
            let users = try fixture.addUsers(1_000)
            let pair = try await fixture.pair()
            let group = try await fixture.chat.start(
                with: users, groupName: nil, id: nil, by: fixture.ada
            ).conversation.id
            try await fixture.send("First", to: pair, by: fixture.ada)
            try await fixture.send("First", to: group, by: fixture.ada)
            let small = try await statements(fixture) {
                try await fixture.send("Hello", to: pair, by: fixture.ada)
            }
            let large = try await statements(fixture) {
                try await fixture.send("Hello", to: group, by: fixture.ada)
            }
            #expect(large == small)
            #expect(large.count <= 10, "\(large)")
            let rows = try fixture.services.sql(Int.self, "SELECT count(*) FROM chat_log")
            // Two conversations and four messages.
            #expect(rows == [6])
        }
    }

    @Test func `a list of conversations loads only the group members that it names`() async throws {
        try await withChat { fixture in
            let (chat, users) = (fixture.chat, try fixture.addUsers(50))
            let pair = try await fixture.pair()
            let group = try await chat.start(
                with: users, groupName: "Everybody", id: nil, by: fixture.ada
            ).conversation.id
            try await fixture.send("Hello", to: pair, by: fixture.grace)
            try await fixture.send("Hello all", to: group, by: users[7])
            let list = try await fixture.services.services.database.read {
                try chat.conversationList($0, of: fixture.ada)
            }
            let names = list.map(\.conversation.participants)
            #expect(names == [[fixture.ada, users[7]], [fixture.ada, fixture.grace]])
            let whole = try await chat.conversations(of: fixture.ada)
            #expect(list.map(\.id) == [group, pair] && whole.map(\.id) == [group, pair])
            #expect(list.map(\.displayName) == whole.map(\.displayName))
            #expect(list.map(\.unread) == whole.map(\.unread))
            #expect(list.map(\.conversation.lastMessage) == ["Hello all", "Hello"])
            // A webhook is not a member.
            _ = try await chat.send(
                .init(id: ChatFixture.id(1), text: "Built"), to: group, by: .bot(id: 3, name: "CI"))
            let after = try await fixture.services.services.database.read {
                try chat.conversationList($0, of: fixture.ada)
            }
            #expect(after.first?.conversation.participants == [fixture.ada])
        }
    }

    @Test func `a membership check does not read the other members`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            for isInMemory in [true, false] {
                if !isInMemory {
                    chat.forget(fixture.alan)
                    await chat.flush()
                }
                let executed = try await statements(fixture) {
                    try await chat.checkMember(fixture.ada, of: id)
                    let error = await refusal { try await chat.checkMember(fixture.alan, of: id) }
                    #expect(error?.isNotFound == true)
                }
                #expect(executed.isEmpty == isInMemory)
                #expect(!executed.contains { $0.contains("users") }, "\(executed)")
            }
        }
    }

    @Test func `a list of many conversations takes as many statements as a list of one`() async throws {
        try await withChat { fixture in
            _ = try await fixture.pair()
            func count() async throws -> Int {
                try await statements(fixture) { _ = try await fixture.chat.conversations(of: fixture.ada) }
                    .count
            }
            let one = try await count()
            for _ in 0..<5 { _ = try await fixture.group() }
            #expect(try await count() == one)
        }
    }

    @Test func `a thousand polls are answered from memory without a statement`() async throws {
        try await withChat { fixture in
            let users = try fixture.addUsers(1_000)
            let id = try await fixture.chat.start(
                with: users, groupName: nil, id: nil, by: fixture.ada
            ).conversation.id
            let position = try await fixture.chat.position()
            try await fixture.send("Hello", to: id, by: fixture.ada)
            let executed = try await statements(fixture) {
                for user in users {
                    #expect(fixture.chat.recentLog(for: user, after: position)?.entries.count == 1)
                }
            }
            #expect(executed.isEmpty)
        }
    }
}
