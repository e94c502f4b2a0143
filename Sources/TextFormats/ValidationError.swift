/// Why one item of a list was refused, in words for the log.
package struct ValidationError: Error, Equatable, Sendable, CustomStringConvertible {
    package let field: String
    package let why: String

    package init(field: String, why: String) {
        self.field = field
        self.why = why
    }

    package var description: String { "\(field) \(why)" }

    /// The longest text of a coin, in bytes; the longest known has 71. One of megabytes would fill every page.
    package static let maximumTextBytes = 200

    /// Throws for a text that is far too long, or empty unless it `mayBeEmpty`.
    package static func check(_ texts: KeyValuePairs<String, String>, mayBeEmpty: Bool = false) throws {
        for (field, text) in texts {
            if text.isWhitespace, !mayBeEmpty { throw ValidationError(field: field, why: "is empty") }
            if text.utf8.count > maximumTextBytes { throw ValidationError(field: field, why: "is too long") }
        }
    }
}
