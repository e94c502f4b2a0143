package import Foundation

/// What of a page is worth reading.
package struct ExtractedArticle: Sendable, Equatable {
    /// The page is larger than Roost reads: the end of the text is missing, and its last paragraph says so.
    package let isCut: Bool
    package let title: String?
    /// "Ada Lovelace, Grace Hopper".
    package let byline: String?
    package let siteName: String?
    /// BCP 47's primary part in small letters: "de".
    package let language: String?
    package let published: Date?
    /// A sentence or two about it.
    package let excerpt: String?
    /// Absolute, http or https.
    package let leadImage: String?
    /// What the fragment of an address may mean in the page.
    package let fragments: PageFragments
    /// The address that the page gives itself, absolute; nobody has checked it.
    package let canonical: String?
    package let kind: PageKind
    /// A line a paragraph; headings, list items, table rows and lines of code are lines.
    package let text: String
    /// Rebuilt from permitted elements; headings begin with `h2`, pictures have absolute addresses.
    package let markup: CleanMarkup
    package let wordCount: Int
}
