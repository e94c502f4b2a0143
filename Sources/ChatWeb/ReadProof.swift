import Chat
import Crypto
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

/// Proves that Roost's own page requests the image that marks a conversation as read.
///
/// Browsers without scripts have no other way to report that a page was seen, but a GET with side effects must not work
/// from another site's page. A proof is valid for one session, one conversation and one message number.
struct ReadProof: Sendable {
    let text: String

    /// Returns nil for API tokens and guests. A demo visitor on the same machine has no cookie, so a secret of this run
    /// replaces it.
    init?(_ visitor: Visitor, conversation: ConversationID, upTo number: Int) {
        let secret: String
        switch visitor {
        case .session(_, _, let cookie): secret = cookie
        case .local: secret = Self.localSecret
        default: return nil
        }
        let message = "roost chat read: \(conversation) \(number)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(message.utf8), using: SymmetricKey(data: Array(secret.utf8)))
        text = Array(code.prefix(16)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }

    private static let localSecret = Secret.make(bytes: 32)

    func accepts(_ other: String) -> Bool {
        let (expected, received) = (Array(text.utf8), Array(other.utf8))
        guard expected.count == received.count else { return false }
        return zip(expected, received).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
