package import HTMLDocument

/// What the sanitizer asks about the place that a text comes from: where its links and pictures lead.
package protocol MarkupPolicy: Sendable {
    /// Of all that is written.
    var maximumBytes: Int { get }
    /// Pictures become parts of their own, for pages that know which of them are at hand.
    var keepsPicturesApart: Bool { get }
    /// What "h1" to "h6" are called here; each "h2" or deeper, for the page has its own first one.
    var headings: [String: String] { get }
    /// Classes of spans within code, by the name that they have in the source.
    var codeClasses: [String: String] { get }

    /// An element begins that `depth` others hold.
    mutating func meet(_ element: HTMLDocument.Element, depth: Int)
    /// Nil for what leads nowhere, and nowhere good.
    func link(_ text: String) -> MarkupLink?
    /// Absolute, http or https.
    func picture(_ text: String) -> String?
    /// The id of an element, with a prefix that no page of Roost uses; nil where nothing remains of its name.
    func place(_ name: String) -> String?
}

package enum MarkupLink: Equatable, Sendable {
    /// Absolute: http, https or mailto.
    case page(String)
    /// The id of an element of this text.
    case place(String)
}
