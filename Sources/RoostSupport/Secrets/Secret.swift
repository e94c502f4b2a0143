import Crypto
import Foundation
import TextFormats

/// Random secrets for links, cookies and tokens, and their hashes, which are stored instead.
package enum Secret {
    package static func make(bytes: Int) -> String { Base64URL.encode(Data(random(bytes))) }

    /// SHA-256. Secrets of at least 80 random bits need no salt and no slow hash.
    package static func hash(_ secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(secret.utf8)))
    }

    static func random(_ count: Int) -> [UInt8] {
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}

/// A secret that people type or scan: sixteen characters in four groups, 80 bits.
///
/// Crockford's base 32 (crockford.com/base32.html) has no I, L, O or U, so easily confused characters are read as
/// intended.
package struct LinkCode: Sendable, Equatable, CustomStringConvertible {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 16

    /// Such as "K7QM-2XRD-9FTB-W3HC".
    package let description: String

    package init() {
        let letters = Secret.random(Self.length).map { Self.alphabet[Int($0 & 31)] }
        description = Self.grouped(letters)
    }

    /// Reads typed, pasted or scanned text, which may be a whole link. Ignores case, hyphens and spaces.
    package init?(_ text: String) {
        guard text.utf8.count <= 512 else { return nil }
        let last = text.trimmed.splitBytes(at: "/").last ?? ""
        let letters: [Character] = last.uppercased().compactMap { letter in
            switch letter {
            case "-", " ": nil
            case "O": "0"
            case "I", "L": "1"
            default: letter
            }
        }
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        description = Self.grouped(letters)
    }

    package var hash: [UInt8] { Secret.hash(description) }

    private static func grouped(_ letters: [Character]) -> String {
        stride(from: 0, to: length, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }
}
