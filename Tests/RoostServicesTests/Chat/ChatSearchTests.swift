import Foundation
import GRDB
import TestSupport
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(2))) struct ChatSearchTests {
    @Test func `all words are found, in any order, case and accent, the newest message first`() async throws {
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
    func `the last word may be begun only, unless a blank follows it`(words: String, isFound: Bool)
        async throws
    {
        try await withChatGroup { chat async throws in
            try await chat.send("a heron")
            #expect(try await chat.found("a " + words).isEmpty == !isFound)
        }
    }

    @Test func `a long word that many messages have as it stands is taken for whole`() async throws {
        try await withChatGroup { chat async throws in
            for number in 0..<20 { try await chat.send("heron \(number)") }
            #expect(try await chat.found("heron").count == 20)
            try await chat.send("herons")
            #expect(try await chat.found("heron").first == "heron 19")
            #expect(try await chat.found("hero").first == "herons")
        }
    }

    @Test func `words in quotation marks stand together`() async throws {
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
    func `no sign is the index's own syntax`(text: String) async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("bird")
            #expect(try await chat.found(text).isEmpty)
        }
    }

    @Test func `what the index files messages under is not found as words`() async throws {
        try await withChatGroup { chat async throws in
            let file = try await chat.upload(Pictures.notedPNG)
            try await chat.send("photo", fileId: file.id)
            for words in ["file", "s\(chat.ada.userId)", "c" + chat.group.replacing("-", with: "")] {
                #expect(try await chat.found(words).isEmpty, "\(words)")
            }
        }
    }

    @Test func `edits are followed, and what was deleted is not found`() async throws {
        try await withChatGroup { chat async throws in
            let message = try await chat.send("a heron")
            _ = try await chat.services.chat.edit(message.seq, text: "an egret", by: chat.ada.userId)
            #expect(try await chat.found("heron").isEmpty)
            #expect(try await chat.found("egret") == ["an egret"])
            try await chat.services.chat.delete(message.seq, by: chat.ada.userId)
            #expect(try await chat.found("egret").isEmpty)
            try Self.checkIndex(chat)
        }
    }

    /// Throws where the index is not what the messages say.
    private static func checkIndex(_ chat: ChatGroupFixture) throws {
        try chat.fixture.change(
            "INSERT INTO chat_search (chat_search, rank) VALUES ('integrity-check', 1)")
    }

    @Test func `after random acts the index holds what the messages say`() async throws {
        try await withChatGroup { chat async throws in
            var numbers = SeededNumbers(seed: 14)
            let words = ["heron", "égret", "grey", "gull", "a", "the nest", "😀"]
            var sent: [Message] = []
            for _ in 0..<120 {
                let text = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
                    words.randomElement(using: &numbers) ?? ""
                }.joined(separator: " ")
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0 where !sent.isEmpty:
                    let place = Int.random(in: 0..<sent.count, using: &numbers)
                    sent[place] = try await chat.services.chat.edit(
                        sent[place].seq, text: text, by: chat.ada.userId)
                case 1 where !sent.isEmpty:
                    let place = Int.random(in: 0..<sent.count, using: &numbers)
                    try await chat.services.chat.delete(sent.remove(at: place).seq, by: chat.ada.userId)
                default: sent.append(try await chat.send(text))
                }
            }
            try Self.checkIndex(chat)
            let expected = sent.filter { $0.text.contains("gull") }.map(\.text).reversed()
            var query = ChatSearchQuery(text: "gull ")
            var found: [String] = []
            while true {
                let page = try await chat.services.chatSearch.search(query, for: chat.ada.userId, limit: 7)
                found += page.hits.map { $0.snippet.map(\.text).joined() }
                guard let next = page.next else { break }
                query.cursor = next
            }
            #expect(found == Array(expected))
        }
    }

    @Test func `pages follow one another without a gap or a double`() async throws {
        try await withChatGroup { chat async throws in
            for number in 1...45 { try await chat.send("heron \(number)") }
            var query = ChatSearchQuery(text: "heron")
            var (found, pages): ([Int64], [Int]) = ([], [])
            repeat {
                let page = try await chat.services.chatSearch.search(query, for: chat.ada.userId)
                found += page.hits.map(\.seq)
                pages.append(page.hits.count)
                query.cursor = page.next
            } while query.cursor != nil
            #expect(pages == [20, 20, 5])
            #expect(found == Set(found).sorted(by: >) && found.count == 45)
        }
    }

    @Test func `filters narrow it: conversation, sender, time and image`() async throws {
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

    @Test func `a time before everything finds nothing, and one after everything all`() async throws {
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

    @Test func `only what the reader may read is found`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron before")
            #expect(try await chat.found("heron", by: chat.mallory).isEmpty)
            try await chat.services.chat.add(
                [chat.mallory.userId], to: chat.group, showingEarlier: false, by: chat.ada.userId)
            try await chat.send("heron after")
            #expect(try await chat.found("heron", by: chat.mallory) == ["heron after"])
            try await chat.services.chat.remove(chat.mallory.userId, from: chat.group, by: chat.ada.userId)
            #expect(try await chat.found("heron", by: chat.mallory).isEmpty)
            #expect(try await chat.found("heron", by: chat.grace).count == 2)
        }
    }

    /// In either case the index is asked in another way.
    @Test(arguments: [(1, 30), (30, 1)])
    func `what others write between themselves changes nothing that is found`(own: Int, theirs: Int)
        async throws
    {
        try await withChatGroup { chat async throws in
            let pair = try await chat.pair(chat.ada, chat.mallory)
            for number in 0..<own { try await chat.send("herons \(number)", by: chat.mallory, to: pair) }
            for _ in 0..<theirs { try await chat.send("heron", by: chat.grace) }
            // Whether a word is taken for whole would tell how many of the others' messages have it.
            let hits = try await chat.services.chatSearch.search(
                ChatSearchQuery(text: "heron"), for: chat.mallory.userId, limit: 1
            ).hits
            #expect(hits.map(\.conversationId) == [pair])
            #expect(try await chat.found("heron", by: chat.mallory).count == min(own, 20))
            #expect(try await chat.found("heron", by: chat.grace).count == min(theirs, 20))
        }
    }

    @Test func `in a conversation of others nothing is there to be searched`() async throws {
        try await withChatGroup { chat async throws in
            let error = await refusal {
                _ = try await chat.found("heron", by: chat.mallory) { $0.conversation = chat.group }
            }
            #expect(error?.isNotFound == true)
        }
    }

    @Test func `the words are marked, and nothing else is`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("<b>Herons</b> & a grey heron")
            let hits = try await chat.services.chatSearch.search(
                ChatSearchQuery(text: "grey her"), for: chat.ada.userId
            ).hits
            let marked = try #require(hits.first).snippet.map { $0.isMatch ? "[\($0.text)]" : $0.text }
            #expect(marked.joined() == "<b>[Herons]</b> & a [grey] [heron]")
        }
    }

    @Test func `of a long text the part around the first of the words is shown`() async throws {
        try await withChatGroup { chat async throws in
            let filler = (1...300).map { "word\($0)" }.joined(separator: " ")
            try await chat.send("\(filler) heron \(filler)")
            let hits = try await chat.services.chatSearch.search(
                ChatSearchQuery(text: "heron"), for: chat.ada.userId
            ).hits
            let hit = try #require(hits.first)
            let text = hit.snippet.map(\.text).joined()
            #expect(hit.isCutBefore && hit.isCutAfter)
            #expect(text.count == 240 && text.hasPrefix("word") && text.contains("heron"))
            #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["heron"])
        }
    }

    @Test func `who wrote it is said, a bot by its name`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron", by: chat.grace)
            _ = try await chat.services.chat.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "heron built"), to: chat.group,
                by: .bot(id: 7, name: "Builds"))
            let hits = try await chat.services.chatSearch.search(
                ChatSearchQuery(text: "heron"), for: chat.ada.userId
            ).hits
            #expect(hits.map(\.senderName) == ["Builds", "Grace Hopper"])
            #expect(hits.map(\.senderId) == ["bot-7", "\(chat.grace.userId)"])
        }
    }

    @Test func `the words of one who has left Roost are found under another name`() async throws {
        try await withChatGroup { chat async throws in
            try await chat.send("heron", by: chat.grace)
            try await chat.services.accounts.leave(chat.grace, password: Cast.password, from: Cast.desk)
            let hits = try await chat.services.chatSearch.search(
                ChatSearchQuery(text: "heron", from: chat.grace.userId), for: chat.ada.userId
            ).hits
            #expect(hits.map(\.senderName) == ["Former member"])
        }
    }

    @Test func `the index leads from its newest row on, and nothing is sorted or scanned beside it`()
        async throws
    {
        try await withChatGroup { chat async throws in
            try await chat.send("heron")
            _ = try await chat.found("heron") { $0.before = .distantFuture }
            let sql = try #require(
                chat.fixture.statements.all.last { $0.contains("highlight(chat_search") })
            let plan = try chat.fixture.plan(of: sql.replacing(#/:[a-z]+/#, with: "?"))
            let first = try #require(plan.steps.first)
            #expect(first.hasPrefix("SCAN chat_search VIRTUAL TABLE INDEX"), "\(plan.steps)")
            let rest = plan.steps.dropFirst()
            #expect(rest.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(plan.steps)")
        }
    }

    @Test func `a page is found with the same few statements, however many messages there are`() async throws
    {
        try await withChatGroup { chat async throws in
            // Without those that the index makes for itself.
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
