import RoostWeb

/// The page of a join, reset or setup link that is no longer valid.
struct ClosedLinkView: GuestPageView, Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case join, reset, setup
    }

    let layout: GuestLayoutView
    let kind: Kind
    /// Why it is closed and whom to ask, in a sentence or two.
    let reason: String
    var isJoinLink: Bool { kind == .join }

    var advice: String {
        switch kind {
        case .join: "Join links can run out, expire or be revoked."
        case .reset: "If no one used it, your old password still works."
        case .setup: "Roost prints the address with a valid code each time it starts."
        }
    }
}
