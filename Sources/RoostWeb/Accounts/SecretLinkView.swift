import Foundation
import TextFormats

/// A secret link for somebody else, in full: to copy, to open, to scan.
struct SecretLinkView: Sendable {
    let title: String
    let explanation: String
    let link: SharedLink
    let expiresAt: Date
    let now: Date
    let secretCode: QRCode?

    /// - Parameters:
    ///   - title: what the link is: "Reset link for Grace Hopper"
    ///   - explanation: what to do with it, a sentence or two
    init(title: String, explanation: String, link: SharedLink, expiresAt: Date, now: Date) {
        self.title = title
        self.explanation = explanation
        self.link = link
        self.expiresAt = expiresAt
        self.now = now
        // An address too long for a QR code can still be copied.
        secretCode = (try? QRCode(link.address))
    }

    /// The link that lets its holder choose a new password; it is shown this once.
    static func reset(name: String, link: SharedLink, expiresAt: Date, now: Date) -> SecretLinkView {
        SecretLinkView(
            title: "Reset link for \(name)",
            explanation: "Show or send it to \(name), who can then choose a new password, once. "
                + "It is shown only now; the old password is valid until then.",
            link: link, expiresAt: expiresAt, now: now)
    }

    /// The link that lets its holders join.
    static func invitation(note: String, link: SharedLink, expiresAt: Date, now: Date)
        -> SecretLinkView
    {
        SecretLinkView(
            title: note.isEmpty ? "Join link" : "Join link: \(note)",
            explanation:
                "Whoever opens it can make an account here. Give it only to people you would let in.",
            link: link, expiresAt: expiresAt, now: now)
    }
    var secretEnds: String { ISO8601.seconds(expiresAt) }
    var secretEndsIn: String { RelativeTime.until(expiresAt, now: now) }
}
