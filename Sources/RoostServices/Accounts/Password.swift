import Crypto
import CryptoExtras
import Foundation

/// Passwords as they are stored: scrypt with its parameters beside the hash.
package enum Password {
    /// NIST SP 800-63B asks for length, not for kinds of characters.
    package static let shortest = 10

    private static let rounds = 1 << 15
    private static let blockSize = 8
    private static let hashLength = 32

    /// "scrypt$32768$8$1$SALT$HASH", salt and hash in base64. Throws `RoostError.invalid` when it is too short.
    package static func hash(_ password: String) throws -> String {
        guard password.count >= shortest else {
            throw RoostError.invalid(
                field: "password", why: "A password has at least \(shortest) characters.")
        }
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: hashLength,
            rounds: rounds, blockSize: blockSize, parallelism: 1)
        let hash = key.withUnsafeBytes { Data($0) }
        return "scrypt$\(rounds)$\(blockSize)$1$\(salt.base64EncodedString())$\(hash.base64EncodedString())"
    }

    /// True when the password made this hash, in time that does not depend on where they differ.
    package static func matches(_ password: String, hash stored: String) throws -> Bool {
        let parts = stored.split(separator: "$")
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let block = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
            let hash = Data(base64Encoded: String(parts[5]))
        else { return false }
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: hash.count,
            rounds: rounds, blockSize: block, parallelism: parallelism)
        return key.withUnsafeBytes { made in
            made.count == hash.count && zip(made, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
}
