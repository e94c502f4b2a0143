/// The cookies that a request carries (RFC 6265 section 4.2); values are given as sent, without decoding.
package struct Cookies: Sendable {
    private var values = NamedValues()

    package init(headers: Headers) {
        for header in headers.all("Cookie") {
            for field in header.split(separator: ";") {
                guard let equals = field.firstIndex(of: "=") else { continue }
                let name = Self.trimmed(field[..<equals])
                var value = Self.trimmed(field[field.index(after: equals)...])
                if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                    value = value.dropFirst().dropLast()
                }
                values.pairs.append((String(name), String(value)))
            }
        }
    }

    /// The first cookie of this name.
    package subscript(name: String) -> String? { values[name] }

    /// Every cookie of this name: browsers send several when paths or ports differ.
    package func all(_ name: String) -> [String] { values.all(name) }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
