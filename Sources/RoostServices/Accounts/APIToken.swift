import Crypto
package import Foundation

/// A bearer token of the JSON interface as the database knows it: never the token itself, only its hash.
package struct APIToken: Equatable, Sendable, Identifiable {
    /// What the bearer may do; `write` includes reading.
    package enum Scope: String, Sendable, CaseIterable {
        case read, write
    }

    package let id: Int64
    package let userId: UserID
    package let username: String
    package let scope: Scope
    package let createdAt: Date
}

/// Random secrets for links and tokens, and the hashes that are stored in their place.
package enum Secret {
    /// `bytes` random bytes as base64url without padding (RFC 4648, section 5).
    package static func make(bytes: Int) -> String {
        let key = SymmetricKey(size: SymmetricKeySize(bitCount: bytes * 8))
        let text = key.withUnsafeBytes { Data($0) }.base64EncodedString()
        return text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// SHA-256; secrets of 128 bits and more need no salt and no slow hash.
    package static func hash(_ secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(secret.utf8)))
    }
}
