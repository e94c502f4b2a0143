import Foundation
import RoostSupport

package struct Profile: Sendable, Equatable {
    package let username: String
    package let email: String?
    package let displayName: String?

    /// Throws `RoostError.invalid` with the field. An empty e-mail address or display name counts as none.
    package init(username: String, email: String? = nil, displayName: String? = nil) throws {
        self.username = try Self.name(username, field: "username", what: "A user name")
        // Checks the key, since it maps wide forms of "@" to "@".
        guard !Self.key(username).containsBytes("@") else {
            throw RoostError.invalid(
                field: "username",
                why: "A user name can’t contain “@”. Enter the e-mail address in its own field.")
        }
        try Self.checkLookalikes(self.username, field: "username")
        self.email = try Self.email(email)
        self.displayName = try Self.displayName(displayName)
    }

    /// Changes an existing user's profile. The user name stays, even if today's rules would refuse it.
    init(of user: User, email: String?, displayName: String?) throws {
        username = user.username
        self.email = try Self.email(email)
        let isUnchanged = displayName != nil && displayName?.trimmed == user.displayName
        self.displayName = isUnchanged ? user.displayName : try Self.displayName(displayName)
    }

    init(of user: User) {
        (username, email, displayName) = (user.username, user.email, user.displayName)
    }

    /// The key by which names are compared. Ignores case, width, spaces, invisible code points, and the way accents are
    /// encoded.
    package static func key(_ name: String) -> String {
        // Via upper case, which unites "ς" with "σ", and "ß" with "ss".
        let folded = name.precomposedStringWithCompatibilityMapping.uppercased().lowercased()
            .precomposedStringWithCompatibilityMapping
        let seen = folded.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        return String(String.UnicodeScalarView(seen)).words
            .joined(separator: " ")
    }

    static func displayName(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let displayName = try name(text, field: "displayName", what: "A display name")
        guard !containsHandle(displayName) else {
            throw RoostError.invalid(
                field: "displayName", why: "A display name can’t contain a user name such as “@ada”.")
        }
        try checkLookalikes(displayName, field: "displayName")
        return displayName
    }

    /// Whether a name contains a handle such as "@ada". Pages write user names like that next to display names.
    package static func containsHandle(_ name: String) -> Bool {
        key(name).splitBytes(at: "@", omittingEmptySubsequences: false).dropFirst()
            .contains { !$0.isEmpty && !$0.hasPrefix(" ") }
    }

    private static func checkLookalikes(_ name: String, field: String) throws {
        let lookalikes = NameLookalikes()
        guard !lookalikes.isReserved(name) else {
            throw RoostError.invalid(field: field, why: "Roost uses this name. Choose another one.")
        }
        guard !lookalikes.mixesScripts(name) else {
            throw RoostError.invalid(
                field: field,
                why: "Use one alphabet in each word of the name. Some letters only look alike.")
        }
    }

    /// An address is only an identifier here: nothing is sent to it.
    static func email(_ text: String?) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let parts =
            text.utf8.count <= maximumBytes ? text.splitBytes(at: "@", omittingEmptySubsequences: false) : []
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= maximumEmail,
            text.unicodeScalars.allSatisfy({ isPrintable($0) && $0 != " " })
        else {
            throw RoostError.invalid(field: "email", why: "Enter an e-mail address such as ada@example.org.")
        }
        return text
    }

    /// Longer input is rejected unread: the time to fold combining marks grows with the square of their number.
    static let maximumBytes = 400

    /// Of an e-mail address, in bytes.
    package static let maximumEmail = 254

    /// Of a user name and a display name, in code points.
    package static let possibleName = 1...64

    private static func name(_ text: String, field: String, what: String) throws -> String {
        let name = text.utf8.count <= maximumBytes ? text.trimmed : ""
        // Code points, as in the schema.
        let hasLength = possibleName.contains(name.unicodeScalars.count)
        if hasLength, let fault = NameFault(in: name) {
            throw RoostError.invalid(field: field, why: fault.sentence(what))
        }
        guard hasLength, name.unicodeScalars.allSatisfy(isPrintable), !key(name).isEmpty else {
            throw RoostError.invalid(field: field, why: "\(what) has 1 to 64 characters.")
        }
        return name
    }

    /// False for control characters and for invisible ones that would make two names look alike. Emoji are joined by
    /// U+200D.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        case .format: scalar.value == 0x200D || scalar.value == 0x200C
        default: true
        }
    }
}
