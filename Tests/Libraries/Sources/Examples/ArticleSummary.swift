import ArticleText

/// ArticleText: the article of a page without its menus and advertisements, and a summary in its own sentences.
enum ArticleSummary {
    /// Throws `ExtractionError` for a page that is too long or would take too long to read.
    static func lines(ofPage html: [UInt8], at url: String) throws(ExtractionError) -> [String] {
        let article = try ArticleExtractor.extract(html, charset: nil, url: url)
        guard article.paywall == nil else { return ["The site shows only the beginning."] }
        let summary = Summarizer.summary(
            of: article.text, title: article.title, language: article.language, length: .sentences(2))
        let language = article.language ?? LanguageGuess.language(of: article.text) ?? "unknown"
        return [
            "\(article.title ?? "Untitled") by \(article.byline ?? "unknown")",
            "\(article.wordCount) words, \(article.kind.rawValue), language: \(language)",
        ] + summary.map { "- \($0)" }
    }
}
