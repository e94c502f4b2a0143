/// What the team does by itself while somebody looks: lively for two minutes, then a step
/// every half minute or more, over and over.
enum DemoStory {
    enum Action: Sendable, Equatable {
        case say(String)
        /// To the newest message of this person.
        case react(String, to: String)
        /// What was said last, in other words.
        case edit(String)
        /// Takes back what was said last.
        case delete
    }

    struct Step: Sendable {
        let person: String
        let conversation: String
        let action: Action

        init(_ person: String, _ conversation: String, _ action: Action) {
            self.person = person
            self.conversation = conversation
            self.action = action
        }
    }

    static let steps = [
        Step("grace", "team", .say("I am trying the new reader now.")),
        Step("alan", "team", .say("How many cards?")),
        Step("grace", "team", .say("All 120. The first twenty went through.")),
        Step("barbara", "team", .react("👀", to: "grace")),
        Step("alan", "lunch", .say("There is cake in the kitchen.")),
        Step("barbara", "lunch", .react("🎂", to: "alan")),
        Step("alan", "alan", .say("Do you have a minute for the tape reader later?")),
        Step("grace", "team", .say("Half of them by now, and no jam.")),
        Step("barbara", "team", .say("Which table do you compare it with?")),
        Step("grace", "team", .say("Table 5, as always.")),
        Step("grace", "team", .edit("Table 7, the new one.")),
        Step("alan", "team", .react("👍", to: "grace")),
        Step("alan", "release", .say("The notes for the release are written. Who reads them?")),
        Step("grace", "release", .say("I do.")),
        Step("alan", "team", .say("I meant the other one.")),
        Step("alan", "team", .delete),
        Step("barbara", "team", .say("Everything went through: `120 of 120`.")),
        Step("alan", "team", .react("🎉", to: "barbara")),
        Step("grace", "grace", .say("The reader works. Thank you for the two lines!")),
        Step("barbara", "lunch", .say("The cake was good.")),
    ]

    /// The steps of the lively beginning.
    static let opening = 11

    /// The step in its turn; after the last the first comes again.
    static func step(_ number: Int) -> Step { steps[number % steps.count] }

    /// Seconds before a step.
    static func pause(before number: Int, numbers: inout some RandomNumberGenerator) -> Double {
        number < opening ? .random(in: 6...11, using: &numbers) : .random(in: 30...75, using: &numbers)
    }
}
