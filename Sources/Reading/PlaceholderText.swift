import TextFormats

/// Recognizes the sentence that a program saved in place of a text that it could not get. Such an article is fetched,
/// or stays a link.
enum PlaceholderText {
    /// In bytes of markup. A longer text is an article that mentions such a sentence.
    private static let maximumLength = 1_500

    private static let sentences = [
        // wallabag, in its languages
        "wallabag can't retrieve contents for this article", "wallabag kann keinen inhalt für diesen artikel",
        "wallabag ne peut pas récupérer le contenu", "wallabag no puede obtener el contenido",
        // FiveFilters, which wallabag and feed readers use
        "unable to retrieve full-text content", "unable to retrieve full text content",
        // Readability and programs that use it
        "readability was unable to parse this page", "unable to parse this page for content",
        // Omnivore
        "your link is being saved", "we were unable to retrieve the content", "failed to fetch content",
        // Pocket, Instapaper and others
        "this page could not be saved", "this article could not be retrieved",
        "content could not be extracted",
        "we could not load the article", "could not extract the content", "no content available",
        "the content could not be downloaded", "failed to extract content",
    ]

    static func isPlaceholder(_ html: String) -> Bool {
        guard html.utf8.count <= maximumLength else { return false }
        let text = html.lowercased().replacingBytes(of: "’", with: "'").replacingBytes(of: "&#39;", with: "'")
            .replacingBytes(of: "&rsquo;", with: "'").words.joined(separator: " ")
        return sentences.contains { text.containsBytes($0) }
    }
}
