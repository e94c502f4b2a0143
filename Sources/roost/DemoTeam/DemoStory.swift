/// The team's scripted actions while the visitor watches: frequent in the first two minutes, then every 30 to
/// 75 seconds, repeating.
enum DemoStory {
    enum Action: Sendable, Equatable {
        case send(String)
        /// Reacts to this person's newest message.
        case react(String, to: String)
        /// Edits the person's last message.
        case edit(String)
        /// Deletes the person's last message.
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
        Step("grace", "team", .send("I am trying the new reader now.")),
        Step("alan", "team", .send("How many cards?")),
        Step("grace", "team", .send("All 120. The first twenty went through.")),
        Step("barbara", "team", .react("👀", to: "grace")),
        Step("alan", "lunch", .send("There is cake in the kitchen.")),
        Step("barbara", "lunch", .react("🎂", to: "alan")),
        Step("alan", "alan", .send("Do you have a minute for the tape reader later?")),
        Step("grace", "team", .send("Half of them by now, and no jam.")),
        Step("barbara", "team", .send("Which table are you comparing it with?")),
        Step("grace", "team", .send("Table 5, as always.")),
        Step("grace", "team", .edit("Table 7, the new one.")),
        Step("alan", "team", .react("👍", to: "grace")),
        Step("alan", "release", .send("The release notes are written. Who will review them?")),
        Step("grace", "release", .send("I do.")),
        Step("alan", "team", .send("I meant the other one.")),
        Step("alan", "team", .delete),
        Step("barbara", "team", .send("Everything went through: `120 of 120`.")),
        Step("alan", "team", .react("🎉", to: "barbara")),
        Step("grace", "grace", .send("The reader works. Thank you for the two lines!")),
        Step("barbara", "lunch", .send("The cake was good.")),
    ]

    /// The number of steps in the frequent phase.
    static let openingSteps = 11

    static func step(_ number: Int) -> Step { steps[number % steps.count] }

    /// Returns seconds.
    static func pause(before number: Int, numbers: inout some RandomNumberGenerator) -> Double {
        number < openingSteps ? .random(in: 6...11, using: &numbers) : .random(in: 30...75, using: &numbers)
    }
}
