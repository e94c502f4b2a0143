/// A link to join, to reset or to set up that opens nothing any more.
package struct ClosedLinkView: GuestPageView, Sendable {
    /// What the link was for.
    package enum Kind: String, Sendable, CaseIterable {
        case join, reset, setup
    }

    package let layout: GuestLayoutView
    package let kind: Kind
    package let reason: String

    /// - Parameter reason: why and whom to ask, in a sentence or two
    package init(layout: GuestLayoutView, kind: Kind, reason: String) {
        self.layout = layout
        self.kind = kind
        self.reason = reason
    }

    package static let sample = ClosedLinkView(
        layout: .sample, kind: .join,
        reason: "This join link is not valid any more. Ask whoever sent it for a new one.")

    var closedReason: String { reason }
    var closedAdvice: String { advice }
    var isJoinLink: Bool { kind == .join }

    private var advice: String {
        switch kind {
        case .join: "A join link is for a number of people and for a time, and can be withdrawn."
        case .reset: "If nobody has used it, your old password is still valid."
        case .setup: "The address with a valid code is printed each time Roost starts."
        }
    }
}
