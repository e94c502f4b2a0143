import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport

@Suite struct ChatConversationTests {
    @Test func `two people share one conversation, whoever starts it and however often`() async throws {
        try await withChat { fixture in
            let chat = fixture.chat
            let first = try await chat.start(
                with: [fixture.grace], groupName: nil, id: nil, by: fixture.ada)
            let second = try await chat.start(
                with: [fixture.ada, fixture.grace], groupName: " ", id: nil, by: fixture.grace)
            #expect(first.isNew && !second.isNew)
            #expect(second.conversation.id == first.conversation.id)
            let own = first.conversation.conversation
            #expect(!own.isGroup && own.admins == nil && own.createdBy == fixture.ada)
            #expect(first.conversation.displayName == "Grace" && second.conversation.displayName == "Ada")
            #expect(try await chat.conversations(of: fixture.ada).count == 1)
        }
    }

    @Test func `when many requests start the same conversation at once, one creates it`() async throws {
        try await withChat { fixture in
            let started = try await withThrowingTaskGroup(of: (ConversationID, Bool).self) { group in
                for number in 0..<20 {
                    let (from, to) =
                        number.isMultiple(of: 2)
                        ? (fixture.ada, fixture.grace) : (fixture.grace, fixture.ada)
                    group.addTask {
                        let done = try await fixture.chat.start(
                            with: [to], groupName: nil, id: nil, by: from)
                        return (done.conversation.id, done.isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(started.map(\.0)).count == 1)
            #expect(started.count(where: \.1) == 1)
        }
    }

    @Test func `a group has a name, members and its creator as admin`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let summary = try await fixture.chat.conversation(id, for: fixture.grace)
            let group = summary.conversation
            #expect(group.isGroup && group.groupName == "Crew" && summary.displayName == "Crew")
            #expect(group.participants == [fixture.ada, fixture.grace, fixture.alan])
            #expect(group.members.map(\.name) == ["Ada", "Grace", "alan"])
            #expect(group.admins == [fixture.ada])
            #expect(group.lastMessage == "" && summary.unread == 0 && summary.notify == .all)
        }
    }

    @Test func `starting a conversation again with the same id returns the existing one`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, ChatFixture.id(1))
            let people = [fixture.grace, fixture.alan]
            let first = try await chat.start(
                with: people, groupName: "Crew", id: id.uppercased(), by: fixture.ada)
            let again = try await chat.start(with: people, groupName: "Crew", id: id, by: fixture.ada)
            #expect(first.isNew && first.conversation.id == id && !again.isNew)
            #expect(again.conversation.conversation == first.conversation.conversation)
            let stranger = try await fixture.services.add("eve")
            let error = await refusal {
                _ = try await chat.start(with: people, groupName: nil, id: id, by: stranger.userId)
            }
            #expect(error == .conflict(field: "id", why: "This id is taken."))
        }
    }

    @Test func `no members, strangers, names for pairs and malformed ids are refused`() async throws {
        try await withChat { fixture in
            func field(_ people: [UserID], _ name: String? = nil, _ id: String? = nil) async -> String? {
                await refusal {
                    _ = try await fixture.chat.start(with: people, groupName: name, id: id, by: fixture.ada)
                }?.field
            }
            #expect(await field([]) == "participants")
            #expect(await field([fixture.ada]) == "participants")
            #expect(await field([fixture.grace, 4_711]) == "participants")
            #expect(await field([fixture.grace], "Us") == "groupName")
            let long = String(repeating: "x", count: 101)
            #expect(await field([fixture.grace, fixture.alan], long) == "groupName")
            #expect(await field([fixture.grace], nil, "7") == "id")
            let all = try await fixture.chat.conversations(of: fixture.ada)
            #expect(all.isEmpty)
        }
    }

    @Test func `a conversation holds at most 2,000 people`() async throws {
        try await withChat { fixture in
            let users = try fixture.addUsers(2_000)
            let error = await refusal {
                _ = try await fixture.chat.start(
                    with: users, groupName: nil, id: nil, by: fixture.ada)
            }
            #expect(error?.field == "participants")
            let group = try await fixture.chat.start(
                with: Array(users.dropLast()), groupName: nil, id: nil, by: fixture.ada)
            #expect(group.conversation.conversation.participants.count == 2_000)
            let added = await refusal {
                try await fixture.chat.add(
                    users.suffix(1), to: group.conversation.id, showingEarlier: false, by: fixture.ada)
            }
            #expect(added?.field == "participants")
        }
    }

    @Test func `non-members cannot see a conversation`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            let stranger = fixture.alan
            let acts: [@Sendable () async throws -> Void] = [
                { _ = try await chat.conversation(id, for: stranger) },
                { _ = try await chat.page(of: id, for: stranger) },
                { _ = try await chat.message(message.seq, for: stranger) },
                {
                    _ = try await chat.database.read { try chat.receipts($0, of: message.seq, for: stranger) }
                },
                { try await chat.markRead(id, upTo: message.number, by: stranger) },
                { try await chat.markUnread(id, from: message.number, by: stranger) },
                { try await chat.react("👍", on: message.seq, by: stranger, isOn: true) },
                { try await chat.edit(message.seq, text: "Mine", by: stranger) },
                { try await chat.delete(message.seq, by: stranger) },
                { try await chat.setTyping(id, by: stranger, isTyping: true) },
                { _ = try await chat.database.read { try chat.typing($0, in: id, for: stranger) } },
                { try await chat.saveDraft("x", in: id, by: stranger) },
                { try await chat.setNotify(.none, in: id, for: stranger) },
                { try await chat.leave(id, by: stranger) },
                {
                    let draft = NewMessage(id: UUID().uuidString, text: "x")
                    _ = try await chat.send(draft, to: id, by: .user(stranger))
                },
            ]
            for (number, act) in acts.enumerated() {
                let error = await refusal(act)
                #expect(error?.isNotFound == true, "act \(number)")
            }
            #expect(try await chat.log(for: stranger, after: 0).entries.isEmpty)
            #expect(try await fixture.texts(id, fixture.ada) == ["Hello"])
        }
    }

    @Test func `only admins change a group, and a pair cannot be changed`() async throws {
        try await withChat { fixture in
            let (chat, group, pair) = (fixture.chat, try await fixture.group(), try await fixture.pair())
            let (ada, grace, alan) = (fixture.ada, fixture.grace, fixture.alan)
            let acts: [@Sendable (ConversationID, UserID) async throws -> Void] = [
                { try await chat.rename($0, to: "New", by: $1) },
                { try await chat.setPhoto($0, fileId: nil, by: $1) },
                { try await chat.add([ada], to: $0, showingEarlier: true, by: $1) },
                { try await chat.remove(alan, from: $0, by: $1) },
                { try await chat.promote(alan, in: $0, by: $1) },
                { try await chat.demote(ada, in: $0, by: $1) },
            ]
            for act in acts {
                let error = await refusal { try await act(group, grace) }
                #expect(error == .notAllowed("Only the group’s admins can do this."))
                let other = await refusal { try await act(pair, ada) }
                #expect(other?.isConflict == true)
            }
            let left = await refusal { try await chat.leave(pair, by: ada) }
            #expect(left?.isConflict == true)
        }
    }

    @Test func `a group can be renamed and lose its name again`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let named = try await fixture.chat.rename(id, to: "  Ops\u{202E}  ", by: fixture.ada)
            #expect(named.conversation.groupName == "Ops")
            let unnamed = try await fixture.chat.rename(id, to: " ", by: fixture.ada)
            #expect(unnamed.conversation.groupName == nil && unnamed.displayName == "Group Chat")
        }
    }

    @Test func `a group stays a group with two members or one`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            try await fixture.chat.remove(fixture.alan, from: id, by: fixture.ada)
            try await fixture.chat.leave(id, by: fixture.grace)
            let rest = try await fixture.chat.conversation(id, for: fixture.ada)
            #expect(rest.conversation.isGroup && rest.conversation.participants == [fixture.ada])
            let pair = try await fixture.chat.start(
                with: [fixture.grace], groupName: nil, id: nil, by: fixture.ada)
            #expect(pair.isNew && pair.conversation.id != id)
        }
    }

    @Test func `when the last admin leaves, the longest-standing member becomes admin`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let eve = try await fixture.services.add("eve").userId
            try await fixture.chat.add([eve], to: id, showingEarlier: false, by: fixture.ada)
            try await fixture.chat.remove(fixture.grace, from: id, by: fixture.ada)
            try await fixture.chat.add([fixture.grace], to: id, showingEarlier: false, by: fixture.ada)
            try await fixture.chat.leave(id, by: fixture.ada)
            let group = try await fixture.chat.conversation(id, for: eve).conversation
            #expect(group.admins == [fixture.alan])
        }
    }

    @Test func `when one of several admins leaves, no one is promoted`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            try await fixture.chat.promote(fixture.alan, in: id, by: fixture.ada)
            try await fixture.chat.leave(id, by: fixture.ada)
            let group = try await fixture.chat.conversation(id, for: fixture.grace).conversation
            #expect(group.admins == [fixture.alan])
        }
    }

    @Test func `the last admin cannot be demoted, but one of two can`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let error = await refusal {
                try await fixture.chat.demote(fixture.ada, in: id, by: fixture.ada)
            }
            #expect(error?.isConflict == true)
            let two = try await fixture.chat.promote(fixture.grace, in: id, by: fixture.ada)
            #expect(two.conversation.admins == [fixture.ada, fixture.grace])
            let one = try await fixture.chat.demote(fixture.ada, in: id, by: fixture.grace)
            #expect(one.conversation.admins == [fixture.grace])
        }
    }

    @Test(arguments: [true, false])
    func `adding a member chooses whether they see earlier messages`(showingEarlier: Bool) async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let early = try await fixture.send("Early", to: id, by: fixture.ada)
            let eve = try await fixture.services.add("eve").userId
            try await fixture.chat.add([eve], to: id, showingEarlier: showingEarlier, by: fixture.ada)
            let hers = try await fixture.chat.conversation(id, for: eve)
            #expect(hers.unread == 0)
            #expect(hers.conversation.lastMessage == (showingEarlier ? "Early" : ""))
            try await fixture.send("Late", to: id, by: fixture.ada, replyTo: early.number)
            let page = try await fixture.chat.page(of: id, for: eve)
            #expect(page.messages.map(\.text) == (showingEarlier ? ["Early", "Late"] : ["Late"]))
            #expect(page.messages.last?.replyTo?.text == (showingEarlier ? "Early" : ""))
            #expect(!page.hasOlder && !page.hasNewer)
            let late = try #require(page.messages.last).seq
            for isOn in [true, true, false] {
                let reacted = try await fixture.chat.react("👍", on: late, by: eve, isOn: isOn)
                #expect(reacted.replyTo?.text == (showingEarlier ? "Early" : ""))
            }
            let error = await refusal { _ = try await fixture.chat.message(early.seq, for: eve) }
            #expect((error?.isNotFound == true) == !showingEarlier)
            // A change of an older message reaches only those who can see it.
            let position = try await fixture.chat.position()
            try await fixture.chat.edit(early.seq, text: "Earlier", by: fixture.ada)
            let kinds = try await fixture.kinds(after: position, eve)
            // The second entry is the answer, whose quote has changed.
            #expect(kinds == (showingEarlier ? ["message", "message"] : ["message"]))
            let recent = fixture.chat.recentLog(for: eve, after: position)?.entries.map(\.kind.name)
            #expect(recent == kinds)
            #expect(try await fixture.unread(id, eve) == 1)
        }
    }

    @Test func `a removed member keeps nothing, and the removal is their last log entry`() async throws {
        try await withChat { fixture in
            let id = try await fixture.group()
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await fixture.chat.saveDraft("Half", in: id, by: fixture.alan)
            let position = try await fixture.chat.position()
            try await fixture.chat.remove(fixture.alan, from: id, by: fixture.ada)
            try await fixture.send("Secret", to: id, by: fixture.ada)
            #expect(try await fixture.kinds(after: 0, fixture.alan) == ["removed"])
            let recent = fixture.chat.recentLog(for: fixture.alan, after: position)
            #expect(recent?.entries.map(\.kind) == [.removed])
            let error = await refusal { _ = try await fixture.chat.message(message.seq, for: fixture.alan) }
            #expect(error?.isNotFound == true)
            #expect(try await fixture.chat.conversations(of: fixture.alan).isEmpty)
            try await fixture.chat.add([fixture.alan], to: id, showingEarlier: false, by: fixture.ada)
            let again = try await fixture.chat.conversation(id, for: fixture.alan)
            #expect(again.draft == nil && again.unread == 0)
            #expect(try await fixture.texts(id, fixture.alan).isEmpty)
            #expect(try await fixture.kinds(after: position, fixture.alan) == ["removed", "conversation"])
        }
    }

    @Test func `the conversation with the newest message comes first`() async throws {
        try await withChat { fixture in
            let (pair, group) = (try await fixture.pair(), try await fixture.group())
            func order() async throws -> [ConversationID] {
                try await fixture.chat.conversations(of: fixture.ada).map(\.id)
            }
            #expect(try await order() == [group, pair])
            // The clock goes back: the order does not depend on clocks.
            fixture.clock.jump(-3_600)
            try await fixture.send("Hello", to: pair, by: fixture.grace)
            #expect(try await order() == [pair, group])
        }
    }

    @Test func `a user can write to everyone but themselves`() async throws {
        try await withChat { fixture in
            fixture.chat.markPresent(fixture.alan)
            let people = try await fixture.chat.database.read {
                try fixture.chat.people($0, for: fixture.ada)
            }
            #expect(people.map(\.name) == ["alan", "Grace"])
            #expect(people.map(\.username) == ["alan", "grace"])
            #expect(people.map(\.isPresent) == [true, false])
        }
    }

    @Test func `a user counts as present for 35 seconds after a poll`() async throws {
        try await withChat { fixture in
            let id = try await fixture.pair()
            fixture.chat.markPresent(fixture.grace)
            fixture.chat.markPresent(fixture.ada)
            let summary = try await fixture.chat.conversation(id, for: fixture.ada)
            #expect(summary.present == [fixture.grace])
            fixture.clock.advance(35)
            #expect(fixture.chat.isPresent(fixture.grace))
            fixture.clock.advance(1)
            #expect(!fixture.chat.isPresent(fixture.grace))
            #expect(try await fixture.chat.conversation(id, for: fixture.ada).present.isEmpty)
        }
    }

    @Test func `a deleted account becomes a former member, and its group gets a new admin`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.group())
            try await fixture.send("Mine", to: id, by: fixture.grace)
            let message = try await fixture.send("Hello", to: id, by: fixture.ada)
            try await chat.react("👍", on: message.seq, by: fixture.alan, isOn: true)
            try await chat.promote(fixture.alan, in: id, by: fixture.ada)
            try await chat.demote(fixture.ada, in: id, by: fixture.alan)
            let position = try await chat.position()
            let version = fixture.services.services.feed.version(of: [Topic.chat(fixture.ada)])
            let admin = try await fixture.services.services.identity.accounts.user(fixture.ada)
            try await fixture.services.services.identity.accounts.remove(
                fixture.alan, by: admin, from: .commandLine)
            #expect(chat.recentLog(for: fixture.ada, after: position) == nil)
            await chat.flush()
            #expect(fixture.services.services.feed.version(of: [Topic.chat(fixture.ada)]) > version)
            let kinds = try await fixture.kinds(after: position, fixture.ada)
            // Ada, who has just polled, is the last recipient of Grace's message.
            #expect(kinds == ["message", "conversation", "status"])
            let group = try await chat.conversation(id, for: fixture.ada).conversation
            #expect(group.participants == [fixture.ada, fixture.grace] && group.admins == [fixture.ada])
            #expect(try await chat.message(message.seq, for: fixture.ada).reactions.isEmpty)
            try await fixture.services.services.identity.accounts.remove(
                fixture.grace, by: admin, from: .commandLine)
            let page = try await chat.page(of: id, for: fixture.ada)
            #expect(page.messages.map(\.senderName) == ["Former member", "Ada"])
            #expect(page.messages.first?.senderId == String(fixture.grace))
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }

    @Test func `a new name or picture publishes a change to the conversations, but a new address does not`()
        async throws
    {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let accounts = fixture.services.services.identity.accounts
            let feed = fixture.services.services.feed
            func logged(_ change: () async throws -> Void) async throws -> [String] {
                let position = try await chat.position()
                let version = feed.version(of: [Topic.chat(fixture.ada)])
                try await change()
                await chat.flush()
                let kinds = try await fixture.kinds(after: position, fixture.ada)
                #expect((feed.version(of: [Topic.chat(fixture.ada)]) > version) == !kinds.isEmpty)
                return kinds
            }
            let renaming = try await logged {
                try await accounts.change(fixture.grace, email: nil, displayName: "Admiral")
            }
            #expect(renaming == ["conversation"])
            #expect(try await chat.conversation(id, for: fixture.ada).displayName == "Admiral")
            let picture = try await logged {
                try await accounts.setAvatar(Pictures.plainWebP, of: fixture.grace)
            }
            #expect(picture == ["conversation"])
            let removal = try await logged { try await accounts.setAvatar(nil, of: fixture.grace) }
            #expect(removal == ["conversation"])
            let address = try await logged {
                try await accounts.change(fixture.grace, email: "g@example.org", displayName: "Admiral")
            }
            #expect(address.isEmpty)
        }
    }

    @Test func `a new name in the same commit as a message is not left out of the memory`() async throws {
        try await withChat { fixture in
            let (chat, id) = (fixture.chat, try await fixture.pair())
            let accounts = fixture.services.services.identity.accounts
            let (position, gate) = (try await chat.position(), DispatchSemaphore(value: 0))
            // Both wait for this write, and so share a commit.
            async let other: Void = chat.database.write { _ in gate.wait() }
            try await Task.sleep(for: .milliseconds(50))
            async let sent = fixture.send("Hello", to: id, by: fixture.ada)
            try await Task.sleep(for: .milliseconds(50))
            async let renamed: Void = accounts.change(fixture.grace, email: nil, displayName: "Admiral")
            try await Task.sleep(for: .milliseconds(50))
            gate.signal()
            _ = try await (other, sent, renamed)
            let kinds = try await fixture.kinds(after: position, fixture.ada)
            #expect(kinds.sorted() == ["conversation", "message"])
            #expect(chat.recentLog(for: fixture.ada, after: position) == nil)
            let end = try await chat.position()
            try await fixture.send("Again", to: id, by: fixture.ada)
            #expect(chat.recentLog(for: fixture.ada, after: end)?.entries.map(\.kind.name) == ["message"])
        }
    }
}
