/// A part of sanitized text, without active content.
package enum MarkupPart: Codable, Equatable, Hashable, Sendable {
    /// HTML of allowed elements and attributes. Elements may begin in one part and end in another.
    case markup(CleanMarkup)
    case picture(MarkupPicture)
}

package struct MarkupPicture: Codable, Equatable, Hashable, Sendable {
    /// Absolute, http or https. Shown through `PictureCache`.
    package let url: String
    package let alt: String
    package var width: Int?
    package var height: Int?
}
