import Testing

@testable import RoostSupport
@testable import roost

/// The demo's team: its history, its story, and its answers.
@Suite struct DemoTeamTests {
    private let messages = DemoHistory.messages

    private func members(of conversation: String) throws -> [String] {
        try #require(DemoConversation.all.first { $0.id == conversation }).members
    }

    // MARK: History

    @Test func `everyone who writes, reacts or manages a group is in the conversation`() throws {
        let names = Set(([DemoPerson.visitor] + DemoPerson.colleagues).map(\.username))
        for conversation in DemoConversation.all {
            #expect(names.isSuperset(of: conversation.members), "\(conversation.id)")
            #expect(Set(conversation.members).isSuperset(of: conversation.admins), "\(conversation.id)")
        }
        for message in messages {
            let members = Set(try members(of: message.conversation))
            // A webhook posts under a name that is not a user's.
            #expect(members.contains(message.sender) || !names.contains(message.sender), "\(message.text)")
            #expect(members.isSuperset(of: message.reactions.flatMap(\.by)), "\(message.text)")
        }
    }

    @Test func `a reply comes after its message, in the same conversation`() {
        var labels: [String: String] = [:]
        for message in messages {
            if let quoted = message.replyTo { #expect(labels[quoted] == message.conversation, "\(quoted)") }
            if let label = message.label {
                #expect(labels.updateValue(message.conversation, forKey: label) == nil, "\(label)")
            }
        }
        #expect(!labels.isEmpty)
    }

    @Test func `the history is in order, spans several days, and fills more than a page`() throws {
        #expect(messages.map(\.minutesAgo) == messages.map(\.minutesAgo).sorted(by: >))
        let oldest = try #require(messages.first)
        #expect(oldest.minutesAgo > 4 * 24 * 60)
        #expect(messages.count { $0.conversation == "team" } > 100)
    }

    @Test func `every kind of message and conversation is present`() {
        #expect(messages.contains { $0.text.contains("```") })
        #expect(messages.contains { if case .picture = $0.attachment { true } else { false } })
        #expect(messages.contains { if case .text = $0.attachment { true } else { false } })
        #expect(messages.contains { $0.originalText != nil })
        #expect(messages.contains { $0.isDeleted })
        #expect(messages.contains { !$0.reactions.isEmpty })
        #expect(messages.contains { $0.replyTo != nil })
        let conversations = DemoConversation.all
        #expect(conversations.contains { $0.name == nil && $0.members.count == 2 })
        #expect(conversations.contains { $0.hasPhoto && !$0.admins.isEmpty && $0.members.count > 2 })
        #expect(conversations.contains { $0.notify == .none && $0.unread > 0 })
        #expect(conversations.contains { $0.notify == .mentions })
        #expect(conversations.contains { !$0.draft.isEmpty })
    }

    @Test func `the visitor's messages are sent, delivered or read, depending on the colleague`() {
        let written = messages.filter { $0.sender == DemoPerson.visitor.username }.map(\.conversation)
        for attention in [DemoPerson.Attention.reads, .readsLate, .offline] {
            let people = DemoPerson.colleagues.filter { $0.attention == attention }.map(\.username)
            #expect(written.contains { people.contains($0) }, "\(attention)")
        }
    }

    @Test func `pictures are PNG files of the requested size`() throws {
        let chart = try CheckedImage(DemoPicture.chart(width: 64, height: 48))
        #expect(chart.mediaType == "image/png")
        #expect((chart.width, chart.height) == (64, 48))
        #expect(DemoPicture.chart().count < 1 << 20)
    }

    // MARK: The story

    @Test func `the story's people are in its conversations, and react to other members`() throws {
        for step in DemoStory.steps {
            let members = try members(of: step.conversation)
            #expect(members.contains(step.person), "\(step)")
            #expect(step.person != DemoPerson.visitor.username)
            if case .react(_, let other) = step.action { #expect(members.contains(other), "\(step)") }
        }
    }

    @Test func `the story edits and deletes only its own latest message`() {
        for (index, step) in DemoStory.steps.enumerated() {
            let isChange: Bool
            switch step.action {
            case .edit, .delete: isChange = true
            case .send, .react: isChange = false
            }
            guard isChange else { continue }
            let own = DemoStory.steps[..<index].last {
                $0.person == step.person && $0.conversation == step.conversation
            }
            guard case .send? = own?.action else {
                Issue.record("no message before \(step)")
                continue
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the first two minutes are lively, then steps are at least half a minute apart`(seed: UInt64) {
        var numbers = DemoRandom(seed: seed)
        let pauses = (0..<100).map { DemoStory.pause(before: $0, numbers: &numbers) }
        #expect(pauses.prefix(DemoStory.openingSteps).reduce(0, +) <= 121)
        #expect(pauses.prefix(DemoStory.openingSteps).allSatisfy { $0 <= 12 })
        #expect(pauses.dropFirst(DemoStory.openingSteps).allSatisfy { $0 >= 30 })
    }

    @Test func `the story repeats after its end`() {
        let count = DemoStory.steps.count
        #expect(DemoStory.step(count).action == DemoStory.step(0).action)
        #expect(DemoStory.step(2 * count + 3).action == DemoStory.step(3).action)
    }

    // MARK: Answers

    @Test(
        arguments: [
            ("Thank you!", .thanks), ("hi there", .greeting), ("The build fails again", .problem),
            ("It is merged", .goodNews), ("Lunch?", .meal), ("Shall we meet on Friday?", .time),
            ("Why is that?", .question), ("https://example.org/page", .link), ("What is bitcoin at?", .price),
            ("See https://github.com/a/b/pull/7", .pullRequest), ("```\nlet a = 1\n```", .code),
            ("Bye!", .farewell),
            ("An observation.", .other), ("This thing is done", .goodNews),
        ] as [(String, DemoAnswers.Subject)])
    func `a message's subject is found in its text`(text: String, subject: DemoAnswers.Subject) {
        #expect(DemoAnswers.subject(of: text) == subject)
    }

    @Test func `a picture is answered as a picture, whatever its text`() {
        #expect(DemoAnswers.subject(of: "thanks", file: .picture) == .picture)
        #expect(DemoAnswers.subject(of: "", file: .other) == .file)
    }

    @Test func `the same random numbers give the same answers, and others give others`() {
        func answers(_ seed: UInt64) -> [String?] {
            var numbers = DemoRandom(seed: seed)
            return (0..<30).map { _ in DemoAnswers.text(to: "An observation.", numbers: &numbers) }
        }
        #expect(answers(1) == answers(1))
        #expect(answers(1) != answers(2))
        #expect(Set(answers(1)).count > 1)
    }

    @Test func `every subject gets an answer or a reaction`() {
        let samples = [
            "x", "x?", "hello", "thanks", "bug", "done", "lunch", "friday", "bye", "price", "review",
        ]
        for text in samples {
            var numbers = DemoRandom(seed: 1)
            #expect(DemoAnswers.text(to: text, numbers: &numbers)?.isEmpty == false, "\(text)")
        }
    }

    @Test func `a coin is answered with the command that shows its price`() {
        var numbers = DemoRandom(seed: 1)
        #expect(DemoAnswers.text(to: "How is Ethereum doing?", numbers: &numbers) == "/price ethereum")
    }

    @Test func `the person named in a message answers`() {
        var numbers = DemoRandom(seed: 1)
        for _ in 0..<20 {
            let people = ["grace", "alan", "barbara"]
            #expect(DemoAnswers.respondent(to: "Alan, is it so?", among: people, numbers: &numbers) == "alan")
            #expect(DemoAnswers.respondent(to: "@barbara?", among: people, numbers: &numbers) == "barbara")
        }
    }

    @Test func `without a name one of the members answers, and no one in an empty conversation`() throws {
        var numbers = DemoRandom(seed: 1)
        let people = ["grace", "alan", "barbara"]
        let chosen = (0..<50).compactMap { _ in
            DemoAnswers.respondent(to: "Anybody?", among: people, numbers: &numbers)
        }
        #expect(Set(chosen) == Set(people))
        #expect(chosen.count == 50)
        #expect(DemoAnswers.respondent(to: "Anybody?", among: [], numbers: &numbers) == nil)
    }

    @Test func `typing takes between one and two and a half seconds`() {
        #expect(DemoAnswers.typing("") == 1)
        #expect(DemoAnswers.typing(String(repeating: "a", count: 1_000)) == 2.5)
    }
}
