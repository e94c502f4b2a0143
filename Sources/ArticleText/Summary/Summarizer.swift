/// Makes a gist of a text out of its own sentences: what stands early, what is most like the whole, what says that it
/// comes to the point, and nothing twice.
///
/// The same text gives the same gist on each run: sums go in the order of the text, and no order comes out of a set.
package struct Summarizer {
    /// A long novel. Each sentence takes some 400 bytes while they are compared.
    private static let maximumScalars = 1_000_000

    /// The best sentences of a text, whole and in its order.
    ///
    /// A budget of words is kept, unless no sentence of the text fits into it: then the best one stands alone. A text
    /// without prose (a table, code) gives nothing. Of a very long text the beginning is read.
    ///
    /// - Parameters:
    ///   - text: a line a paragraph
    ///   - language: of ISO 639-1; guessed where nil
    package static func summary(
        of text: String, title: String? = nil, language: String? = nil, length: GistLength = .automatic
    ) -> [String] {
        let scalars = text.unicodeScalars.prefix(maximumScalars).map(\.value)
        let language = LanguageCode.primary(language) ?? LanguageGuess.language(of: scalars)
        return Prose(scalars, title: title, language: language)?.gist(length) ?? []
    }
}

/// How long a gist is.
package enum GistLength: Sendable, Equatable {
    /// Three to seven sentences, by the text's length.
    case automatic
    case sentences(Int)
    /// Words between blanks; of Chinese, Japanese and Thai two signs are a word.
    case words(Int)
}
