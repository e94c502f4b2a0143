import GitHub

/// Whether an inbox without pull requests says that there are none, or that nobody has told Roost of any yet.
enum InboxLoadState: Hashable, Sendable {
    /// At least one account has answered, or none is connected.
    case known
    /// GitHub is asked for the first time.
    case asking
    /// The first time has failed; the error stands beside it.
    case failed
    /// No account is signed in any more.
    case signedOut

    init(_ sources: [InboxSource]) {
        if sources.isEmpty || sources.contains(where: { $0.updatedAt != nil }) {
            self = .known
        } else if sources.allSatisfy({ $0.authentication == .unauthenticated && $0.error != .wrongKey }) {
            self = .signedOut
        } else {
            let hasHope = sources.contains { $0.error == nil && $0.authentication != .unauthenticated }
            self = hasHope ? .asking : .failed
        }
    }

    /// Whether a page shows the section at all: an empty one of those that everybody has says nothing, and as long
    /// as nothing is known only the first has something to say.
    func shows(_ section: InboxSection) -> Bool {
        switch self {
        case .known: section.kind == .turn || section.kind == .own || !section.items.isEmpty
        case .asking: section.kind == .turn
        case .failed, .signedOut: false
        }
    }
}
