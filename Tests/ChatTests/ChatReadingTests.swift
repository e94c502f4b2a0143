import Foundation
import TestSupport
import Testing

@testable import Chat

@Suite struct ChatReadingTests {
    @Test func `a message in a pair is sent, then delivered, then read, each with its time`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            #expect(try await fixture.status(message) == .sent)
            chat.acknowledge(message.seq, by: fixture.grace)
            #expect(try await fixture.status(message) == .sent)
            fixture.clock.advance(2)
            await chat.flush()
            #expect(try await fixture.status(message) == .delivered)
            fixture.clock.advance(3)
            try await chat.markRead(id, upTo: message.number, by: fixture.grace)
            let read = try await chat.message(message.seq, for: fixture.ada)
            #expect(read.status == .read)
            #expect(read.deliveredAt == TestClock.start + 2 && read.readAt == TestClock.start + 5)
        }
    }

    @Test func `reading also delivers, in the same commit`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let first = try await fixture.send("One", to: id, by: fixture.ada)
            let second = try await fixture.send("Two", to: id, by: fixture.ada)
            let position = try await chat.position()
            try await chat.markRead(id, upTo: second.number, by: fixture.grace)
            let read = try await chat.message(first.seq, for: fixture.ada)
            #expect(read.readAt == TestClock.start && read.deliveredAt == read.readAt)
            let entries = try await chat.log(for: fixture.ada, after: position).entries
            let expected = ChatLogEntry.Kind.status(
                .read, at: TestClock.start, ranges: [1...2], lastSeq: second.seq)
            #expect(entries.map(\.kind) == [expected])
        }
    }

    @Test func `acknowledging a position beyond the log's end delivers no later messages`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let earlier = try await fixture.send("Here", to: id, by: fixture.ada)
            chat.acknowledge(.max, by: fixture.grace)
            let later = try await fixture.send("Later", to: id, by: fixture.ada)
            await chat.flush()
            #expect(try await fixture.status(earlier) == .delivered)
            #expect(try await fixture.status(later) == .sent)
            // Acknowledging later messages works again.
            chat.acknowledge(later.seq, by: fixture.grace)
            await chat.flush()
            #expect(try await fixture.status(later) == .delivered)
        }
    }

    @Test func `a user's own polls and reads deliver nothing`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            chat.acknowledge(message.seq, by: fixture.ada)
            await chat.flush()
            try await chat.markRead(id, upTo: message.number, by: fixture.ada)
            #expect(try await fixture.status(message) == .sent)
        }
    }

    @Test func `in a group the slowest member decides the status, and the receipts name the members`()
        async throws
    {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: message.number, by: fixture.grace)
            #expect(try await fixture.status(message) == .sent)
            let receipts = try await chat.database.read {
                try chat.receipts($0, of: message.seq, for: fixture.ada)
            }
            #expect(
                receipts == [
                    .init(userId: fixture.alan, name: "alan", username: "alan", status: .sent),
                    .init(userId: fixture.grace, name: "Grace", username: "grace", status: .read),
                ])
            chat.acknowledge(message.seq, by: fixture.alan)
            await chat.flush()
            #expect(try await fixture.status(message) == .delivered)
            try await chat.markRead(id, upTo: message.number, by: fixture.alan)
            #expect(try await fixture.status(message) == .read)
        }
    }

    @Test func `the slowest member's own messages wait only for the others`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let adas = try await fixture.send("Ada's", to: id, by: fixture.ada)
            let alans = try await fixture.send("Alan's", to: id, by: fixture.alan)
            let last = try await fixture.send("Ada's too", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: last.number, by: fixture.ada)
            try await chat.markRead(id, upTo: last.number, by: fixture.grace)
            #expect(try await fixture.status(alans) == .read)
            #expect(try await fixture.status(adas) == .sent)
            try await chat.markRead(id, upTo: last.number, by: fixture.alan)
            #expect(try await fixture.status(adas) == .read)
            #expect(try await fixture.status(last) == .read)
        }
    }

    @Test func `the members at the time of sending decide the status`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let before = try await fixture.send("Before", to: id, by: fixture.ada)
            let eve = try await fixture.services.add("eve").userId
            try await chat.add([eve], to: id, showingEarlier: true, by: fixture.ada)
            let after = try await fixture.send("After", to: id, by: fixture.ada)
            for user in [fixture.grace, fixture.alan] {
                try await chat.markRead(id, upTo: after.number, by: user)
            }
            #expect(try await fixture.status(before) == .read)
            #expect(try await fixture.status(after) == .sent)
            let names = try await chat.database.read {
                try chat.receipts($0, of: before.seq, for: fixture.ada)
            }.map(\.name)
            #expect(names == ["alan", "Grace"])
            try await chat.markRead(id, upTo: after.number, by: eve)
            #expect(try await fixture.status(after) == .read)
        }
    }

    @Test func `a member who left without reading delays what they were sent, but nothing later`()
        async throws
    {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let seen = try await fixture.send("Seen", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: seen.number, by: fixture.alan)
            let unseen = try await fixture.send("Unseen", to: id, by: fixture.ada)
            let his = try await fixture.send("His own", to: id, by: fixture.alan)
            try await chat.leave(id, by: fixture.alan)
            let later = try await fixture.send("Later", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: later.number, by: fixture.grace)
            try await chat.markRead(id, upTo: later.number, by: fixture.ada)
            #expect(try await fixture.status(seen) == .read)
            #expect(try await fixture.status(unseen) == .sent)
            #expect(try await fixture.status(later) == .read)
            #expect(try await chat.message(his.seq, for: fixture.ada).status == .read)
        }
    }

    @Test func `a message without recipients stays sent`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            try await chat.remove(fixture.alan, from: id, by: fixture.ada)
            try await chat.remove(fixture.grace, from: id, by: fixture.ada)
            let note = try await fixture.send("Note", to: id, by: fixture.ada)
            try await chat.add([fixture.grace], to: id, showingEarlier: true, by: fixture.ada)
            let hello = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: hello.number, by: fixture.grace)
            #expect(try await fixture.status(note) == .sent)
            #expect(try await fixture.status(hello) == .read)
            #expect(
                try await chat.database.read { try chat.receipts($0, of: note.seq, for: fixture.ada) }.isEmpty
            )
        }
    }

    @Test func `a webhook's message waits for all members`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let built = try await chat.send(
                .init(id: ChatFixture.id(1), text: "Built"), to: id, by: .bot(id: 1, name: "CI")
            ).message
            try await chat.markRead(id, upTo: built.number, by: fixture.ada)
            #expect(try await chat.message(built.seq, for: fixture.ada).status == .sent)
            try await chat.markRead(id, upTo: built.number, by: fixture.grace)
            #expect(try await chat.message(built.seq, for: fixture.ada).status == .read)
        }
    }

    @Test func `the unread count is what others wrote since the last read`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            for (text, user) in [("1", fixture.ada), ("2", fixture.grace), ("3", fixture.ada)] {
                try await fixture.send(text, to: id, by: user)
            }
            #expect(try await fixture.unread(id, fixture.grace) == 2)
            #expect(try await fixture.unread(id, fixture.ada) == 1)
            try await chat.markRead(id, upTo: 1, by: fixture.grace)
            #expect(try await fixture.unread(id, fixture.grace) == 1)
            try await chat.markRead(id, upTo: 3, by: fixture.grace)
            #expect(try await fixture.unread(id, fixture.grace) == 0)
            try await chat.markRead(id, upTo: 1, by: fixture.grace)
            #expect(try await fixture.unread(id, fixture.grace) == 0)
            try await chat.markUnread(id, from: 2, by: fixture.grace)
            #expect(try await fixture.unread(id, fixture.grace) == 1)
            try await chat.markUnread(id, from: 1, by: fixture.grace)
            #expect(try await fixture.unread(id, fixture.grace) == 2)
            let summary = try await chat.conversation(id, for: fixture.grace)
            #expect(summary.conversation.unreadCount == [fixture.grace: 2])
            #expect(summary.readNumber == 0)
        }
    }

    @Test func `marking a message unread leaves it read for its sender`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: message.number, by: fixture.grace)
            try await chat.markUnread(id, from: message.number, by: fixture.grace)
            #expect(try await fixture.status(message) == .read)
            #expect(try await fixture.unread(id, fixture.grace) == 1)
        }
    }

    @Test func `reading beyond the end reads only the existing messages`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            try await fixture.send("One", to: id, by: fixture.ada)
            try await chat.markRead(id, upTo: .max, by: fixture.grace)
            chat.acknowledge(.max, by: fixture.grace)
            await chat.flush()
            let two = try await fixture.send("Two", to: id, by: fixture.ada)
            #expect(try await fixture.unread(id, fixture.grace) == 1)
            #expect(try await fixture.status(two) == .sent)
            chat.acknowledge(two.seq, by: fixture.grace)
            await chat.flush()
            #expect(try await fixture.status(two) == .delivered)
        }
    }

    @Test func `the total counts unread messages of conversations that notify of everything`() async throws {
        try await withChat { fixture in
            let (chat, grace) = (fixture.chat, fixture.grace)
            let (pair, group) = (try await fixture.pair(), try await fixture.group())
            #expect(chat.lastUnreadTotal(of: grace) == nil)
            try await fixture.send("1", to: pair, by: fixture.ada)
            try await fixture.send("2", to: group, by: fixture.ada)
            try await fixture.send("3", to: group, by: fixture.alan)
            #expect(try await chat.database.read { try chat.unreadTotal($0, of: grace) } == 3)
            #expect(chat.lastUnreadTotal(of: grace) == 3)
            try await chat.setNotify(.none, in: group, for: grace)
            #expect(chat.lastUnreadTotal(of: grace) == nil)
            #expect(try await chat.database.read { try chat.unreadTotal($0, of: grace) } == 1)
            // Changes that do not concern Grace keep her count cached.
            try await fixture.chat.saveDraft("x", in: pair, by: fixture.ada)
            #expect(chat.lastUnreadTotal(of: grace) == 1)
            try await fixture.send("4", to: pair, by: fixture.ada)
            #expect(chat.lastUnreadTotal(of: grace) == nil)
            #expect(try await chat.database.read { try chat.unreadTotal($0, of: grace) } == 2)
        }
    }

    @Test func `a conversation that notifies of mentions adds only those to the total`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            try await chat.setNotify(.mentions, in: id, for: fixture.grace)
            try await fixture.send("Lunch?", to: id, by: fixture.ada)
            let named = try await fixture.send("@alan, @grace?", to: id, by: fixture.ada)
            try await fixture.send("@alan!", to: id, by: fixture.ada)
            try await fixture.send("I am @grace", to: id, by: fixture.grace)
            #expect(try await chat.database.read { try chat.unreadTotal($0, of: fixture.grace) } == 1)
            #expect(try await fixture.unread(id, fixture.grace) == 3)
            try await chat.markRead(id, upTo: named.number, by: fixture.grace)
            #expect(try await chat.database.read { try chat.unreadTotal($0, of: fixture.grace) } == 0)
        }
    }

    @Test func `the background task commits deliveries`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await fixture.services.whileRunning {
                _ = fixture.chat.recentLog(for: fixture.grace, after: message.seq)
                try await wait(for: "the delivery") { try await fixture.status(message) == .delivered }
            }
        }
    }

    @Test func `deliveries of many people are one commit and one log row`() async throws {
        try await withChat { fixture in
            let users = try fixture.addUsers(100)
            let id = try await fixture.chat.start(
                with: users, groupName: nil, id: nil, by: fixture.ada
            ).conversation.id
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            func commits() -> Int {
                fixture.services.statements.all.count { $0.hasPrefix("COMMIT") }
            }
            let before = commits()
            for user in users { fixture.chat.acknowledge(message.seq, by: user) }
            await fixture.chat.flush()
            #expect(commits() == before + 1)
            #expect(try await fixture.chat.position() == message.seq + 1)
            #expect(try await fixture.status(message) == .delivered)
            // A delivery that is already on the disk is not written again.
            let after = commits()
            for user in users { fixture.chat.acknowledge(message.seq, by: user) }
            await fixture.chat.flush()
            #expect(commits() == after)
        }
    }
}
