package import RoostSupport

/// What may be typed in place of a link: "/price bitcoin", "/pr owner/name#1".
package struct ChatCommands: Sendable {
    /// All of them, for a list of what may be typed.
    package let all: [LinkCommand]

    package init(_ providers: [any LinkCards]) {
        all = providers.compactMap(\.linkCommand)
    }

    /// The text to send for what was typed: the same, unless it is a command; of two slashes before a word one is taken
    /// away, so that a text may begin like a command.
    ///
    /// Throws `RoostError.invalid(field: "text")` in words for an unknown command and for what a command cannot find:
    /// nothing is sent then, and what was typed stays with its writer.
    package func text(for typed: String, by user: UserID) async throws -> String {
        if typed.hasPrefix("//"), Self.parsed(String(typed.dropFirst())) != nil {
            return String(typed.dropFirst())
        }
        guard let (name, argument) = Self.parsed(typed) else { return typed }
        guard let command = all.first(where: { $0.name == name }) else { throw unknown(name) }
        return try await command.text(argument, user)
    }

    /// A slash, a word of letters and what follows on the same line; nil for a path, a fraction and any other text.
    private static func parsed(_ text: String) -> (name: String, argument: String)? {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        let name = bytes.dropFirst().prefix { (0x61...0x7A).contains($0 | 0x20) }
        guard (1...32).contains(name.count) else { return nil }
        let rest = bytes[name.endIndex...]
        guard rest.first.map({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) ?? true else {
            return nil
        }
        return (String(Substring(name)).lowercased(), String(Substring(rest)).trimmed)
    }

    private func unknown(_ name: String) -> RoostError {
        let known = all.map(\.example).joined(separator: ", ")
        return .invalid(
            field: "text",
            why: "There is no command /\(name)."
                + (known.isEmpty ? "" : " There are: \(known).")
                + " To begin a message with it, write two slashes: //\(name)")
    }
}
