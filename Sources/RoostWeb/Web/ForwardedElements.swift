/// The list in a `Forwarded` header (RFC 7239 section 4): elements between commas, pairs between semicolons.
struct ForwardedElements {
    private var rest: Substring.UTF8View

    /// Each element's pairs by name in lower case; nil if the text does not follow the grammar, or names a thing twice.
    static func parse(_ text: String) -> [[String: String]]? {
        var parser = ForwardedElements(rest: text[...].utf8)
        var elements: [[String: String]] = []
        while true {
            parser.skipSpace()
            // Empty elements of a list are passed over (RFC 9110 section 5.6.1.2).
            if parser.take(",") { continue }
            if parser.rest.isEmpty { return elements }
            guard let element = parser.element() else { return nil }
            elements.append(element)
            parser.skipSpace()
            guard parser.rest.isEmpty || parser.take(",") else { return nil }
        }
    }

    private mutating func element() -> [String: String]? {
        var pairs: [String: String] = [:]
        repeat {
            // The grammar has no space here, but several proxies write one.
            skipSpace()
            guard let name = token(), take("="), let value = take("\"") ? quoted() : token(),
                pairs.updateValue(value, forKey: name.lowercased()) == nil
            else { return nil }
        } while take(";")
        return pairs
    }

    /// RFC 9110 section 5.6.2.
    private mutating func token() -> String? {
        let token = rest.prefix { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        guard !token.isEmpty else { return nil }
        rest = rest.dropFirst(token.count)
        return String(token)
    }

    /// What follows the opening quotation mark, up to the closing one (RFC 9110 section 5.6.4).
    private mutating func quoted() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            bytes.append(escaped)
        }
        return nil
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }
}
