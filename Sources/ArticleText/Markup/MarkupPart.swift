/// A piece of a stranger's text, cleaned: nothing in it acts.
package enum MarkupPart: Codable, Equatable, Hashable, Sendable {
    /// HTML of the permitted elements and attributes alone, ready for a page. Elements may begin in one part and end
    /// in another.
    case markup(CleanMarkup)
    case picture(MarkupPicture)
}

package struct MarkupPicture: Codable, Equatable, Hashable, Sendable {
    /// Absolute, http or https; shown through `PictureCache`.
    package let url: String
    package let alt: String
    /// In pixels, 1 to 2,000, where the text names them.
    package let width: Int?
    package let height: Int?

    package init(url: String, alt: String, width: Int? = nil, height: Int? = nil) {
        self.url = url
        self.alt = alt
        self.width = width
        self.height = height
    }
}
