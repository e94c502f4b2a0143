import Chat
import Foundation
import RoostSimulator
import RoostSupport
import Synchronization

/// The team's behaviour while the demo runs.
extension DemoTeam {
    private static let tick = Duration.milliseconds(300)
    /// Seconds until a person with `readsLate` reads.
    private static let lateReading = 20.0

    /// Plays the story and answers messages after this log position, until cancelled.
    func run(from start: Int64) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, person) in DemoPerson.colleagues.enumerated() where person.attention != .offline {
                group.addTask { await follow(person, from: start, DemoRandom(seed: UInt64(index))) }
            }
            group.addTask { await play(DemoRandom(seed: 1_852)) }
            group.addTask { await showWall() }
        }
    }

    private func pause(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }

    /// Logs an error instead of throwing it, so that the loop continues.
    private func attempt(_ work: () async throws -> Void) async {
        do { try await work() } catch is CancellationError {} catch {
            log.error("The demo's team failed", metadata: ["error": "\(error)"])
        }
    }

    // MARK: The story

    private func play(_ seeded: DemoRandom) async {
        var numbers = seeded
        var number = 0
        while !Task.isCancelled {
            await attempt {
                try await pause(DemoStory.pause(before: number, numbers: &numbers))
                try await waitForVisitor()
                defer { number += 1 }
                try await perform(DemoStory.step(number))
            }
        }
    }

    /// Pauses the story until the visitor has a page open.
    private func waitForVisitor() async throws {
        let visitor = try user(DemoPerson.visitor.username)
        while !chat.isPresent(visitor) { try await pause(1) }
    }

    private func perform(_ step: DemoStory.Step) async throws {
        let (id, person) = (try conversation(step.conversation), try user(step.person))
        switch step.action {
        case .send(let text): try await type(text, in: step.conversation, by: step.person)
        case .react(let emoji, let other):
            if let message = try await newest(of: user(other), in: id, for: person) {
                try await chat.react(emoji, on: message.seq, by: person, isOn: true)
            }
        case .edit(let text):
            if let message = try await newest(of: person, in: id, for: person) {
                try await chat.edit(message.seq, text: text, by: person)
            }
        case .delete:
            if let message = try await newest(of: person, in: id, for: person) {
                try await chat.delete(message.seq, by: person)
            }
        }
    }

    private func newest(of sender: UserID, in id: ConversationID, for person: UserID) async throws -> Message?
    {
        try await chat.page(of: id, for: person).messages.last { $0.senderUserId == sender && !$0.isDeleted }
    }

    /// Shows the typing indicator for a while, then sends.
    private func type(_ text: String, in conversation: String, by person: String) async throws {
        try await chat.setTyping(self.conversation(conversation), by: user(person), isTyping: true)
        try await pause(DemoAnswers.typing(text))
        try await send(text, to: conversation, by: person)
    }

    // MARK: Answers

    /// Follows the log like a browser: marks messages as delivered, then as read, then answers.
    private func follow(_ person: DemoPerson, from start: Int64, _ seeded: DemoRandom) async {
        var numbers = seeded
        var position = start
        var seen = -1
        while !Task.isCancelled {
            await attempt {
                try await Task.sleep(for: Self.tick)
                let user = try user(person.username)
                chat.markPresent(user)
                let version = services.feed.version(of: [Topic.chat(user)])
                guard version != seen else { return }
                let page = try await chat.log(for: user, after: position)
                (position, seen) = (page.next, page.hasMore ? seen : version)
                chat.acknowledge(page.next, by: user)
                try await handle(page.entries, person, &numbers)
            }
        }
    }

    /// Reads new messages and answers the visitor's newest one in each conversation.
    private func handle(
        _ entries: [ChatLogEntry], _ person: DemoPerson, _ numbers: inout DemoRandom
    ) async throws {
        let (reader, visitor) = (try user(person.username), try user(DemoPerson.visitor.username))
        let newSeqs = Set(entries.filter(\.isNewMessage).map(\.seq))
        let new = entries.compactMap(\.message).filter { message in
            newSeqs.contains(message.seq) && message.senderUserId != reader
        }
        for (name, id) in conversations.sorted(by: { $0.key < $1.key }) {
            let unread = new.filter { $0.conversationId == id }
            guard let last = unread.last else { continue }
            try await pause(
                person.attention == .reads ? .random(in: 0.5...1.2, using: &numbers) : Self.lateReading)
            try await chat.markRead(id, upTo: last.number, by: reader)
            if let written = unread.last(where: { $0.senderUserId == visitor && !$0.isDeleted }) {
                try await answer(written, in: name, person, &numbers)
            }
        }
    }

    private func answer(
        _ message: Message, in conversation: String, _ person: DemoPerson, _ numbers: inout DemoRandom
    ) async throws {
        guard respondent(to: message, in: conversation) == person.username else { return }
        let file = DemoAnswers.Attachment(message.file)
        if let emoji = DemoAnswers.reaction(to: message.text, file: file) {
            try await chat.react(emoji, on: message.seq, by: user(person.username), isOn: true)
        }
        if let text = DemoAnswers.text(to: message.text, file: file, numbers: &numbers) {
            try await pause(0.4)
            try await type(text, in: conversation, by: person.username)
        }
    }

    /// Chooses one of the people present. The message seeds the choice, so that all of them get the same
    /// result.
    private func respondent(to message: Message, in conversation: String) -> String? {
        let members = DemoConversation.all.first { $0.id == conversation }?.members ?? []
        let people = DemoPerson.colleagues.filter {
            $0.attention != .offline && members.contains($0.username)
        }
        var numbers = DemoRandom(seed: UInt64(message.seq))
        return DemoAnswers.respondent(to: message.text, among: people.map(\.username), numbers: &numbers)
    }
}

extension DemoAnswers.Attachment {
    init(_ file: MessageFile?) {
        guard let file else {
            self = .none
            return
        }
        self = file.isImage ? .picture : .other
    }
}

/// A clock set by hand, for writing the demo's history in the past.
final class DemoClock: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) {
        self.time = Mutex(time)
    }

    func set(_ time: Date) { self.time.withLock { $0 = time } }

    var wall: WallClock { WallClock(now: { self.time.withLock(\.self) }) }
}

/// Random numbers from a seed, the same in every run.
struct DemoRandom: RandomNumberGenerator, Sendable {
    private let numbers: SeededRandom
    private var index: UInt64 = 0

    init(seed: UInt64) {
        numbers = SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 {
        index += 1
        return numbers.roll(index)
    }
}
