import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport

@Suite struct ChatLogTests {
    @Test func `each action is logged for those concerned, in memory and on the disk alike`() async throws {
        try await withChat { fixture in
            let (chat, ada, grace) = (fixture.chat, fixture.ada, fixture.grace)
            let id = try await fixture.pair()
            let message = try await fixture.send("Hello", to: id, by: ada)
            try await chat.react("👍", on: message.seq, by: grace, isOn: true)
            try await chat.markRead(id, upTo: message.number, by: grace)
            try await chat.saveDraft("Half", in: id, by: ada)
            try await chat.setNotify(.mentions, in: id, for: ada)
            let hers = try await chat.log(for: ada, after: 0)
            #expect(
                hers.entries.map(\.kind.name) == [
                    "conversation", "message", "message", "status", "draft", "settings",
                ])
            let end = try await chat.position()
            #expect(!hers.hasMore && hers.next == end)
            #expect(
                try await fixture.kinds(after: 0, grace) == [
                    "conversation", "message", "message", "read", "status",
                ])
            #expect(try await fixture.kinds(after: 0, fixture.alan).isEmpty)
            for user in [ada, grace, fixture.alan] {
                let disk = try await chat.log(for: user, after: 0)
                let memory = try #require(chat.recentLog(for: user, after: 0))
                #expect(memory.entries.map(\.seq) == disk.entries.map(\.seq))
                #expect(memory.entries.map(\.kind.name) == disk.entries.map(\.kind.name))
                let isMark = { (entry: ChatLogEntry) in ["read", "status"].contains(entry.kind.name) }
                #expect(memory.entries.filter(isMark) == disk.entries.filter(isMark))
                #expect(memory.next == disk.next && !memory.hasMore)
            }
        }
    }

    /// The tasks wait while another process holds the database, and are then committed together.
    @Test func `concurrent messages and membership changes are the same in memory and on the disk`()
        async throws
    {
        try await withChat { fixture in
            let (chat, ada, grace, alan) = (fixture.chat, fixture.ada, fixture.grace, fixture.alan)
            let id = try await fixture.group()
            let other = try DatabaseFile.open(fixture.services.folder + "/roost.sqlite") {
                $0.allowsUnsafeTransactions = true
            }
            for round in 0..<12 {
                try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for number in 0..<8 {
                        tasks.addTask { try await fixture.send("\(round) \(number)", to: id, by: ada) }
                    }
                    tasks.addTask {
                        if round.isMultiple(of: 2) {
                            try await chat.remove(alan, from: id, by: ada)
                        } else {
                            try await chat.add([alan], to: id, showingEarlier: false, by: ada)
                        }
                    }
                    for number in 8..<16 {
                        tasks.addTask { try await fixture.send("\(round) \(number)", to: id, by: grace) }
                    }
                    for _ in 0..<100 { await Task.yield() }
                    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
                    try await tasks.waitForAll()
                }
                for user in [ada, grace, alan] {
                    let disk = try await chat.log(for: user, after: 0)
                    let memory = try #require(chat.recentLog(for: user, after: 0))
                    // On the disk, the newest private entry replaces the earlier ones.
                    func seqs(_ page: ChatLogPage) -> [Int64] {
                        page.entries.filter { $0.kind.name != "removed" }.map(\.seq)
                    }
                    #expect(seqs(memory) == seqs(disk), "\(round), \(user)")
                    #expect(memory.next == disk.next)
                }
            }
        }
    }

    @Test func `pages are identical only if their entries are, even when memory is reused`() {
        func page(_ entry: ChatLogEntry) -> ChatLogPage {
            ChatLogPage(entries: [entry], next: 1, hasMore: false)
        }
        let entry = ChatLogEntry(seq: 1, conversationId: "a", kind: .draft("Hello"))
        #expect(page(entry).identity == page(entry).identity)
        // Each page is freed before the next is made, which then reuses its memory.
        let identities = Set(
            (1...100).map { number in
                page(ChatLogEntry(seq: 1, conversationId: "a", kind: .draft("\(number)"))).identity
            })
        #expect(identities.count == 100)
    }

    @Test func `every change is published to the members, and private changes only to their user`()
        async throws
    {
        try await withChat { fixture in
            let (chat, feed) = (fixture.chat, fixture.services.services.feed)
            let (ada, grace, alan) = (fixture.ada, fixture.grace, fixture.alan)
            let id = try await fixture.pair()
            let seq = try await fixture.send("Hello", to: id, by: ada).seq
            func notified(_ act: () async throws -> Void) async throws -> [UserID] {
                let before = [ada, grace, alan].map { feed.version(of: [Topic.chat($0)]) }
                try await act()
                return zip([ada, grace, alan], before).filter { user, version in
                    feed.version(of: [Topic.chat(user)]) > version
                }.map(\.0)
            }
            let both = [ada, grace]
            #expect(try await notified { try await fixture.send("x", to: id, by: ada) } == both)
            #expect(try await notified { try await chat.edit(seq, text: "Hi", by: ada) } == both)
            #expect(try await notified { try await chat.react("👍", on: seq, by: ada, isOn: true) } == both)
            #expect(try await notified { try await chat.saveDraft("Half", in: id, by: ada) } == [ada])
            #expect(try await notified { try await chat.setNotify(.none, in: id, for: ada) } == [ada])
            // Only Grace is notified: not every recipient has read the message.
            let group = try await fixture.group()
            let newSeq = try await fixture.send("Hello", to: group, by: ada).seq
            #expect(try await notified { try await chat.markRead(group, upTo: 1, by: grace) } == [grace])
            #expect(
                try await notified { try await chat.remove(alan, from: group, by: ada) } == [
                    ada, grace, alan,
                ])
            #expect(try await notified { try await chat.delete(newSeq, by: ada) } == both)
            #expect(try await notified { try await chat.delete(newSeq, by: ada) } == [])
        }
    }

    @Test func `long messages push only older entries out of memory`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let text = String(repeating: "x", count: Message.maximumTextBytes)
            for _ in 0..<270 {
                let seq = try await fixture.send(text, to: id, by: fixture.ada).seq
                try await fixture.chat.delete(seq, by: fixture.ada)
            }
            let position = try await fixture.chat.position()
            try await fixture.send("Hello", to: id, by: fixture.ada)
            let page = try #require(fixture.chat.recentLog(for: fixture.grace, after: position))
            #expect(page.entries.compactMap(\.message?.text) == ["Hello"])
        }
    }

    @Test func `a long log is read page by page without loss`() async throws {
        try await withChat { fixture in
            let (pair, group) = (try await fixture.pair(), try await fixture.group())
            for number in 0..<30 {
                try await fixture.send("\(number)", to: number % 3 == 0 ? pair : group, by: fixture.ada)
            }
            let all = try await fixture.chat.log(for: fixture.grace, after: 0).entries
            var (entries, position, pages): ([ChatLogEntry], Int64, Int) = ([], 0, 0)
            while true {
                let page = try await fixture.chat.log(for: fixture.grace, after: position, limit: 7)
                entries += page.entries
                (position, pages) = (page.next, pages + 1)
                guard page.hasMore else { break }
                #expect(page.entries.count == 7)
            }
            #expect(entries == all && entries.count == 32 && pages == 5)
            #expect(try await fixture.chat.position() == position)
        }
    }

    @Test func `a poll acknowledges everything before its position`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let one = try await fixture.send("One", to: id, by: fixture.ada)
            _ = try await fixture.chat.log(for: fixture.grace, after: one.seq - 1)
            await fixture.chat.flush()
            #expect(try await fixture.status(one) == .sent)
            _ = try await fixture.chat.log(for: fixture.grace, after: one.seq)
            await fixture.chat.flush()
            #expect(try await fixture.status(one) == .delivered)
        }
    }

    @Test func `a client ahead of the log is moved back to its end`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let end = try await fixture.chat.position()
            #expect(try await fixture.chat.log(for: fixture.grace, after: end + 1_000).next == end)
            #expect(fixture.chat.recentLog(for: fixture.grace, after: end + 1_000) == nil)
            try await fixture.send("Hello", to: id, by: fixture.ada)
            #expect(try await fixture.kinds(after: end, fixture.grace) == ["message"])
        }
    }

    @Test func `the log keeps only the newest entry of a user's private changes`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            for number in 0..<20 {
                try await fixture.chat.saveDraft("\(number)", in: id, by: fixture.ada)
            }
            let entries = try await fixture.chat.log(for: fixture.ada, after: 0).entries
            #expect(entries.map(\.kind.name) == ["conversation", "draft"])
            #expect(entries.last?.kind == .draft("19"))
            #expect(try await fixture.chat.conversation(id, for: fixture.ada).draft == "19")
            try await fixture.chat.saveDraft(" ", in: id, by: fixture.ada)
            #expect(try await fixture.chat.conversation(id, for: fixture.ada).draft == nil)
        }
    }

    @Test func `memory that does not reach far enough back says so, and is used again afterwards`()
        async throws
    {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let long = String(repeating: "x", count: 16_000)
            let start = try await fixture.chat.position()
            for _ in 0..<300 { try await fixture.send(long, to: id, by: fixture.ada) }
            let end = try await fixture.chat.position()
            #expect(fixture.chat.recentLog(for: fixture.grace, after: start) == nil)
            #expect(fixture.chat.recentLog(for: fixture.grace, after: end - 10)?.entries.count == 10)
            #expect(fixture.chat.recentLog(for: fixture.grace, after: end)?.entries == [])
        }
    }

    @Test func `memory starts over after rows that another process wrote`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let position = try await fixture.chat.position()
            try fixture.services.change(
                "INSERT INTO chat_log (conversation_id, kind, at) VALUES ('\(id)', 'conversation', 1)")
            try await fixture.send("Hello", to: id, by: fixture.ada)
            #expect(fixture.chat.recentLog(for: fixture.grace, after: position) == nil)
            // The members are uncertain as well, until the next commit reads them.
            #expect(fixture.chat.recentLog(for: fixture.grace, after: position + 1) == nil)
            let current = try await fixture.chat.position()
            try await fixture.send("Again", to: id, by: fixture.ada)
            #expect(fixture.chat.recentLog(for: fixture.grace, after: current)?.entries.count == 1)
        }
    }

    @Test func `members share the entries in memory, so each is rendered once`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let position = try await fixture.chat.position()
            try await fixture.send("Hello", to: id, by: fixture.ada)
            let first = fixture.chat.recentLog(for: fixture.ada, after: position)?.entries.first
            let second = fixture.chat.recentLog(for: fixture.grace, after: position)?.entries.first
            let (one, two) = (first?.rendered("test") { _ in [1] }, second?.rendered("test") { _ in [2] })
            #expect(one == [1] && two == one)
        }
    }

    @Test func `typing is shown at once and ends after three seconds without an update`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let topic = Topic.chatTyping(id)
            func version() -> Int { fixture.services.services.feed.version(of: [topic]) }
            try await chat.setTyping(id, by: fixture.ada, isTyping: true)
            let initial = version()
            #expect(initial > 0)
            let typing = try await chat.database.read { try chat.typing($0, in: id, for: fixture.grace) }
            #expect(
                typing == [.init(userId: fixture.ada, conversationId: id, startedAt: TestClock.start)])
            #expect(try await chat.database.read { try chat.typing($0, in: id, for: fixture.ada) }.isEmpty)
            fixture.clock.advance(2)
            try await chat.setTyping(id, by: fixture.ada, isTyping: true)
            #expect(version() == initial)
            fixture.clock.advance(3)
            await chat.flush()
            #expect(
                try await chat.database.read { try chat.typing($0, in: id, for: fixture.grace) }.count == 1)
            fixture.clock.advance(0.001)
            await chat.flush()
            #expect(try await chat.database.read { try chat.typing($0, in: id, for: fixture.grace) }.isEmpty)
            #expect(version() > initial)
        }
    }

    @Test func `a user who sends a message or stops is no longer typing`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            try await chat.setTyping(id, by: fixture.ada, isTyping: true)
            try await fixture.send("Hello", to: id, by: fixture.ada)
            #expect(try await chat.database.read { try chat.typing($0, in: id, for: fixture.grace) }.isEmpty)
            try await chat.setTyping(id, by: fixture.ada, isTyping: true)
            try await chat.setTyping(id, by: fixture.ada, isTyping: false)
            #expect(try await chat.database.read { try chat.typing($0, in: id, for: fixture.grace) }.isEmpty)
        }
    }
}
