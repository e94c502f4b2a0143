/// Something that happens to a pull request.
enum PullEvent: Sendable, Hashable {
    case push(commits: Int, additions: Int, deletions: Int, files: Int)
    case comment(by: SimulatedPerson, text: String)
    case review(by: SimulatedPerson, SimulatedReview.State)
    case thread(by: SimulatedPerson, text: String)
    /// In the oldest thread that is still open.
    case reply(by: SimulatedPerson, text: String)
    case resolve
    case request(SimulatedReviewer)
    case assign(SimulatedPerson)
    /// The branch's rules dismiss the approval of this person, as they do with a push.
    case dismiss(SimulatedPerson)
    case queue
    case autoMerge
    /// Whether it conflicts with its base, until the next push; before it is ordered the dice decide.
    case conflict(Bool)
    case label(SimulatedLabel)
    case ready
    /// The checks of the present head fail, whatever they were about to do.
    case fail
    case pass
    case merge(by: SimulatedPerson)
    case close

    /// Whether GitHub's `updatedAt` moves with it: not with checks, nor with conflicts that the base makes; of a thread
    /// that is resolved nothing is promised.
    var isUpdate: Bool {
        switch self {
        case .fail, .pass, .conflict, .resolve: false
        default: true
        }
    }

    /// With the moment, in milliseconds since 1970.
    struct Timed: Sendable, Hashable {
        let at: Int
        let event: PullEvent
    }
}

struct SimulatedLabel: Sendable, Hashable {
    let name: String
    /// Six hexadecimal digits.
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
    /// The head that was looked at.
    let oid: String
}

struct SimulatedComment: Sendable, Hashable {
    let author: SimulatedPerson
    let text: String
    let at: Int

    /// Whether "@login" stands in it as a word.
    func mentions(_ login: String) -> Bool { Self.mentions(login, in: text) }

    static func mentions(_ login: String, in text: String) -> Bool {
        text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "@") }
            .contains { $0.lowercased() == "@\(login.lowercased())" }
    }
}
