package import Foundation

package struct ExtractedArticle: Sendable, Equatable {
    /// True if the page exceeds the limit. The end of the text is missing, and its last paragraph says so.
    package let isCut: Bool
    /// Not nil if the text is only the article's beginning, because the site asks for a subscription or to sign in.
    package let paywall: Paywall?
    package let title: String?
    package let byline: String?
    package let siteName: String?
    /// BCP 47's primary subtag in lower case, such as "de".
    package let language: String?
    package let published: Date?
    package let excerpt: String?
    /// Absolute, http or https.
    package let leadImage: String?
    package let fragments: PageFragments
    /// The address that the page declares, absolute and not verified.
    package let canonical: String?
    package let kind: PageKind
    /// One line for each paragraph, heading, list item, table row and line of code.
    package let text: String
    /// Rebuilt from allowed elements. Headings begin with `h2`; pictures have absolute addresses.
    package let markup: CleanMarkup
    /// The readers' comments, a `blockquote` each, which are not part of the text. Nil if none were recognised.
    package let comments: CleanMarkup?
    package let wordCount: Int
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
