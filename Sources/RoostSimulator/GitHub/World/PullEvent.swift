enum PullEvent: Sendable, Hashable {
    case push(commits: Int, additions: Int, deletions: Int, files: Int)
    /// Pushes a file with this many changed lines and all of its patch.
    case pushLarge(lines: Int)
    case comment(by: SimulatedPerson, text: String)
    case review(by: SimulatedPerson, SimulatedReview.State)
    case thread(by: SimulatedPerson, text: String)
    /// Replies in the oldest open thread.
    case reply(by: SimulatedPerson, text: String)
    case resolve
    case request(SimulatedReviewer)
    case assign(SimulatedPerson)
    /// Dismisses this person's approval by branch rule, as a push does.
    case dismiss(SimulatedPerson)
    case queue
    case autoMerge
    case stopAutoMerge
    /// Sets whether it conflicts with its base until the next push; random before that.
    case conflict(Bool)
    case label(SimulatedLabel)
    case ready
    case fail
    case pass
    case merge(by: SimulatedPerson)
    case close
    case reopen
    /// A verdict with words of its own.
    case writtenReview(by: SimulatedPerson, SimulatedReview.State, text: String)
    /// In the conversation with this index.
    case answer(thread: Int, by: SimulatedPerson, text: String)
    case setResolved(thread: Int, Bool)

    /// Whether it changes GitHub's `updatedAt`. Checks and conflicts do not; for resolved threads GitHub
    /// documents nothing.
    var isUpdate: Bool {
        switch self {
        case .fail, .pass, .conflict, .resolve, .setResolved: false
        default: true
        }
    }

    /// Whether it can happen to a closed pull request.
    var mayFollowClosing: Bool {
        switch self {
        case .reopen, .comment: true
        default: false
        }
    }

    /// An event with its time in milliseconds since 1970.
    struct Timed: Sendable, Hashable {
        let at: Int
        let event: PullEvent
    }
}

struct SimulatedLabel: Sendable, Hashable {
    let name: String
    let color: String

    static let all = [
        SimulatedLabel(name: "bug", color: "d73a4a"), SimulatedLabel(name: "enhancement", color: "a2eeef"),
        SimulatedLabel(name: "documentation", color: "0075ca"),
        SimulatedLabel(name: "dependencies", color: "0366d6"),
        SimulatedLabel(name: "good first issue", color: "7057ff"),
        SimulatedLabel(name: "needs: review", color: "fbca04"),
        SimulatedLabel(name: "performance 🚀", color: "f9d0c4"),
        SimulatedLabel(name: "breaking <change>", color: "b60205"),
    ]
}

struct SimulatedReview: Sendable, Hashable {
    enum State: String, Sendable {
        case approved = "APPROVED"
        case changesRequested = "CHANGES_REQUESTED"
        case commented = "COMMENTED"
        case dismissed = "DISMISSED"
    }

    let author: SimulatedPerson
    var state: State
    let at: Int
    let oid: String
    /// Nil for the words that the simulation chooses.
    var text: String?
}

struct SimulatedComment: Sendable, Hashable {
    let author: SimulatedPerson
    let text: String
    let at: Int

    /// Returns whether the text contains "@login" as a word.
    func mentions(_ login: String) -> Bool { Self.mentions(login, in: text) }

    static func mentions(_ login: String, in text: String) -> Bool {
        text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "@") }
            .contains { $0.lowercased() == "@\(login.lowercased())" }
    }
}
