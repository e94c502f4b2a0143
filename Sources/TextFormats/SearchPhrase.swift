/// A word or a quoted phrase of a search, formatted for SQLite's FTS5.
package struct SearchPhrase: Equatable {
    /// In code points. Longer input is cut off.
    private static let maximumLength = 200
    private static let maximumWords = 16

    package let content: String
    /// True if it may be the beginning of a word that is still being typed.
    package var mayBePrefix = false

    /// In FTS5's quotation marks, such as `"hello"` or `"hel"*`, so that no part of it is FTS5 syntax.
    package func text(asBeginning: Bool) -> String {
        "\"" + content.replacingBytes(of: "\"", with: "\"\"") + "\"" + (asBeginning ? "*" : "")
    }

    /// Returns a search for all phrases.
    ///
    /// - Parameter isBeginning: whether the last phrase may be the beginning of a word
    package static func match(_ phrases: [SearchPhrase], isBeginning: Bool) -> String {
        phrases.enumerated().map { index, phrase in
            phrase.text(asBeginning: isBeginning && index == phrases.count - 1)
        }.joined(separator: " AND ")
    }

    /// Returns the phrases with at least one letter or digit, because nothing else is indexed. Text in quotation marks
    /// is one phrase. The last word may be incomplete unless it is followed by a space or by a script without spaces.
    package static func phrases(in text: String) -> [SearchPhrase] {
        let text = String(Substring(text.unicodeScalars.prefix(maximumLength))).sanitized
        var phrases: [SearchPhrase] = []
        for (index, part) in text.splitBytes(at: "\"", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                phrases += part.words.map { SearchPhrase(content: String($0)) }
            } else {
                phrases.append(SearchPhrase(content: String(part)))
            }
        }
        phrases = phrases.filter { SearchTokenizer.hasToken($0.content) }
        let isUnfinished = text.unicodeScalars.last.map(SearchTokenizer.mayContinue) ?? false
        if let last = phrases.indices.last, isUnfinished { phrases[last].mayBePrefix = true }
        return Array(phrases.prefix(maximumWords))
    }
}
