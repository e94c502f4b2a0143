import Foundation
import RoostSupport

/// What a person says of himself, checked.
package struct Profile: Sendable, Equatable {
    package let username: String
    package let email: String?
    package let displayName: String?

    /// Throws `RoostError.invalid` naming the field; an empty e-mail or display name is none.
    package init(username: String, email: String? = nil, displayName: String? = nil) throws {
        self.username = try Self.name(username, field: "username", what: "A user name")
        // The key, since wide forms of "@" are read as "@".
        guard !Self.key(username).containsBytes("@") else {
            throw RoostError.invalid(
                field: "username", why: "A user name holds no “@”: the e-mail address has a field of its own."
            )
        }
        try Self.checkLook(self.username, field: "username")
        self.email = try Self.email(email)
        self.displayName = try Self.displayName(displayName)
    }

    /// What somebody who is here already wants to be called; his user name stays, whatever the rules are today.
    init(of user: User, email: String?, displayName: String?) throws {
        username = user.username
        self.email = try Self.email(email)
        // So does a display name that is left as it was.
        let isKept = displayName != nil && displayName?.trimmed == user.displayName
        self.displayName = isKept ? user.displayName : try Self.displayName(displayName)
    }

    /// As it is.
    init(of user: User) {
        (username, email, displayName) = (user.username, user.email, user.displayName)
    }

    /// Names are equal if their keys are: whatever their case, width, spaces or way of writing accents, and whatever
    /// is in them that nobody sees.
    package static func key(_ name: String) -> String {
        // By way of upper case: "ς" and "σ" are one letter, and so are "ß" and "ss".
        let folded = name.precomposedStringWithCompatibilityMapping.uppercased().lowercased()
            .precomposedStringWithCompatibilityMapping
        let seen = folded.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(seen)).words
            .joined(separator: " ")
    }

    static func displayName(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let displayName = try name(text, field: "displayName", what: "A display name")
        guard !holdsHandle(displayName) else {
            throw RoostError.invalid(
                field: "displayName", why: "A display name can’t contain a user name such as “@ada”.")
        }
        try checkLook(displayName, field: "displayName")
        return displayName
    }

    /// Whether a name contains "@ada". Pages write user names like that next to display names, which must not bring their own.
    package static func holdsHandle(_ name: String) -> Bool {
        key(name).splitBytes(at: "@", omittingEmptySubsequences: false).dropFirst()
            .contains { !$0.isEmpty && !$0.hasPrefix(" ") }
    }

    private static func checkLook(_ name: String, field: String) throws {
        let lookalikes = NameLookalikes()
        guard !lookalikes.isReserved(name) else {
            throw RoostError.invalid(field: field, why: "Roost uses this name itself. Choose another one.")
        }
        guard !lookalikes.mixesScripts(name) else {
            throw RoostError.invalid(
                field: field,
                why: "Write each word of the name in one alphabet: some letters only look alike.")
        }
    }

    /// An address is only a name here: nothing is ever sent to it.
    static func email(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let parts =
            text.utf8.count <= maximumBytes ? text.splitBytes(at: "@", omittingEmptySubsequences: false) : []
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ isPrintable($0) && $0 != " " })
        else {
            throw RoostError.invalid(field: "email", why: "An e-mail address looks like ada@example.org.")
        }
        return text
    }

    /// What is longer can be no name and no address, and is not looked at more closely: folding marks upon marks takes
    /// the square of their number.
    static let maximumBytes = 400

    private static func name(_ text: String, field: String, what: String) throws -> String {
        let name = text.utf8.count <= maximumBytes ? text.trimmed : ""
        // Code points, as the schema counts them.
        let hasLength = (1...64).contains(name.unicodeScalars.count)
        if hasLength, let fault = NameFault(in: name) {
            throw RoostError.invalid(field: field, why: fault.sentence(what))
        }
        guard hasLength, name.unicodeScalars.allSatisfy(isPrintable), !key(name).isEmpty else {
            throw RoostError.invalid(field: field, why: "\(what) has 1 to 64 characters.")
        }
        return name
    }

    /// Neither a control nor an invisible sign that would make two names look alike; emoji are joined by U+200D.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        case .format: scalar.value == 0x200D || scalar.value == 0x200C
        default: true
        }
    }
}
