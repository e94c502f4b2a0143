/// A README as GitHub rendered it, cleaned: nothing in it acts, and its pictures are named apart.
package struct Readme: Codable, Equatable, Hashable, Sendable {
    /// A piece of it, in their order.
    package enum Part: Codable, Equatable, Hashable, Sendable {
        /// HTML of the permitted elements and attributes alone, ready for a page. Elements may begin in one part and end
        /// in another.
        case markup(CleanMarkup)
        case picture(Picture)
    }

    package struct Picture: Codable, Equatable, Hashable, Sendable {
        /// Absolute, http or https; shown through `PictureCache`.
        package let url: String
        package let alt: String
        /// In pixels, 1 to 2,000, where the README names them.
        package let width: Int?
        package let height: Int?

        package init(url: String, alt: String, width: Int? = nil, height: Int? = nil) {
            self.url = url
            self.alt = alt
            self.width = width
            self.height = height
        }
    }

    package let parts: [Part]
    /// It was longer than Roost keeps.
    package let isCut: Bool

    package init(parts: [Part], isCut: Bool = false) {
        self.parts = parts
        self.isCut = isCut
    }
}
