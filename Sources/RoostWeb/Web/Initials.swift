/// The one or two letters that stand for something until there is a picture.
package struct Initials: Sendable {
    package let text: String

    /// The first letters of the first and the last word: "Ada Lovelace" is "AL"; of one word the first alone.
    /// What is neither letter nor figure is passed over, "?" is left where nothing else is.
    package init(_ name: String, limit: Int = 2) {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let chosen =
            words.count > 1 && limit > 1 ? [words[0], words[words.count - 1]] : Array(words.prefix(1))
        let letters = chosen.compactMap(\.first).map { String($0).uppercased().prefix(1) }.joined()
        text = letters.isEmpty ? "?" : letters
    }
}
