package import Foundation

/// A screen that waits to be told which display it is.
package struct DisplayPairing: Equatable, Sendable {
    /// Six letters and figures, without those that look alike.
    package let code: String
    package let expiresAt: Date
    /// Whether somebody has typed the code: the screen may fetch its key.
    package let isClaimed: Bool
    /// Changes when the code is typed.
    package let topic: String

    /// "ABC-DEF".
    package var shownCode: String { "\(code.prefix(3))-\(code.suffix(3))" }

    static let length = 6
    /// Without 0, O, 1, I and L.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// 31 to the power of 6 are 887 million.
    static func makeCode() -> String {
        String((0..<length).map { _ in alphabet[Int.random(in: alphabet.indices)] })
    }

    /// The code that was typed, whatever its case, blanks and hyphens; nil for what cannot be one.
    static func code(in text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let code = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
        return code.count == length && code.allSatisfy(alphabet.contains) ? code : nil
    }
}
