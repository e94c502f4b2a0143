/// Safe HTML, which the sanitizer wrote or which is a literal in this program. It can be shown unescaped.
public struct CleanMarkup: Hashable, Sendable {
    /// Balanced, with every text and value escaped. It has no scripts, styles, forms or frames.
    public let html: String

    /// Wraps sanitized HTML, new or stored. Never pass other text: pages show it unescaped.
    public init(cleaned html: String) {
        self.html = html
    }
}

extension CleanMarkup: ExpressibleByStringLiteral {
    /// Takes a literal of the program as it is.
    public init(stringLiteral html: StaticString) {
        self.html = "\(html)"
    }
}

extension CleanMarkup: Codable {
    /// Reads what `encode(to:)` wrote. Decode only what was stored by the program itself.
    public init(from decoder: any Decoder) throws {
        html = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the HTML as a single string.
    public func encode(to encoder: any Encoder) throws {
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
