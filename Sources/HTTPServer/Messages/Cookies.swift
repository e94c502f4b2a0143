/// The cookies that a request carries (RFC 6265 section 4.2); values are given as sent, without decoding.
package struct Cookies: Sendable {
    private var values = NamedValues()

    package init(headers: Headers) {
        for header in headers.all("Cookie") {
            for field in header.utf8.split(separator: UInt8(ascii: ";")) {
                guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = Self.trimmed(field[..<equals])
                var value = Self.trimmed(field[field.index(after: equals)...])
                let quote = UInt8(ascii: "\"")
                if value.count >= 2, value.first == quote, value.last == quote {
                    value = value.dropFirst().dropLast()
                }
                values.pairs.append((String(Substring(name)), String(Substring(value))))
            }
        }
    }

    /// The first cookie of this name.
    package subscript(name: String) -> String? { values[name] }

    /// Every cookie of this name: browsers send several when paths or ports differ.
    package func all(_ name: String) -> [String] { values.all(name) }

    /// Byte by byte: there is nothing but ASCII between the parts.
    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}
