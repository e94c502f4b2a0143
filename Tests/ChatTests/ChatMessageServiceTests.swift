import Foundation
import TestSupport
import Testing

@testable import Chat

@Suite struct ChatMessageServiceTests {
    @Test func `a sent message has its position, number and sender, and others read it`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let draft = NewMessage(id: ChatFixture.id(1).uppercased(), text: "Hello\n")
            let sent = try await fixture.chat.send(draft, to: id, by: .user(fixture.ada))
            #expect(sent.isNew && sent.message.id == ChatFixture.id(1))
            #expect(sent.message.number == 1 && sent.message.status == .sent)
            #expect(sent.message.senderId == String(fixture.ada) && sent.message.senderName == "Ada")
            #expect(sent.message.text == "Hello\n" && sent.message.sentAt == TestClock.start)
            #expect(try await fixture.chat.message(sent.message.seq, for: fixture.grace) == sent.message)
            let second = try await fixture.send("Again", to: id, by: fixture.grace)
            #expect(second.number == 2 && second.seq > sent.message.seq)
            let list = try await fixture.chat.conversation(id, for: fixture.ada).conversation
            #expect(list.lastMessage == "Again" && list.lastMessageSenderId == String(fixture.grace))
            #expect(list.lastSeq == second.seq && list.lastNumber == 2)
        }
    }

    @Test func `an older link finds its message, and newer positions find nothing`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let old = try await fixture.send("Old", to: id, by: fixture.ada)
            try fixture.services.change("UPDATE chat_older_links SET last_seq = \(old.seq)")
            let new = try await fixture.send("New", to: id, by: fixture.ada)
            let found = try await fixture.chat.database.read {
                try fixture.chat.message($0, ofOlderLink: old.seq, in: id, for: fixture.grace)
            }
            #expect(found.id == old.id)
            let elsewhere = try await fixture.group()
            for (seq, conversation) in [(new.seq, id), (old.seq, elsewhere), (old.seq + 1_000_000, id)] {
                let error = await refusal {
                    _ = try await fixture.chat.database.read {
                        try fixture.chat.message($0, ofOlderLink: seq, in: conversation, for: fixture.grace)
                    }
                }
                #expect(error == .notFound("There is no such message."))
            }
        }
    }

    @Test func `sending a message again returns the existing one`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let draft = NewMessage(id: ChatFixture.id(1), text: "Once")
            let first = try await fixture.chat.send(draft, to: id, by: .user(fixture.ada))
            let position = try await fixture.chat.position()
            var other = draft
            other.text = "Twice"
            let again = try await fixture.chat.send(other, to: id, by: .user(fixture.ada))
            #expect(!again.isNew && again.message == first.message)
            #expect(try await fixture.chat.position() == position)
            // Another user may use the same id.
            let hers = try await fixture.chat.send(other, to: id, by: .user(fixture.grace))
            #expect(hers.isNew)
            let elsewhere = try await fixture.group()
            let error = await refusal {
                _ = try await fixture.chat.send(draft, to: elsewhere, by: .user(fixture.ada))
            }
            #expect(error == .conflict(field: "id", why: "This id is taken."))
        }
    }

    @Test func `many concurrent requests with one message send it once, and all return it`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let draft = NewMessage(id: ChatFixture.id(1), text: "Once")
            let answers = try await withThrowingTaskGroup(of: (Int64, Bool).self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let sent = try await fixture.chat.send(draft, to: id, by: .user(fixture.ada))
                        return (sent.message.seq, sent.isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.0)).count == 1 && answers.count(where: \.1) == 1)
            #expect(try await fixture.texts(id, fixture.grace) == ["Once"])
            #expect(try await fixture.unread(id, fixture.grace) == 1)
        }
    }

    @Test func `empty and long texts, malformed ids and invalid answers are refused`()
        async throws
    {
        try await withChat { fixture in
            let (id, other) = (try await fixture.pair(), try await fixture.group())
            let elsewhere = try await fixture.send("Elsewhere", to: other, by: fixture.ada)
            let position = try await fixture.chat.position()
            func field(_ draft: NewMessage) async -> String? {
                await refusal { _ = try await fixture.chat.send(draft, to: id, by: .user(fixture.ada)) }?
                    .field
            }
            let key = ChatFixture.id(1)
            #expect(await field(.init(id: key, text: " \n")) == "text")
            #expect(await field(.init(id: key, text: "\0")) == "text")
            #expect(await field(.init(id: key, text: String(repeating: "x", count: 16_385))) == "text")
            #expect(await field(.init(id: "1", text: "x")) == "id")
            #expect(await field(.init(id: key, text: "x", replyTo: elsewhere.number)) == "replyTo")
            #expect(await field(.init(id: key, text: "x", fileId: "none")) == "fileId")
            #expect(try await fixture.chat.position() == position)
            #expect(try await fixture.texts(id, fixture.ada).isEmpty)
            let longest = String(repeating: "x", count: 16_384)
            #expect(try await fixture.send(longest, to: id, by: fixture.ada).text == longest)
        }
    }

    @Test(arguments: [
        "\u{200B}", "\u{2060}", "\u{AD}", "\u{2800}", "\u{3164}", " \u{FEFF}\n\u{180E} ", "\u{FE0F}",
        "\u{E0020}\u{E007F}",
        "\u{202E}", "\u{115F}\u{1160}\u{FFA0}",
    ])
    func `a text without visible characters is refused like an empty one`(text: String) async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let sent = try await fixture.send("Hello", to: id, by: fixture.ada)
            let refusals = [
                await refusal { try await fixture.send(text, to: id, by: fixture.ada) },
                await refusal { try await fixture.chat.edit(sent.seq, text: text, by: fixture.ada) },
            ]
            for refused in refusals {
                #expect(refused == .invalid(field: "text", why: "The message is empty."))
            }
            try await fixture.chat.rename(id, to: text, by: fixture.ada)
            try await fixture.chat.saveDraft(text, in: id, by: fixture.ada)
            let conversation = try await fixture.chat.conversation(id, for: fixture.ada)
            #expect(conversation.displayName == "Group Chat" && conversation.draft == nil)
        }
    }

    @Test func `emoji and joined letters are valid messages`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let texts = ["👩🏽‍💻", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم"]
            for text in texts { try await fixture.send(text, to: id, by: fixture.ada) }
            #expect(try await fixture.texts(id, fixture.grace) == texts)
        }
    }

    @Test func `an invisible message that an earlier version sent stays readable`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let sent = try await fixture.send("x", to: id, by: fixture.ada)
            try fixture.services.change("UPDATE chat_messages SET text = char(8203) WHERE seq = \(sent.seq)")
            #expect(try await fixture.texts(id, fixture.grace) == ["\u{200B}"])
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }

    @Test func `a webhook sends under its name, and its messages are unread for everyone`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let sent = try await fixture.chat.send(
                .init(id: ChatFixture.id(1), text: "Built"), to: id, by: .bot(id: 3, name: "CI"))
            #expect(sent.message.senderId == "bot-3" && sent.message.senderName == "CI")
            #expect(sent.message.isFromBot)
            #expect(try await fixture.unread(id, fixture.ada) == 1)
            #expect(try await fixture.unread(id, fixture.grace) == 1)
            let unknown = await refusal {
                _ = try await fixture.chat.send(
                    .init(id: ChatFixture.id(2), text: "x"), to: ChatFixture.id(9),
                    by: .bot(id: 3, name: "CI"))
            }
            #expect(unknown?.isNotFound == true)
        }
    }

    @Test func `an answer quotes the current text of the other message`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let question = try await fixture.send("Lunch?", to: id, by: fixture.ada)
            let answer = try await fixture.send("Yes", to: id, by: fixture.grace, replyTo: question.number)
            #expect(
                answer.replyTo
                    == .init(seq: question.seq, number: 1, id: question.id, senderName: "Ada", text: "Lunch?")
            )
            try await fixture.chat.delete(question.seq, by: fixture.ada)
            let later = try await fixture.chat.message(answer.seq, for: fixture.ada)
            #expect(later.replyTo?.text == "")
        }
    }

    @Test func `a client that only follows the log gets current quotes, without deleted text`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let start = try await chat.position()
            let question = try await fixture.send("Secret", to: id, by: fixture.ada)
            let answer = try await fixture.send("Yes", to: id, by: fixture.grace, replyTo: question.number)
            func quotes(after position: Int64) async throws -> [[String]] {
                let disk = try await chat.log(for: fixture.alan, after: position)
                let memory = try #require(chat.recentLog(for: fixture.alan, after: position))
                return [disk, memory].map { page in
                    page.entries.compactMap(\.message).filter { $0.seq == answer.seq }.compactMap(
                        \.replyTo?.text)
                }
            }
            var position = try await chat.position()
            try await chat.edit(question.seq, text: "Public", by: fixture.ada)
            #expect(try await quotes(after: position) == [["Public"], ["Public"]])
            position = try await chat.position()
            try await chat.delete(question.seq, by: fixture.ada)
            #expect(try await quotes(after: position) == [[""], [""]])
            // Earlier entries do not contain the old text either.
            for texts in try await quotes(after: start) { #expect(Set(texts) == [""]) }
        }
    }

    @Test func `earlier log entries do not contain a deleted message's text`()
        async throws
    {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            let position = try await chat.position()
            let message = try await fixture.send("Secret", to: id, by: fixture.ada)
            try await chat.rename(id, to: "Ops", by: fixture.ada)
            try await chat.delete(message.seq, by: fixture.ada)
            let memory = try #require(chat.recentLog(for: fixture.grace, after: position))
            for case .conversation(let conversation) in memory.entries.map(\.kind) {
                #expect(conversation.lastMessage == Message.deletedText)
            }
            #expect(memory.entries.contains { $0.kind.name == "conversation" })
        }
    }

    @Test func `a text of nothing but at signs is read fast`() async throws {
        try await withChat { fixture in
            let newUsers = try fixture.addUsers(1_990)
            let id = try await fixture.chat.start(
                with: newUsers, groupName: nil, id: nil, by: fixture.ada
            ).conversation.id
            for text in [String(repeating: "@", count: 16_384), String(repeating: "@u ", count: 5_461)] {
                let took = try await ContinuousClock().measure {
                    _ = try await fixture.send(text, to: id, by: fixture.ada)
                }
                #expect(took < .seconds(1))
            }
            let named = try await fixture.send("@user7 and @user77, not @user", to: id, by: fixture.ada)
            #expect(named.mentions == [newUsers[6], newUsers[76]])
        }
    }

    @Test func `editing an own message marks it as edited and updates the list`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let message = try await fixture.send("Helo", to: id, by: fixture.ada)
            fixture.clock.advance(60)
            let edited = try await fixture.chat.edit(message.seq, text: "Hello @grace", by: fixture.ada)
            #expect(edited.text == "Hello @grace" && edited.editedAt == TestClock.start + 60)
            #expect(edited.seq == message.seq && edited.mentions == [fixture.grace])
            let list = try await fixture.chat.conversation(id, for: fixture.grace)
            #expect(list.conversation.lastMessage == "Hello @grace" && list.unread == 1)
            let position = try await fixture.chat.position()
            let same = try await fixture.chat.edit(message.seq, text: "Hello @grace", by: fixture.ada)
            #expect(same == edited)
            #expect(try await fixture.chat.position() == position)
        }
    }

    @Test func `another user's message can be neither edited nor deleted`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let message = try await fixture.send("Hers", to: id, by: fixture.grace)
            for user in [fixture.ada, fixture.alan] {
                let edited = await refusal { try await fixture.chat.edit(message.seq, text: "x", by: user) }
                let deleted = await refusal { try await fixture.chat.delete(message.seq, by: user) }
                #expect(edited == .notAllowed("This is someone else’s message.") && deleted == edited)
            }
            #expect(try await fixture.texts(id, fixture.ada) == ["Hers"])
        }
    }

    @Test func `a deleted message keeps only its position`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            let message = try await fixture.send("Secret @grace", to: id, by: fixture.ada)
            try await fixture.chat.react("🎉", on: message.seq, by: fixture.grace, isOn: true)
            let deleted = try await fixture.chat.delete(message.seq, by: fixture.ada)
            #expect(deleted.text == "" && deleted.deletedAt == TestClock.start)
            #expect(deleted.reactions.isEmpty && deleted.mentions.isEmpty && deleted.number == 1)
            let list = try await fixture.chat.conversation(id, for: fixture.grace)
            #expect(list.conversation.lastMessage == "Message deleted" && list.unread == 1)
            #expect(try await fixture.chat.delete(message.seq, by: fixture.ada) == deleted)
            let edited = await refusal {
                try await fixture.chat.edit(message.seq, text: "x", by: fixture.ada)
            }
            #expect(edited?.isConflict == true)
            let reacted = await refusal {
                try await fixture.chat.react("👍", on: message.seq, by: fixture.grace, isOn: true)
            }
            #expect(reacted?.isConflict == true)
            // A late poll does not get the text, from the disk or from memory.
            let entries = try await fixture.chat.log(for: fixture.grace, after: 0).entries
            let recent = fixture.chat.recentLog(for: fixture.grace, after: 0)?.entries
            for entry in entries + (recent ?? []) { #expect(entry.message?.text ?? "" == "") }
        }
    }

    @Test func `a reaction counts once and can be removed`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let seq = try await fixture.send("Hello", to: id, by: fixture.ada).seq
            try await chat.react("👍", on: seq, by: fixture.grace, isOn: true)
            let both = try await chat.react("👍", on: seq, by: fixture.ada, isOn: true)
            #expect(both.reactions == [.init(emoji: "👍", userIds: [fixture.ada, fixture.grace])])
            let position = try await chat.position()
            #expect(try await chat.react("👍", on: seq, by: fixture.ada, isOn: true) == both)
            #expect(try await chat.position() == position)
            let one = try await chat.react("👍", on: seq, by: fixture.ada, isOn: false)
            #expect(one.reactions == [.init(emoji: "👍", userIds: [fixture.grace])])
        }
    }

    @Test(arguments: ["", "x", "1", "ok", "👍👍", " ", "\n", "<", "👍 "])
    func `a text that is not an emoji is not a reaction`(text: String) async throws {
        try await withChat { fixture in
            let seq = try await fixture.send("Hello", to: fixture.pair(), by: fixture.ada).seq
            let error = await refusal {
                try await fixture.chat.react(text, on: seq, by: fixture.ada, isOn: true)
            }
            #expect(error?.field == "emoji")
        }
    }

    @Test(arguments: ["👍", "❤️", "🏳️‍🌈", "👩🏽‍💻", "1️⃣", "🇩🇪", "✅"])
    func `emoji of every kind are reactions`(emoji: String) async throws {
        try await withChat { fixture in
            let seq = try await fixture.send("Hello", to: fixture.pair(), by: fixture.ada).seq
            let message = try await fixture.chat.react(emoji, on: seq, by: fixture.ada, isOn: true)
            #expect(message.reactions.map(\.emoji) == [emoji])
        }
    }

    @Test(arguments: [
        ("\u{2764}", "\u{2764}\u{FE0F}"), ("\u{1F44D}\u{FE0F}", "\u{1F44D}"),
        ("1\u{20E3}", "1\u{FE0F}\u{20E3}"),
        ("\u{1F3F3}\u{200D}\u{1F308}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"),
    ])
    func `variants of an emoji are one reaction`(variant: String, qualified: String) async throws {
        try await withChat { fixture in
            let seq = try await fixture.send("Hello", to: fixture.pair(), by: fixture.ada).seq
            _ = try await fixture.chat.react(variant, on: seq, by: fixture.ada, isOn: true)
            _ = try await fixture.chat.react(qualified, on: seq, by: fixture.ada, isOn: true)
            let message = try await fixture.chat.react(qualified, on: seq, by: fixture.grace, isOn: true)
            #expect(
                message.reactions.map { Array($0.emoji.unicodeScalars) } == [Array(qualified.unicodeScalars)])
            #expect(message.reactions.first?.userIds.count == 2)
        }
    }

    @Test(arguments: [
        ("Hello @grace", [1]), ("@GRACE, @ada: now", [0, 1]), ("mail grace@grace.org", []),
        ("@gracey", []), ("@grace_", []), ("(@grace)", [1]), ("@grace@ada", [1]), ("@eve", []),
        ("@Grace’s", [1]), ("", []), ("`@grace`", []), ("```\n@grace = 1\n```", []),
        ("https://example.org/@grace", []), ("[x](https://example.org/@grace)", []), ("你好@grace请看", [1]),
    ])
    func `an at sign in a text mentions a member`(text: String, named: [Int]) async throws {
        try await withChat { fixture in
            let people = [fixture.ada, fixture.grace]
            let message = try await fixture.send(text + " ok", to: fixture.pair(), by: fixture.ada)
            #expect(message.mentions == named.map { people[$0] })
        }
    }

    @Test func `a page ends at the given position in both directions`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let (first, other) = (
                try await fixture.send("1", to: id, by: fixture.ada), try await fixture.group()
            )
            for number in 2...10 {
                // Writes other log rows in between.
                try await chat.react("👍", on: first.seq, by: fixture.grace, isOn: number.isMultiple(of: 2))
                try await fixture.send("Elsewhere", to: other, by: fixture.alan)
                try await fixture.send("\(number)", to: id, by: fixture.ada)
            }
            func page(
                before: Int? = nil, after: Int? = nil, around: Int? = nil
            ) async throws -> (String, Bool, Bool) {
                let page = try await chat.page(
                    of: id, for: fixture.grace, before: before, after: after, around: around, limit: 3)
                return (
                    page.messages.map(\.text).joined(separator: " "), page.hasOlder, page.hasNewer
                )
            }
            #expect(try await page() == ("8 9 10", true, false))
            #expect(try await page(before: 8) == ("5 6 7", true, true))
            #expect(try await page(before: 4) == ("1 2 3", false, true))
            #expect(try await page(before: 1) == ("", false, true))
            #expect(try await page(after: 0) == ("1 2 3", false, true))
            #expect(try await page(after: 7) == ("8 9 10", true, false))
            #expect(try await page(after: 10) == ("", true, false))
            #expect(try await page(before: 3, after: 1) == ("2", true, true))
            #expect(try await page(around: 5) == ("4 5 6", true, true))
            #expect(try await page(around: 1) == ("1 2", false, true))
            #expect(try await page(around: 10) == ("8 9 10", true, false))
            #expect(try await page(after: .max) == ("", true, false))
            #expect(try await page(before: .max) == ("8 9 10", true, false))
        }
    }

    @Test func `a user can send 300 messages at once and 20 a second after that`() async throws {
        try await withChat(burst: 300, rate: 20) { fixture in
            let id = try await fixture.pair()
            for _ in 0..<300 { try await fixture.send("x", to: id, by: fixture.ada) }
            let error = await refusal { try await fixture.send("x", to: id, by: fixture.ada) }
            #expect(error == .tooMany("You are sending too fast. Wait a moment.", retryAfter: 1))
            try await fixture.send("Others may", to: id, by: fixture.grace)
            fixture.clock.advance(1)
            for _ in 0..<20 { try await fixture.send("x", to: id, by: fixture.ada) }
            let again = await refusal { try await fixture.send("x", to: id, by: fixture.ada) }
            #expect(again?.wait == 1)
        }
    }

    @Test func `repeating a message does not count against the rate limit`() async throws {
        try await withChat(burst: 2, rate: 1) { fixture in
            let id = try await fixture.pair()
            let draft = NewMessage(id: ChatFixture.id(1), text: "x")
            for _ in 0..<10 { _ = try await fixture.chat.send(draft, to: id, by: .user(fixture.ada)) }
            try await fixture.send("y", to: id, by: fixture.ada)
            let error = await refusal { try await fixture.send("z", to: id, by: fixture.ada) }
            #expect(error?.wait != nil)
        }
    }

    @Test func `creating and changing groups has the same rate limit as sending`() async throws {
        try await withChat(burst: 2, rate: 1) { fixture in
            for _ in 0..<10 { _ = try await fixture.pair() }
            let id = try await fixture.group()
            try await fixture.chat.rename(id, to: "Ops", by: fixture.ada)
            let renamed = await refusal { try await fixture.chat.rename(id, to: "Crew", by: fixture.ada) }
            #expect(renamed?.wait != nil)
            let created = await refusal { _ = try await fixture.group() }
            #expect(created?.wait != nil)
            fixture.clock.advance(1)
            _ = try await fixture.group()
        }
    }

    @Test func `a message is read from SQLite with every optional set, and with none`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let plain = try await fixture.send("Plain", to: id, by: fixture.ada)
            let back = try await chat.message(plain.seq, for: fixture.ada)
            #expect(back == plain)
            #expect(back.imageURL == nil && back.deliveredAt == nil && back.readAt == nil)
            #expect(back.editedAt == nil && back.deletedAt == nil && back.replyTo == nil && back.file == nil)
            #expect(back.senderPhotoURL == nil && back.mentions.isEmpty && back.reactions.isEmpty)
            try await fixture.services.services.identity.accounts.setAvatar(
                Pictures.plainWebP, of: fixture.ada)
            let sent = try await fixture.send("Full", to: id, by: fixture.ada, replyTo: plain.number)
            let file = MessageFile(
                id: ChatFixture.id(7), name: "map.png", type: "image/png", byteCount: 9, width: 3, height: 2,
                hasThumbnail: true)
            let fileJSON = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
            let update = "UPDATE chat_messages SET file = '\(fileJSON)' WHERE seq = \(sent.seq)"
            try fixture.services.change(update)
            fixture.clock.advance(5)
            try await chat.edit(sent.seq, text: "Full @grace", by: fixture.ada)
            try await chat.react("👍", on: sent.seq, by: fixture.grace, isOn: true)
            try await chat.markRead(id, upTo: sent.number, by: fixture.grace)
            let full = try await chat.message(sent.seq, for: fixture.grace)
            #expect(full.file == file && full.imageURL == file.url && full.status == .read)
            #expect(full.deliveredAt == TestClock.start + 5 && full.readAt == full.deliveredAt)
            #expect(full.editedAt == TestClock.start + 5 && full.mentions == [fixture.grace])
            #expect(full.replyTo?.text == "Plain" && full.reactions.map(\.emoji) == ["👍"])
            #expect(full.senderPhotoURL?.hasPrefix("/avatars/\(fixture.ada)/") == true)
            // The JSON does not contain positions in the log.
            let json = JSONEncoder()
            json.outputFormatting = .sortedKeys
            let again = try JSONDecoder().decode(Message.self, from: try json.encode(full))
            #expect(try json.encode(again) == json.encode(full))
            // A message with an image may be edited to an empty text; the list then describes the image.
            #expect(try await chat.edit(sent.seq, text: "", by: fixture.ada).text == "")
            let list = try await chat.conversation(id, for: fixture.grace).conversation
            #expect(list.lastMessage == "Photo")
        }
    }

    @Test func `a group of twelve is read from SQLite with every optional set`() async throws {
        try await withChat { fixture in
            let users = try fixture.addUsers(11)
            let id = try await fixture.chat.start(
                with: users, groupName: "Crew", id: nil, by: fixture.ada
            ).conversation.id
            try fixture.services.change("UPDATE chat_conversations SET group_photo = 'f' WHERE id = '\(id)'")
            let sent = try await fixture.send("Hello", to: id, by: fixture.ada)
            let summary = try await fixture.chat.conversation(id, for: users[10])
            let group = summary.conversation
            #expect(group.participants == [fixture.ada] + users && group.members.count == 12)
            #expect(group.groupPhotoURL == "/chat/files/f" && group.groupName == "Crew")
            #expect(group.lastMessageSenderId == String(fixture.ada) && group.lastMessageAt == sent.sentAt)
            #expect(group.unreadCount == [users[10]: 1] && group.createdBy == fixture.ada)
            var again = try JSONDecoder().decode(Conversation.self, from: try JSONEncoder().encode(group))
            // Clients do not get the position in the log.
            again.lastSeq = group.lastSeq
            #expect(again == group)
            let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(summary))
            let fields = try #require(object as? [String: Any])
            #expect(fields["groupName"] as? String == "Crew" && fields["unread"] as? Int == 1)
            let cursor = try #require(fields["logCursor"] as? String)
            #expect(fixture.chat.position(of: cursor) == summary.logSeq)
            #expect(fields["notify"] as? String == "all")
        }
    }
}
