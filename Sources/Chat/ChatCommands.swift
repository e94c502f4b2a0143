package import RoostSupport

/// Commands that can be typed instead of a link: "/price bitcoin", "/pr owner/name#1".
package struct ChatCommands: Sendable {
    package let all: [LinkCommand]

    package init(_ providers: [any LinkCards]) {
        all = providers.compactMap(\.linkCommand)
    }

    /// Returns the text to send. Replaces a command by its result, and removes one of two leading slashes, which escape
    /// a text that looks like a command.
    ///
    /// Throws `RoostError.invalid(field: "text")` for an unknown command and for one without a result; nothing is sent
    /// then.
    package func text(for typed: String, by user: UserID) async throws -> String {
        if typed.hasPrefix("//"), Self.parsed(String(typed.dropFirst())) != nil {
            return String(typed.dropFirst())
        }
        guard let (name, argument) = Self.parsed(typed) else { return typed }
        guard let command = all.first(where: { $0.name == name }) else { throw unknownCommand(name) }
        return try await command.text(argument, user)
    }

    /// Parses a slash, a word of letters and an argument. Returns nil for paths, fractions and other texts.
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

    private func unknownCommand(_ name: String) -> RoostError {
        let examples = all.map(\.example).joined(separator: ", ")
        return .invalid(
            field: "text",
            why: "There is no command /\(name)."
                + (examples.isEmpty ? "" : " Commands: \(examples).")
                + " To start a message with it, type two slashes: //\(name)")
    }
}
