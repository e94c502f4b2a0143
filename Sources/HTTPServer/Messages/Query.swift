import TextFormats

/// The decoded query of an address, such as `?q=dogwifhat&topic=a&topic=b`.
///
/// Invalid queries never reach a handler: the server answers 400.
public struct Query: Sendable {
    private let values: NamedValues

    init() { values = NamedValues() }

    /// Throws `RequestError.malformed` if an escape is invalid or the text is not UTF-8.
    public init(parsing text: some StringProtocol) throws {
        guard let values = NamedValues(urlencoded: Array(text.utf8)) else {
            throw RequestError.malformed("The query of the address is not properly encoded.")
        }
        self.values = values
    }

    /// The first value of this name, or nil.
    public subscript(name: String) -> String? { values[name] }

    /// Returns all values of this name in order.
    public func all(_ name: String) -> [String] { values.all(name) }

    /// All names and values in order.
    public var pairs: [(name: String, value: String)] { values.pairs }
}

/// Decoded names and values in the order sent, for queries, urlencoded forms and cookies.
struct NamedValues: Sendable {
    var pairs: [(name: String, value: String)] = []

    subscript(name: String) -> String? { pairs.first { Self.isSame($0.name, name) }?.value }

    func all(_ name: String) -> [String] { pairs.filter { Self.isSame($0.name, name) }.map(\.value) }

    /// Compares bytes, because comparing a name that is megabytes of accents as a String takes minutes.
    private static func isSame(_ name: String, _ other: String) -> Bool {
        name.utf8.elementsEqual(other.utf8)
    }

    /// Reads `a=1&b=2`, with `+` for a space. Returns nil if an escape is invalid or the text is not UTF-8.
    init?(urlencoded bytes: some Collection<UInt8>) {
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = field.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(halves[0], plusIsSpace: true),
                let value = halves.count < 2 ? "" : PercentEncoding.decode(halves[1], plusIsSpace: true)
            else { return nil }
            pairs.append((name, value))
        }
    }

    init() {}
}

/// A request's cookies (RFC 6265 section 5.4). Values are not decoded, and quotes around them are removed.
public struct Cookies: Sendable {
    private var values = NamedValues()

    /// Reads all `Cookie` headers. Skips what has no name.
    public init(headers: Headers) {
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

    /// The first value of this name, or nil.
    public subscript(name: String) -> String? { values[name] }

    /// Returns all cookies of this name: browsers send several if paths or ports differ.
    public func all(_ name: String) -> [String] { values.all(name) }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = text.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}
