package import Foundation

/// What somebody looks for in his conversations.
package struct ChatSearchQuery: Equatable, Sendable {
    /// Words, all of which a message has; words in quotation marks stand together. The last word may be begun only,
    /// unless a blank follows it. Empty: whatever the filters say.
    package var text: String
    /// Nil: all conversations.
    package var conversation: ConversationID?
    package var from: UserID?
    /// Sent before this time.
    package var before: Date?
    package var hasImage: Bool
    /// Only what is older than this message: where the last page ended.
    package var cursor: Int64?

    package init(
        text: String, conversation: ConversationID? = nil, from: UserID? = nil, before: Date? = nil,
        hasImage: Bool = false, cursor: Int64? = nil
    ) {
        self.text = text
        self.conversation = conversation
        self.from = from
        self.before = before
        self.hasImage = hasImage
        self.cursor = cursor
    }

    /// In code points: what is longer is cut.
    private static let maximumLength = 200
    /// Further words are passed over.
    private static let maximumWords = 16
    /// Beginnings of so many letters have an index of their own.
    static let indexedBeginnings = 2...3

    /// Words that stand together, in FTS5's quotation marks.
    struct Phrase: Equatable {
        let words: String
        /// Whether it may go on, as the last word of what is being typed.
        var mayGoOn = false

        /// `"hello"`, or `"hel"*`: nothing in it is FTS5's syntax.
        func text(asBeginning: Bool) -> String {
            "\"" + words.replacingBytes(of: "\"", with: "\"\"") + "\"" + (asBeginning ? "*" : "")
        }
    }

    /// Those of the text that hold a letter or figure: nothing else is in the index.
    var phrases: [Phrase] {
        let text = String(Substring(text.unicodeScalars.prefix(Self.maximumLength))).sanitized
        var phrases: [Phrase] = []
        for (place, part) in text.splitBytes(at: "\"", omittingEmptySubsequences: false).enumerated() {
            if place.isMultiple(of: 2) {
                phrases += part.words.map { Phrase(words: String($0)) }
            } else {
                phrases.append(Phrase(words: String(part)))
            }
        }
        phrases = phrases.filter { $0.words.unicodeScalars.contains(where: Self.isIndexed) }
        let isFinished = text.unicodeScalars.last.map { !Self.isIndexed($0) } ?? true
        if let last = phrases.indices.last, !isFinished { phrases[last].mayGoOn = true }
        return Array(phrases.prefix(Self.maximumWords))
    }

    /// As FTS5's tokenizer "unicode61" has it: letters, figures and private signs.
    private static func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
