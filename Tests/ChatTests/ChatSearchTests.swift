import Foundation
import GRDB
import RoostSupport
import TestSupport
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(2))) struct ChatSearchTests {
    @Test func `a search finds all words in any order, case and accent, newest message first`() async throws {
        try await withChatGroup { chat async throws in
            for text in ["The heron waits", "A Héron, grey", "nobody", "waits the HERON again"] {
                try await chat.send(text)
            }
            #expect(
                try await chat.found("heron") == [
                    "waits the HERON again", "A Héron, grey", "The heron waits",
                ])
            #expect(
                try await chat.found("waits heron") == ["waits the HERON again", "The heron waits"])
            #expect(try await chat.found("herons").isEmpty)
        }
    }

    @Test(arguments: [
        ("he", true), ("her", true), ("hero", true), ("h", false), ("hero ", false), ("eron", false),
    ])
    func `the last word matches as a prefix, unless a space follows it`(text: String, isFound: Bool)
        async throws
    {
        try await withChatGroup { chat async throws in
            try await chat.send("a heron")
            #expect(try await chat.found("a " + text).isEmpty == !isFound)
        }
    }

    @Test func `a word with many exact matches is not treated as a prefix`() async throws {
        try await withChatGroup { chat async throws in
            for number in 0..<20 { try await chat.send("heron \(number)") }
            #expect(try await chat.found("heron").count == 20)
            try await chat.send("herons")
            #expect(try await chat.found("heron").first == "heron 19")
            #expect(try await chat.found("hero").first == "herons")
        }
    }

    @Test func `words in quotation marks match only next to each other`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("grey herons fly")
            try await chat.send("herons are grey")
            #expect(try await chat.found("\"grey herons\"") == ["grey herons fly"])
            #expect(try await chat.found("grey herons").count == 2)
        }
    }

    @Test(arguments: [
        "\"", "\"\"\"", "*", "a*", "(", ")", "a AND", "NOT a", "NEAR(a b)", "text:a", "facets:file", "-a",
        "a^b",
        "a:b", "{a}", "'", "a\"b", "\u{0}", "+", "--", "a OR b", "!!!", "\u{301}", "😀", ":", "\\", "a;b", "%",
    ])
    func `no character is treated as the index's own syntax`(text: String) async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("bird")
            #expect(try await chat.found(text).isEmpty)
        }
    }

    @Test func `the index's internal terms are not found as words`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            try await chat.send("photo", fileId: file.id)
            for text in ["file", "s\(chat.ada.userId)", "c" + chat.group.replacing("-", with: "")] {
                #expect(try await chat.found(text).isEmpty, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("他们住在上海西边。", "上海", "上海"), ("昨日は京都タワーを見ました", "タワー", "タワー"),
        ("昨日は京都タワーを見ました", "京", "京"), ("ไปกินข้าวที่บ้าน", "ข้าว", "ข้าว"),
        ("서울에서 만나요", "서울", "서울"), ("Fluss\u{ad}dampf\u{ad}er", "flussdampfer", "Fluss\u{ad}dampf\u{ad}er"),
        ("ein ﬂacher Fluß", "flacher fluss", "ﬂacher Fluß"), ("η Ελλάδα", "ελλαδα", "Ελλάδα"),
        ("зелёный", "зеленый", "зелёный"), ("كِتَاب", "كتاب", "كِتَاب"),
    ])
    func `text of every script is found, however it is written`(
        text: String, query: String, marked: String
    ) async throws {
        try await withChatGroup { chat async throws in
            try await chat.send(text)
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: query), for: chat.ada.userId
            ).hits
            let pieces = try #require(hits.first).snippet
            #expect(pieces.map(\.text).joined() == text)
            #expect(pieces.filter(\.isMatch).map(\.text).joined(separator: " ") == marked)
            try Self.checkIndex(chat)
        }
    }

    @Test func `an index that is built again has the old messages, and those that changed meanwhile`()
        async throws
    {
        try await withChatGroup { chat async throws in
            var sent: [Message] = []
            for number in 1...60 { sent.append(try await chat.send("heron \(number)")) }
            try chat.fixture.change("DELETE FROM search_progress WHERE name = 'chat_search'")
            _ = try await chat.services.chat.conversations.edit(
                sent[3].seq, text: "egret", by: chat.ada.userId)
            try await chat.services.chat.conversations.delete(sent[5].seq, by: chat.ada.userId)
            await SearchIndexing(database: chat.services.database, indexes: [.messages]).run()
            #expect(try await chat.found("egret") == ["egret"])
            #expect(try await chat.found("\"heron 60\"") == ["heron 60"])
            #expect(try await chat.found("\"heron 4\" ").isEmpty)
            try Self.checkIndex(chat)
        }
    }

    @Test func `a search finds edited texts and no deleted ones`() async throws {
        try await withChatGroup { chat async throws in
            let message = try await chat.send("a heron")
            _ = try await chat.services.chat.conversations.edit(
                message.seq, text: "an egret", by: chat.ada.userId)
            #expect(try await chat.found("heron").isEmpty)
            #expect(try await chat.found("egret") == ["an egret"])
            try await chat.services.chat.conversations.delete(message.seq, by: chat.ada.userId)
            #expect(try await chat.found("egret").isEmpty)
            try Self.checkIndex(chat)
        }
    }

    /// Throws if the index does not match the messages.
    private static func checkIndex(_ chat: ChatGroupFixture) throws {
        try chat.fixture.change(
            "INSERT INTO chat_search (chat_search, rank) VALUES ('integrity-check', 1)")
    }

    @Test func `after random actions the index matches the messages`() async throws {
        try await withChatGroup { chat async throws in
            var numbers = SeededNumbers(seed: 14)
            let samples = ["heron", "égret", "grey", "gull", "a", "the nest", "😀"]
            var sent: [Message] = []
            for _ in 0..<120 {
                let text = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
                    samples.randomElement(using: &numbers) ?? ""
                }.joined(separator: " ")
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0 where !sent.isEmpty:
                    let index = Int.random(in: 0..<sent.count, using: &numbers)
                    sent[index] = try await chat.services.chat.conversations.edit(
                        sent[index].seq, text: text, by: chat.ada.userId)
                case 1 where !sent.isEmpty:
                    let index = Int.random(in: 0..<sent.count, using: &numbers)
                    try await chat.services.chat.conversations.delete(
                        sent.remove(at: index).seq, by: chat.ada.userId)
                default: sent.append(try await chat.send(text))
                }
            }
            try Self.checkIndex(chat)
            let expected = sent.filter { $0.text.contains("gull") }.map(\.text).reversed()
            var query = ChatSearchQuery(text: "gull ")
            var found: [String] = []
            while true {
                let page = try await chat.services.chat.search.search(query, for: chat.ada.userId, limit: 7)
                found += page.hits.map { $0.snippet.map(\.text).joined() }
                guard let next = page.next else { break }
                query.position = next
            }
            #expect(found == Array(expected))
        }
    }

    @Test func `pages of results have no gaps and no duplicates`() async throws {
        try await withChatGroup { chat async throws in
            for number in 1...45 { try await chat.send("heron \(number)") }
            var query = ChatSearchQuery(text: "heron")
            var (found, pages): ([Int64], [Int]) = ([], [])
            repeat {
                let page = try await chat.services.chat.search.search(query, for: chat.ada.userId)
                found += page.hits.map(\.seq)
                pages.append(page.hits.count)
                query.position = page.next
            } while query.position != nil
            #expect(pages == [20, 20, 5])
            #expect(found == Set(found).sorted(by: >) && found.count == 45)
        }
    }

    @Test func `filters narrow a search by conversation, sender, time and image`() async throws {
        try await withChatGroup { chat async throws in
            let pair = try await chat.pair(chat.ada, chat.grace)
            try await chat.send("heron of ada")
            chat.clock.advance(3_600)
            let middle = chat.clock.now
            try await chat.send("heron of grace", by: chat.grace)
            let file = try await chat.upload(Pictures.notedPNG)
            try await chat.send("heron in a picture", fileId: file.id)
            let note = try await chat.upload([1, 2, 3], "a.bin")
            try await chat.send("heron in a file", fileId: note.id)
            try await chat.send("heron between two", to: pair)
            #expect(try await chat.found("heron") { $0.conversation = pair } == ["heron between two"])
            #expect(try await chat.found("heron") { $0.from = chat.grace.userId } == ["heron of grace"])
            #expect(try await chat.found("heron") { $0.before = middle } == ["heron of ada"])
            #expect(try await chat.found("heron") { $0.hasImage = true } == ["heron in a picture"])
            #expect(try await chat.found("") { $0.hasImage = true } == ["heron in a picture"])
            #expect(try await chat.found("") { $0.from = chat.grace.userId } == ["heron of grace"])
            #expect(try await chat.found("").isEmpty)
        }
    }

    @Test func `a time before every message finds nothing, and one after them finds all`() async throws {
        try await withChatGroup { chat async throws in
            for number in 0..<5 {
                try await chat.send("heron \(number)")
                chat.clock.advance(86_400 * 10)
            }
            let start = chat.clock.now - 86_400 * 50
            for (days, count) in [(0.0, 0), (1, 1), (11, 2), (25, 3), (41, 5), (400, 5)] {
                let found = try await chat.found("heron") { $0.before = start + 86_400 * days }
                #expect(found.count == count, "\(days) days")
            }
        }
    }

    @Test func `a search finds only what the reader may read`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron before")
            #expect(try await chat.found("heron", by: chat.mallory).isEmpty)
            try await chat.services.chat.conversations.add(
                [chat.mallory.userId], to: chat.group, showingEarlier: false, by: chat.ada.userId)
            try await chat.send("heron after")
            #expect(try await chat.found("heron", by: chat.mallory) == ["heron after"])
            try await chat.services.chat.conversations.remove(
                chat.mallory.userId, from: chat.group, by: chat.ada.userId)
            #expect(try await chat.found("heron", by: chat.mallory).isEmpty)
            #expect(try await chat.found("heron", by: chat.grace).count == 2)
        }
    }

    /// The two cases use the index differently.
    @Test(arguments: [(1, 30), (30, 1)])
    func `other people's messages do not change a reader's results`(own: Int, other: Int)
        async throws
    {
        try await withChatGroup { chat async throws in
            let pair = try await chat.pair(chat.ada, chat.mallory)
            for number in 0..<own { try await chat.send("herons \(number)", by: chat.mallory, to: pair) }
            for _ in 0..<other { try await chat.send("heron", by: chat.grace) }
            // Treating the word as exact would reveal how many of the others' messages contain it.
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: "heron"), for: chat.mallory.userId, limit: 1
            ).hits
            #expect(hits.map(\.conversationId) == [pair])
            #expect(try await chat.found("heron", by: chat.mallory).count == min(own, 20))
            #expect(try await chat.found("heron", by: chat.grace).count == min(other, 20))
        }
    }

    @Test func `in several conversations a search finds the reader's messages and no others`() async throws {
        try await withChatGroup { chat async throws in
            var pairs: [ConversationID] = []
            for other in [chat.ada, chat.grace, chat.eve] {
                pairs.append(try await chat.pair(chat.mallory, other))
            }
            for number in 0..<12 {
                try await chat.send("heron \(number)", by: chat.mallory, to: pairs[number % 3])
                try await chat.send("heron of the group", by: chat.eve)
            }
            // The three have half of all messages, so each match is checked for its conversation.
            let own = (0..<12).reversed().map { "heron \($0)" }
            #expect(try await chat.found("heron", by: chat.mallory) == own)
            for _ in 0..<40 { try await chat.send("gull") }
            // Now they have few, so the index is asked for the conversations.
            #expect(try await chat.found("heron", by: chat.mallory) == own)
        }
    }

    @Test func `a conversation of others cannot be searched`() async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.found("heron", by: chat.mallory) { $0.conversation = chat.group }
            }
            #expect(error?.isNotFound == true)
        }
    }

    @Test func `only the matching words are marked`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("<b>Herons</b> & a grey heron")
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: "grey her"), for: chat.ada.userId
            ).hits
            let marked = try #require(hits.first).snippet.map { $0.isMatch ? "[\($0.text)]" : $0.text }
            #expect(marked.joined() == "<b>[Herons]</b> & a [grey] [heron]")
        }
    }

    @Test func `a long text is cut around its first matching word`() async throws {
        try await withChatGroup { chat async throws in
            let filler = (1...300).map { "word\($0)" }.joined(separator: " ")
            try await chat.send("\(filler) heron \(filler)")
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: "heron"), for: chat.ada.userId
            ).hits
            let hit = try #require(hits.first)
            let text = hit.snippet.map(\.text).joined()
            #expect(hit.isCutBefore && hit.isCutAfter)
            #expect(text.count == 240 && text.hasPrefix("word") && text.contains("heron"))
            #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["heron"])
        }
    }

    @Test func `a result names its sender, and a webhook by its name`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron", by: chat.grace)
            _ = try await chat.services.chat.conversations.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "heron built"), to: chat.group,
                by: .bot(id: 7, name: "Builds"))
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: "heron"), for: chat.ada.userId
            ).hits
            #expect(hits.map(\.senderName) == ["Builds", "Grace Hopper"])
            #expect(hits.map(\.senderId) == ["bot-7", "\(chat.grace.userId)"])
        }
    }

    @Test func `messages of a user who left Roost are found under another name`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron", by: chat.grace)
            try await chat.services.identity.accounts.leave(
                chat.grace, password: Cast.password, from: Cast.desk)
            let hits = try await chat.services.chat.search.search(
                ChatSearchQuery(text: "heron", from: chat.grace.userId), for: chat.ada.userId
            ).hits
            #expect(hits.map(\.senderName) == ["Former member"])
        }
    }

    @Test func `the query scans the index from its newest row and sorts nothing`()
        async throws
    {
        try await withChatGroup { chat async throws in
            try await chat.send("heron")
            _ = try await chat.found("heron") { $0.before = .distantFuture }
            let sql = try #require(
                chat.fixture.statements.all.last {
                    $0.contains("chat_search MATCH") && !$0.contains("count(*)")
                })
            let plan = try chat.fixture.plan(of: sql.replacing(#/:[a-z]+/#, with: "?"))
            let first = try #require(plan.steps.first)
            #expect(first.hasPrefix("SCAN chat_search VIRTUAL TABLE INDEX"), "\(plan.steps)")
            let rest = plan.steps.dropFirst()
            #expect(rest.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(plan.steps)")
        }
    }

    @Test func `a page takes the same few statements, however many messages there are`() async throws {
        try await withChatGroup { chat async throws in
            // Excludes the statements of the index itself.
            func statements() -> Int {
                chat.fixture.statements.all.count {
                    $0.contains("chat_members") || $0.contains("chat_messages") || $0.contains("MATCH")
                }
            }
            func count() async throws -> Int {
                let before = statements()
                _ = try await chat.found("heron") { $0.from = chat.ada.userId }
                return statements() - before
            }
            for _ in 0..<3 { try await chat.send("heron") }
            let few = try await count()
            for _ in 0..<40 { try await chat.send("heron") }
            #expect(try await count() == few)
        }
    }
}
