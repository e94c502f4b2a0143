/// A link to join, to reset or to set up that opens nothing any more.
struct ClosedLinkView: GuestPageView, Sendable {
    /// What the link was for.
    enum Kind: String, Sendable, CaseIterable {
        case join, reset, setup
    }

    let layout: GuestLayoutView
    let kind: Kind
    /// Why and whom to ask, in a sentence or two.
    let reason: String
    var isJoinLink: Bool { kind == .join }

    var advice: String {
        switch kind {
        case .join: "A join link is for a number of people and for a time, and can be withdrawn."
        case .reset: "If nobody has used it, your old password is still valid."
        case .setup: "The address with a valid code is printed each time Roost starts."
        }
    }
}
