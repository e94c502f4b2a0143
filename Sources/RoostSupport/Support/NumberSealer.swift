package import Crypto
import Foundation
import TextFormats

/// Turns counters into opaque tokens, so that clients cannot count other users' actions.
///
/// Encrypt-then-MAC with HMAC-SHA256 and a random salt: two tokens of one number differ, so no one sees whether it has
/// grown.
package struct NumberSealer: Sendable {
    private enum Purpose: UInt8 { case mask, proof, name }

    private static let (saltLength, numberLength, proofLength) = (12, 8, 12)
    private static let tokenLength = 43

    /// Keyed once: copying it is faster than hashing the key for each code.
    private let authenticator: HMAC<SHA256>

    package init(key: SymmetricKey) { authenticator = HMAC(key: key) }

    /// Uses a random key, so tokens are valid only until the process ends.
    package init() { self.init(key: SymmetricKey(size: .bits256)) }

    package func seal(_ number: Int64) -> String {
        let salt = SymmetricKey(size: .init(bitCount: Self.saltLength * 8)).withUnsafeBytes { Array($0) }
        let body = salt + zip(Self.bytes(of: number), code(.mask, salt)).map { $0 ^ $1 }
        return Base64URL.encode(Data(body + code(.proof, body).prefix(Self.proofLength)))
    }

    package func open(_ token: String) -> Int64? {
        guard token.utf8.count == Self.tokenLength, let data = Base64URL.decode(token) else {
            return nil
        }
        let bytes = Array(data)
        let body = Array(bytes.dropLast(Self.proofLength))
        guard body.count == Self.saltLength + Self.numberLength else { return nil }
        let differences = zip(bytes.suffix(Self.proofLength), code(.proof, body)).map { $0 ^ $1 }
        guard differences.reduce(0, |) == 0 else { return nil }
        let mask = code(.mask, Array(body.prefix(Self.saltLength)))
        let number = zip(body.suffix(Self.numberLength), mask).map { $0 ^ $1 }
        return Int64(bitPattern: number.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// Returns the same name for the same number, for tags that are only compared.
    package func name(of number: Int64) -> String {
        Base64URL.encode(Data(code(.name, Self.bytes(of: number)).prefix(9)))
    }

    private func code(_ purpose: Purpose, _ bytes: [UInt8]) -> [UInt8] {
        var authenticator = authenticator
        authenticator.update(data: [purpose.rawValue] + bytes)
        return Array(authenticator.finalize())
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
