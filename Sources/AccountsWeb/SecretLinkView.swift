import Foundation
import RoostWeb
import TextFormats

/// A secret link for someone else: to copy, open or scan.
struct SecretLinkView: Sendable {
    let title: String
    let explanation: String
    let link: SharedLink
    let expiresAt: Date
    let now: Date
    let secretCode: QRCode?

    init(title: String, explanation: String, link: SharedLink, expiresAt: Date, now: Date) {
        self.title = title
        self.explanation = explanation
        self.link = link
        self.expiresAt = expiresAt
        self.now = now
        // An address too long for a QR code can still be copied.
        secretCode = (try? QRCode(link.address))
    }

    /// A link to set a new password, shown only once.
    static func reset(name: String, link: SharedLink, expiresAt: Date, now: Date) -> SecretLinkView {
        SecretLinkView(
            title: "Reset link for \(name)",
            explanation: "Give it to \(name) to choose a new password. It works once and is shown only now. "
                + "The old password works until then.",
            link: link, expiresAt: expiresAt, now: now)
    }

    static func invitation(note: String, link: SharedLink, expiresAt: Date, now: Date)
        -> SecretLinkView
    {
        SecretLinkView(
            title: note.isEmpty ? "Join link" : "Join link: \(note)",
            explanation:
                "Anyone who opens it can create an account here. Give it only to people you trust.",
            link: link, expiresAt: expiresAt, now: now)
    }
    var secretEnds: String { ISO8601.seconds(expiresAt) }
    var secretEndsIn: String { RelativeTime.until(expiresAt, now: now) }
}
