import Foundation

/// What a person says of himself, checked.
package struct Profile: Sendable, Equatable {
    package let username: String
    package let email: String?
    package let displayName: String?

    /// Throws `RoostError.invalid` naming the field; an empty e-mail or display name is none.
    package init(username: String, email: String? = nil, displayName: String? = nil) throws {
        self.username = try Self.name(username, field: "username", what: "A user name")
        guard !self.username.contains("@") else {
            throw RoostError.invalid(
                field: "username", why: "A user name holds no “@”: the e-mail address has a field of its own."
            )
        }
        self.email = try Self.email(email)
        self.displayName = try Self.displayName(displayName)
    }

    /// Names are equal if their keys are: whatever their case, width or way of writing accents.
    package static func key(_ name: String) -> String {
        name.trimmed.precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCompatibilityMapping
    }

    static func displayName(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        return try name(text, field: "displayName", what: "A display name")
    }

    /// An address is only a name here: nothing is ever sent to it.
    static func email(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ isPrintable($0) && $0 != " " })
        else {
            throw RoostError.invalid(field: "email", why: "An e-mail address looks like ada@example.org.")
        }
        return text
    }

    private static func name(_ text: String, field: String, what: String) throws -> String {
        let name = text.trimmed
        // Code points, as the schema counts them.
        guard (1...64).contains(name.unicodeScalars.count), name.unicodeScalars.allSatisfy(isPrintable) else {
            throw RoostError.invalid(field: field, why: "\(what) has 1 to 64 characters.")
        }
        return name
    }

    /// Neither a control nor an invisible sign that would make two names look alike; emoji are joined by U+200D.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        case .format: scalar.value == 0x200D || scalar.value == 0x200C
        default: true
        }
    }
}
