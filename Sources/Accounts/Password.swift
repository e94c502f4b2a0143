import Crypto
import CryptoExtras
import Foundation
import RoostSupport

/// Passwords as they are stored: scrypt with its parameters beside the hash.
///
/// Computing one takes a tenth of a second: `PasswordHasher` does it where nobody waits for a thread.
package enum Password {
    private static let hashLength = 32
    private static let normalisedMark = "nfkc"

    /// "scrypt$32768$8$1$SALT$HASH$nfkc", salt and hash in base64.
    package static func hash(_ password: String, cost: PasswordCost) throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let hash = try derive(normalised(password), salt: salt, length: hashLength, cost: cost)
        let encoded = [salt, hash].map { $0.base64EncodedString() }.joined(separator: "$")
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(encoded)$\(normalisedMark)"
    }

    /// True when the password made this hash, in time that does not depend on where they differ.
    package static func matches(_ password: String, hash stored: String) throws -> Bool {
        guard let stored = Stored(stored) else { return false }
        let typed = stored.isNormalised ? normalised(password) : password
        let made = try derive(typed, salt: stored.salt, length: stored.hash.count, cost: stored.cost)
        return made.count == stored.hash.count
            && zip(made, stored.hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// True when this cost is dearer than the stored hash, or the hash is of the days before normalisation.
    static func needsRehash(_ stored: String, cost: PasswordCost) -> Bool {
        guard let stored = Stored(stored) else { return false }
        return !stored.isNormalised || cost.exceeds(stored.cost)
    }

    /// False for what no password can match.
    static func isHash(_ stored: String) -> Bool { Stored(stored) != nil }

    /// One text for all the ways in which keyboards and systems write the same characters (NIST SP 800-63B,
    /// section 5.1.1.2): NFKC.
    static func normalised(_ password: String) -> String {
        password.precomposedStringWithCompatibilityMapping
    }

    private static func derive(_ text: String, salt: Data, length: Int, cost: PasswordCost) throws -> Data {
        // swift-crypto multiplies and converts the parameters unchecked.
        guard cost.isUsable else {
            throw RoostError.unavailable("The cost of password hashes is not usable.")
        }
        let key = try KDF.Scrypt.deriveKey(
            from: Data(text.utf8), salt: salt, outputByteCount: length, rounds: cost.rounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
        return key.withUnsafeBytes { Data($0) }
    }

    /// A stored hash in its parts; the first ones had no mark and took the password as it was typed.
    private struct Stored {
        let cost: PasswordCost
        let salt: Data
        let hash: Data
        let isNormalised: Bool

        init?(_ text: String) {
            let parts = text.splitBytes(at: "$", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 6 || (parts.count == 7 && parts[6] == normalisedMark), parts[0] == "scrypt",
                let rounds = Int(parts[1]), let block = Int(parts[2]), let parallelism = Int(parts[3]),
                let salt = Data(base64Encoded: parts[4]), (1...64).contains(salt.count),
                let hash = Data(base64Encoded: parts[5]), (16...64).contains(hash.count)
            else { return nil }
            cost = PasswordCost(rounds: rounds, blockSize: block, parallelism: parallelism)
            guard cost.isUsable else { return nil }
            (self.salt, self.hash, isNormalised) = (salt, hash, parts.count == 7)
        }
    }
}
