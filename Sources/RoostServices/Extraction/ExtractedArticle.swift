package import Foundation

/// What of a page is worth reading.
package struct ExtractedArticle: Sendable, Equatable {
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
    let fragments: PageFragments
    /// The address that the page gives itself, absolute; nobody has checked it.
    package let canonical: String?
    package let kind: PageKind
    /// A line a paragraph; headings, list items, table rows and lines of code are lines.
    package let text: String
    /// Rebuilt from permitted elements; headings begin with `h2`, pictures have absolute addresses.
    package let markup: CleanMarkup
    package let wordCount: Int
}
