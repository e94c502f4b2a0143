/// HTML of which every part is known: the cleaner wrote it, or it stands in this program's own source. It may be shown as
/// it is.
package struct CleanMarkup: Hashable, Sendable {
    package let html: String

    /// Wraps what the sanitizer wrote, now or before it was stored. Never pass other text: pages show this unescaped.
    package init(cleaned html: String) {
        self.html = html
    }
}

extension CleanMarkup: ExpressibleByStringLiteral {
    package init(stringLiteral html: StaticString) {
        self.html = "\(html)"
    }
}

/// It is kept as a text.
extension CleanMarkup: Codable {
    package init(from decoder: any Decoder) throws {
        html = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}
