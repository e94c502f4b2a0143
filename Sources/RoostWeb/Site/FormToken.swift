import Crypto
import Foundation
import RoostSupport

/// Proves that Roost made a form for this browser and this kind of action. It is derived from the browser's cookie, so
/// nothing is stored.
///
/// If an attacker injects markup into a page, its forms have only that page's token and cannot do other kinds of
/// action.
///
/// The text differs each time: the length of a compressed page could reveal a repeated secret (BREACH).
package struct FormToken: Sendable {
    /// The kind of action of a form. A page's token is for the page's own kind.
    package enum Scope: String, Sendable, CaseIterable {
        /// Everyday actions: marks, lists, choices, theme, signing out.
        case reader
        /// Actions on the user's own account: sign-in, password, tokens, sessions, connected accounts, deletion.
        case account
        /// Actions on another server in the user's name, such as a merge on GitHub.
        case acts
        /// Actions of owners: members, roles, invitations, reset links.
        case owner

        /// The kinds of page whose tokens this action accepts. Every page has everyday forms (theme, signing out); its
        /// other forms are all of its own kind.
        package var accepted: [Scope] { self == .reader ? Self.allCases : [self] }
    }

    package static let field = "token"
    package static let header = "X-Roost-Token"
    private static let size = 16

    private let proof: [UInt8]

    /// - Parameter secret: the value of the session or guest cookie
    package init(secret: String, scope: Scope) {
        let key = SymmetricKey(data: Array(secret.utf8))
        let text = "roost form: \(scope.rawValue)"
        proof = Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(Self.size))
    }

    /// Eight digits that tell secrets apart and reveal nothing about them.
    package static func tag(ofSecret secret: String) -> String {
        let key = SymmetricKey(data: Array(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array("roost form tag".utf8), using: key)
        return code.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The token as text, different each time: a random mask and the masked proof.
    package var masked: String {
        // `SymmetricKey` generates all random bytes at once; single random bytes would each need a system call.
        let mask = SymmetricKey(size: SymmetricKeySize(bitCount: 8 * Self.size)).withUnsafeBytes(Array.init)
        return Data(mask + zip(mask, proof).map { $0 ^ $1 }).base64EncodedString()
    }

    package func accepts(_ text: String) -> Bool {
        guard let bytes = Data(base64Encoded: text).map(Array.init), bytes.count == 2 * Self.size else {
            return false
        }
        let shown = zip(bytes.prefix(Self.size), bytes.suffix(Self.size)).map { $0 ^ $1 }
        return zip(shown, proof).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
