import Crypto
import CryptoExtras
import Foundation
import RoostSupport

/// Hashes passwords with scrypt, and stores the parameters next to the hash.
///
/// One hash takes a tenth of a second; `PasswordHasher` computes it on a thread of its own.
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

    /// Whether the password made this hash, compared in constant time.
    package static func matches(_ password: String, hash stored: String) throws -> Bool {
        guard let stored = Stored(stored) else { return false }
        let typed = stored.isNormalised ? normalised(password) : password
        let derived = try derive(typed, salt: stored.salt, length: stored.hash.count, cost: stored.cost)
        return derived.count == stored.hash.count
            && zip(derived, stored.hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    static func needsRehash(_ stored: String, cost: PasswordCost) -> Bool {
        guard let stored = Stored(stored) else { return false }
        return !stored.isNormalised || cost.exceeds(stored.cost)
    }

    static func isHash(_ stored: String) -> Bool { Stored(stored) != nil }

    /// Normalises a password to NFKC, since keyboards and systems encode the same characters differently (NIST SP
    /// 800-63B, section 5.1.1.2).
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

    /// The parts of a stored hash. The oldest hashes have no mark, and their passwords were not normalised.
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
