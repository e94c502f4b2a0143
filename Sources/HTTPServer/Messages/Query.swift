/// The decoded query of a request's address: `?q=dogwifhat&topic=a&topic=b`.
///
/// A query that cannot be decoded never reaches a handler: the server answers 400 itself.
package struct Query: Sendable {
    private let values: NamedValues

    init() { values = NamedValues() }

    /// Throws `RequestError.malformed` if an escape is broken or the text is no UTF-8.
    package init(parsing text: some StringProtocol) throws {
        guard let values = NamedValues(urlencoded: Array(text.utf8)) else {
            throw RequestError.malformed("The query of the address is not properly encoded.")
        }
        self.values = values
    }

    /// The first value of this name.
    package subscript(name: String) -> String? { values[name] }

    /// Every value of this name, in the order sent.
    package func all(_ name: String) -> [String] { values.all(name) }

    /// All names and values, in the order sent.
    package var pairs: [(name: String, value: String)] { values.pairs }
}

/// Decoded names and values in the order sent: what a query, an urlencoded form and a cookie header have in
/// common.
struct NamedValues: Sendable {
    var pairs: [(name: String, value: String)] = []

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Reads `a=1&b=2`, with `+` for a space; nil if an escape is broken or a text is no UTF-8.
    init?(urlencoded bytes: some Collection<UInt8>) {
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = field.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(halves[0], plusIsSpace: true),
                let value = halves.count < 2 ? "" : PercentCoding.decode(halves[1], plusIsSpace: true)
            else { return nil }
            pairs.append((name, value))
        }
    }

    init() {}
}

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
