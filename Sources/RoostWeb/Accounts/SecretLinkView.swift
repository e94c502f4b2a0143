package import Foundation
import TextFormats

/// A secret link for somebody else, in full: to copy, to open, to scan.
package struct SecretLinkView: Sendable {
    package let title: String
    package let explanation: String
    package let link: SharedLink
    package let expiresAt: Date
    package let now: Date
    let secretCode: QRCode?

    /// - Parameters:
    ///   - title: what the link is: "Reset link for Grace Hopper"
    ///   - explanation: what to do with it, a sentence or two
    package init(title: String, explanation: String, link: SharedLink, expiresAt: Date, now: Date) {
        self.title = title
        self.explanation = explanation
        self.link = link
        self.expiresAt = expiresAt
        self.now = now
        // An address too long for a QR code can still be copied.
        secretCode = (try? QRCode(link.address))
    }

    /// The link that lets its holder choose a new password; it is shown this once.
    package static func reset(name: String, link: SharedLink, expiresAt: Date, now: Date) -> SecretLinkView {
        SecretLinkView(
            title: "Reset link for \(name)",
            explanation: "Show or send it to \(name), who can then choose a new password, once. "
                + "It is shown only now; the old password is valid until then.",
            link: link, expiresAt: expiresAt, now: now)
    }

    /// The link that lets its holders join.
    package static func invitation(note: String, link: SharedLink, expiresAt: Date, now: Date)
        -> SecretLinkView
    {
        SecretLinkView(
            title: note.isEmpty ? "Join link" : "Join link: \(note)",
            explanation:
                "Whoever opens it can make an account here. Give it only to people you would let in.",
            link: link, expiresAt: expiresAt, now: now)
    }

    package static let resetSample = SecretLinkView.reset(
        name: "Grace Hopper",
        link: SharedLink(address: "http://192.168.1.20:8080/reset/7K3M-9QXA-PB2T-4WZH"),
        expiresAt: .sample + 86_400, now: .sample)
    package static let invitationSample = SecretLinkView.invitation(
        note: "The new neighbours",
        link: SharedLink(
            address: "http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH",
            others: ["http://nas.local:8080/join/7K3M-9QXA-PB2T-4WZH"]),
        expiresAt: .sample + 86_400 * 7, now: .sample)

    var secretTitle: String { title }
    var secretText: String { explanation }
    var secretAddress: String { link.address }
    var secretEnds: String { ISO8601.seconds(expiresAt) }
    var secretEndsIn: String { RelativeTime.until(expiresAt, now: now) }
}
