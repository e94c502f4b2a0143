/// Safe HTML, which the sanitizer wrote or which is a literal in this program. It can be shown unescaped.
package struct CleanMarkup: Hashable, Sendable {
    package let html: String

    /// Wraps sanitized HTML, new or stored. Never pass other text: pages show it unescaped.
    package init(cleaned html: String) {
        self.html = html
    }
}

extension CleanMarkup: ExpressibleByStringLiteral {
    package init(stringLiteral html: StaticString) {
        self.html = "\(html)"
    }
}

extension CleanMarkup: Codable {
    package init(from decoder: any Decoder) throws {
        html = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}

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
