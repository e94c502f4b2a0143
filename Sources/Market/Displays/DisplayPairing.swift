package import Foundation

/// A screen that shows a pairing code and waits for someone to enter it.
package struct DisplayPairing: Equatable, Sendable {
    /// Six letters and digits, without look-alikes.
    package let code: String
    package let expiresAt: Date
    /// Whether someone has entered the code, so that the screen may fetch its key.
    package let isClaimed: Bool
    /// The topic that is published when the code is entered.
    package let topic: String

    /// "ABC-DEF".
    package var shownCode: String { "\(code.prefix(3))-\(code.suffix(3))" }

    /// Of a code.
    package static let length = 6
    /// Of an entered text with a code, in bytes.
    package static let maximumTypedLength = 64
    /// Without 0, O, 1, I and L.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// There are 31 to the power of 6, or 887 million codes.
    static func makeCode() -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    /// Parses an entered code, ignoring case, blanks and hyphens; nil if it cannot be one.
    static func code(in text: String) -> String? {
        guard text.utf8.count <= maximumTypedLength else { return nil }
        let code = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
        return code.count == length && code.allSatisfy(alphabet.contains) ? code : nil
    }
}
