/// Words that somebody looks for and that stand together, as SQLite's FTS5 takes them.
package struct SearchPhrase: Equatable {
    /// In code points: what is longer is cut.
    private static let maximumLength = 200
    /// Further words are passed over.
    private static let maximumWords = 16

    package let words: String
    /// Whether it may go on, as the last word of what is being typed.
    package var mayGoOn = false

    /// In FTS5's quotation marks: `"hello"`, or `"hel"*`; nothing in it is FTS5's syntax.
    package func text(asBeginning: Bool) -> String {
        "\"" + words.replacingBytes(of: "\"", with: "\"\"") + "\"" + (asBeginning ? "*" : "")
    }

    /// Those of a text that hold a letter or figure: nothing else is in an index. What stands in quotation marks is one
    /// phrase; the last word may be begun only, unless a blank follows it.
    package static func phrases(in text: String) -> [SearchPhrase] {
        let text = String(Substring(text.unicodeScalars.prefix(maximumLength))).sanitized
        var phrases: [SearchPhrase] = []
        for (place, part) in text.splitBytes(at: "\"", omittingEmptySubsequences: false).enumerated() {
            if place.isMultiple(of: 2) {
                phrases += part.words.map { SearchPhrase(words: String($0)) }
            } else {
                phrases.append(SearchPhrase(words: String(part)))
            }
        }
        phrases = phrases.filter { $0.words.unicodeScalars.contains(where: isIndexed) }
        let isFinished = text.unicodeScalars.last.map { !isIndexed($0) } ?? true
        if let last = phrases.indices.last, !isFinished { phrases[last].mayGoOn = true }
        return Array(phrases.prefix(maximumWords))
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
