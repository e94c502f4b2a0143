import Foundation
import TestSupport
import Testing

@testable import Chat
@testable import RoostSupport

/// Three people act at random, and their requests and answers are reordered and lost.
@Suite struct ChatPropertyTests {
    /// Three people and their clients' copies.
    private final class Run {
        struct Sent {
            let draft: NewMessage
            let conversation: ConversationID
            let sender: UserID
            let seq: Int64
            let number: Int
        }

        let fixture: ChatFixture
        let people: [UserID]
        var numbers: SeededNumbers
        var replicas: [ChatReplica] = []
        /// Every message whose sending was acknowledged.
        var sent: [Sent] = []
        var conversations: [ConversationID] = []
        let group: ConversationID

        init(_ fixture: ChatFixture, seed: UInt64) async throws {
            self.fixture = fixture
            people = [fixture.ada, fixture.grace, fixture.alan]
            numbers = SeededNumbers(seed: seed)
            group = try await fixture.group()
            conversations = [group, try await fixture.pair()]
            for person in people { replicas.append(try await Self.fetch(person, fixture.chat)) }
        }

        private func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
        private func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

        /// Everything that a user can see, read from the database.
        static func fetch(_ user: UserID, _ chat: ChatService) async throws -> ChatReplica {
            // Read the position first: changes between the two reads are then sent again.
            let position = try await chat.position()
            var replica = ChatReplica(user: user, position: position)
            for summary in try await chat.conversations(of: user) {
                replica.copies[summary.id] = try await copy(summary.id, user, chat)
            }
            return replica
        }

        static func copy(
            _ id: ConversationID, _ user: UserID, _ chat: ChatService
        ) async throws -> ChatReplica.Copy {
            let summary = try await chat.conversation(id, for: user)
            var messages: [Message] = []
            var page = try await chat.page(of: id, for: user, limit: 50)
            while true {
                messages = page.messages + messages
                guard page.hasOlder, let first = page.messages.first else { break }
                page = try await chat.page(of: id, for: user, before: first.number, limit: 50)
            }
            return ChatReplica.Copy(summary, messages)
        }

        // MARK: Acts

        func act() async throws {
            fixture.clock.advance(Double(roll(4_000)) / 1_000)
            let (user, id) = (pick(people), pick(conversations))
            do {
                switch roll(100) {
                case 0..<26: try await send(user, id)
                case 26..<32: try await repeatOne()
                case 32..<58: try await poll(roll(people.count), isLost: roll(4) == 0)
                case 58..<62: try await edit(user)
                case 62..<64: try await fixture.chat.delete(try message().seq, by: user)
                case 64..<69:
                    try await fixture.chat.react(
                        pick(["👍", "🎉"]), on: try message().seq, by: user, isOn: roll(3) > 0)
                case 69..<77: try await fixture.chat.markRead(id, upTo: try message().number, by: user)
                case 77..<80: try await fixture.chat.markUnread(id, from: try message().number, by: user)
                case 80..<88: await fixture.chat.flush()
                case 88..<94: try await changeMembers(user)
                case 94..<96: try await fixture.chat.saveDraft(pick(["", "Half", "Most"]), in: id, by: user)
                case 96..<98: try await fixture.chat.setNotify(pick(ChatNotify.allCases), in: id, for: user)
                default: try await fixture.chat.rename(group, to: pick(["Crew", "Ops", ""]), by: user)
                }
            } catch is RoostError {
                // Refused with a message: not a member, not an admin, or another user's message.
            }
        }

        private func message() throws -> Sent {
            guard !sent.isEmpty else { throw RoostError.notFound("Nothing was sent yet.") }
            // Usually picks a recent one.
            return roll(3) > 0 ? pick(Array(sent.suffix(8))) : pick(sent)
        }

        private func send(_ user: UserID, _ id: ConversationID) async throws {
            var draft = NewMessage(id: ChatFixture.id(sent.count * 10 + 1), text: "\(sent.count)")
            if roll(5) == 0 { draft.replyTo = try? self.message().number }
            if roll(5) == 0 { draft.text += " @grace" }
            let (key, chat) = (draft, fixture.chat)
            let message: Message
            if roll(5) == 0 {
                // Sends two requests at once, as after a lost answer.
                async let one = chat.send(key, to: id, by: .user(user))
                async let other = chat.send(key, to: id, by: .user(user))
                let answers = try await [one, other]
                #expect(answers[0].message.seq == answers[1].message.seq)
                #expect(answers.count(where: \.isNew) == 1)
                message = answers[0].message
            } else {
                let answer = try await chat.send(key, to: id, by: .user(user))
                #expect(answer.isNew)
                message = answer.message
            }
            sent.append(
                Sent(draft: key, conversation: id, sender: user, seq: message.seq, number: message.number))
        }

        /// Repeats an old request, which returns the existing message.
        private func repeatOne() async throws {
            let old = try message()
            let again = try await fixture.chat.send(
                old.draft, to: old.conversation, by: .user(old.sender))
            #expect(!again.isNew && again.message.seq == old.seq)
        }

        private func edit(_ user: UserID) async throws {
            try await fixture.chat.edit(try message().seq, text: "edited \(roll(100))", by: user)
        }

        private func changeMembers(_ user: UserID) async throws {
            let chat = fixture.chat
            let other = pick(people)
            switch roll(5) {
            case 0, 1: try await chat.add([other], to: group, showingEarlier: roll(2) == 0, by: user)
            case 2:
                // Someone must remain who can add the others again.
                guard try await chat.conversation(group, for: user).conversation.participants.count > 1
                else { return }
                try await chat.remove(other, from: group, by: user)
            case 3: try await chat.promote(other, in: group, by: user)
            default: try await chat.demote(other, in: group, by: user)
            }
        }

        // MARK: Polls

        /// - Parameter isLost: whether the answer is lost, so that the next poll starts at the same position
        func poll(_ number: Int, isLost: Bool) async throws {
            var replica = replicas[number]
            let page: ChatLogPage
            if roll(2) == 0, let recent = fixture.chat.recentLog(for: replica.user, after: replica.position) {
                page = recent
            } else {
                page = try await fixture.chat.log(
                    for: replica.user, after: replica.position, limit: 1 + roll(20))
            }
            guard !isLost else { return }
            for entry in page.entries {
                // Occasionally an entry arrives twice.
                for _ in 0...(roll(10) == 0 ? 1 : 0) {
                    guard let new = try replica.apply(entry) else { continue }
                    replica.copies[new] = try? await Self.copy(new, replica.user, fixture.chat)
                }
            }
            replica.position = page.next
            replicas[number] = replica
        }

        /// Polls until nothing is left.
        func catchUp(_ number: Int) async throws {
            let end = try await fixture.chat.position()
            while replicas[number].position < end { try await poll(number, isLost: false) }
        }

        // MARK: What holds

        func check(_ step: Comment) async throws {
            var order: [ConversationID: [Int64]] = [:]
            for number in people.indices {
                try await catchUp(number)
                let user = people[number]
                let fresh = try await Self.fetch(user, fixture.chat)
                var replica = replicas[number]
                #expect(Set(replica.copies.keys) == Set(fresh.copies.keys), step)
                for (id, copy) in fresh.copies {
                    replica.copies[id]?.logSeq = copy.logSeq
                    #expect(replica.copies[id] == copy, step)
                    let unread = copy.messages.values.count {
                        $0.number > copy.readNumber && $0.senderId != String(user)
                    }
                    #expect(copy.unread == unread, step)
                    let numbers = copy.messages.keys.sorted()
                    let seqs = numbers.compactMap { copy.messages[$0]?.seq }
                    #expect(seqs == seqs.sorted(), step)
                    #expect(
                        numbers.last.map { numbers == Array(($0 - numbers.count + 1)...$0) } != false, step)
                    // Everyone has the same messages, from the first one that they may see.
                    let longest = order[id] ?? []
                    #expect(seqs.suffix(longest.count) == longest.suffix(seqs.count), step)
                    if seqs.count > longest.count { order[id] = seqs }
                }
            }
        }

        /// Checks that every acknowledged message exists once.
        func checkAll() throws {
            let stored = try fixture.services.sql(Int64.self, "SELECT seq FROM chat_messages ORDER BY seq")
            #expect(stored == sent.map(\.seq).sorted())
            #expect(Set(stored).count == stored.count)
            let acknowledged = sent.map(\.seq)
            #expect(acknowledged == acknowledged.sorted())
        }
    }

    @Test(arguments: [1, 2, 3, 20_261_110])
    func `applying the log's entries to the old state gives the current state`(seed: UInt64) async throws {
        try await withChat { fixture in
            let run = try await Run(fixture, seed: seed)
            for step in 1...800 {
                try await run.act()
                if step.isMultiple(of: 80) { try await run.check("seed \(seed), step \(step)") }
            }
            try run.checkAll()
            #expect(run.sent.count > 60)
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }
}
