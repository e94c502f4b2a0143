import Chat
import Crypto
import Foundation
import HTTPServer
import RoostSupport

/// Proves that Roost's own page asks for the image whose loading says that a conversation was read.
///
/// Without scripts nothing else tells that a page was seen; and a GET that changes something must not work from
/// another site's page. The proof is good for one session, one conversation and one place in it alone.
struct ReadProof: Sendable {
    private let text: String

    /// Nil for programs. A visitor of the demo on its own machine has no cookie: a secret of this run stands for it.
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

    /// For the address of the image.
    var field: String { text }

    func accepts(_ other: String) -> Bool {
        let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
