/// How long a gist is.
package enum GistLength: Sendable, Equatable {
    /// Three to seven sentences, by the text's length.
    case automatic
    case sentences(Int)
    /// Words between blanks; of Chinese, Japanese and Thai two signs are a word.
    case words(Int)
}
