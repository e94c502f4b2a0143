/// Summarises a text with its own sentences: those that are early, similar to the whole, or announce the main point,
/// without repetition.
///
/// The same text gives the same gist in each run: sums follow the order of the text, and no order depends on a set.
public struct Summarizer {
    /// Enough for a long novel. Each sentence takes about 400 bytes during the comparison.
    private static let maximumScalars = 1_000_000

    /// Returns the best sentences of a text in their original order.
    ///
    /// A word limit is kept unless no sentence fits; then the best one is returned alone. Text without prose (a table,
    /// code) gives nothing. Only the beginning of a very long text is read.
    ///
    /// - Parameters:
    ///   - text: one paragraph on each line
    ///   - title: sentences with its words are preferred
    ///   - language: an ISO 639-1 code, or nil to guess it
    public static func summary(
        of text: String, title: String? = nil, language: String? = nil, length: GistLength = .automatic
    ) -> [String] {
        let scalars = text.unicodeScalars.prefix(maximumScalars).map(\.value)
        let language = LanguageCode.primary(language) ?? LanguageGuess.language(of: scalars)
        return Prose(scalars, title: title, language: language)?.gist(length) ?? []
    }
}

/// How long a summary is.
public enum GistLength: Sendable, Equatable {
    /// Three to seven sentences, depending on the text's length.
    case automatic
    /// At most this many sentences.
    case sentences(Int)
    /// Words separated by spaces. In Chinese, Japanese and Thai two characters count as a word.
    case words(Int)
}
