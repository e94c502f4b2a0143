public import Foundation

/// The article of a web page, or of another file: its text without menus, advertisements and comments, and what the
/// page says about it.
public struct ExtractedArticle: Sendable, Equatable {
    /// True if the page exceeds the limit. The end of the text is missing, and its last paragraph says so.
    public let isCut: Bool
    /// Not nil if the text is only the article's beginning, because the site asks for a subscription or to sign in.
    public let paywall: Paywall?
    /// Without the site's name.
    public let title: String?
    /// The authors, as the page names them.
    public let byline: String?
    /// The site's name, as the page says it.
    public let siteName: String?
    /// BCP 47's primary subtag in lower case, such as "de".
    public let language: String?
    /// When the page says that it was first published.
    public let published: Date?
    /// The page's own description, or the text's beginning.
    public let excerpt: String?
    /// The picture that the page shows with links to it, or its first one. Absolute, http or https.
    public let leadImage: String?
    /// The names that links into the page can use.
    public let fragments: PageFragments
    /// The address that the page declares, absolute and not verified.
    public let canonical: String?
    /// What the page is for.
    public let kind: PageKind
    /// One line for each paragraph, heading, list item, table row and line of code.
    public let text: String
    /// Rebuilt from allowed elements. Headings begin with `h2`; pictures have absolute addresses.
    public let markup: CleanMarkup
    /// The readers' comments, a `blockquote` each, which are not part of the text. Nil if none were recognised.
    public let comments: CleanMarkup?
    /// Of `text`. In Chinese and Japanese, three characters count as two words.
    public let wordCount: Int
}

extension ExtractedArticle {
    /// The text of a file that is not a web page, such as a PDF.
    package init(
        title: String?, byline: String?, published: Date?, text: String, markup: CleanMarkup, wordCount: Int,
        isCut: Bool
    ) {
        self.init(
            isCut: isCut, paywall: nil, title: title, byline: byline, siteName: nil, language: nil,
            published: published, excerpt: nil, leadImage: nil, fragments: .none, canonical: nil,
            kind: .article, text: text, markup: markup, comments: nil, wordCount: wordCount)
    }
}
