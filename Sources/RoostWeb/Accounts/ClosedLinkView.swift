/// A link to join, to reset or to set up that opens nothing any more.
package struct ClosedLinkView: TemplateView {
    package static let template = "accounts/closed"

    /// What the link was for.
    package enum Kind: String, Sendable, CaseIterable {
        case join, reset, setup
    }

    package let front: FrontView
    package let kind: Kind
    package let reason: String

    /// - Parameter reason: why, a sentence: "This link was for three people, and three have joined."
    package init(front: FrontView, kind: Kind, reason: String) {
        self.front = front
        self.kind = kind
        self.reason = reason
    }

    package static let sample = ClosedLinkView(
        front: .sample, kind: .join, reason: "This link ended on 14 Nov 2025.")

    package func field(_ name: String) -> Any? {
        switch name {
        case "closedReason": reason
        case "closedAdvice": advice
        case "isJoinLink": kind == .join
        default: front.field(name)
        }
    }

    private var advice: String {
        switch kind {
        case .join: "Ask the person who gave it to you for a new one."
        case .reset: "Ask an owner of this Roost for a new one. Your old password is still valid."
        case .setup: "The address with a valid code is printed each time Roost starts."
        }
    }
}
