/// The reason why an item of a list was rejected, for the log.
package struct ValidationError: Error, Equatable, Sendable, CustomStringConvertible {
    package let field: String
    package let why: String

    package init(field: String, why: String) {
        self.field = field
        self.why = why
    }

    package var description: String { "\(field) \(why)" }

    /// In bytes, for a coin's texts; the longest known one has 71. A text of megabytes would fill every page.
    package static let maximumTextBytes = 200

    /// Throws for a text that is too long, or empty unless it `mayBeEmpty`.
    package static func check(_ texts: KeyValuePairs<String, String>, mayBeEmpty: Bool = false) throws {
        for (field, text) in texts {
            if text.isWhitespace, !mayBeEmpty { throw ValidationError(field: field, why: "is empty") }
            if text.utf8.count > maximumTextBytes { throw ValidationError(field: field, why: "is too long") }
        }
    }
}
