package import HTMLDocument

/// The rules of the sanitizer for a certain source, such as how to resolve links and pictures.
package protocol MarkupPolicy: Sendable {
    var maximumBytes: Int { get }
    /// True to make pictures separate parts, for pages that know which of them are stored.
    var separatesPictures: Bool { get }
    /// The replacements for "h1" to "h6": each "h2" or deeper, because the page has its own "h1".
    var headings: [String: String] { get }
    /// The classes of spans within code, keyed by their names in the source.
    var codeClasses: [String: String] { get }

    /// Called for an element that begins within `depth` others.
    mutating func visit(_ element: HTMLDocument.Element, depth: Int)
    /// Returns nil for a link that is invalid or not allowed.
    func link(_ text: String) -> MarkupLink?
    func picture(_ text: String) -> String?
    /// The id of an element, with a prefix that Roost's pages do not use; nil if nothing is left of its name.
    func elementID(_ name: String) -> String?
}

package enum MarkupLink: Equatable, Sendable {
    case page(String)
    /// The id of an element in this text.
    case fragment(String)
}
