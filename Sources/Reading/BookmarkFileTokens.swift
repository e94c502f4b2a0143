import HTMLDocument

/// Reads the tags and texts of a bookmarks file (Netscape's or Pocket's). Such files are flat but may have tens of
/// megabytes because of icons in attributes. So no tree is built, and each byte is read once.
struct BookmarkFileTokens: Sequence, IteratorProtocol {
    enum Token: Equatable {
        /// The name is in lower case; duplicate attributes are dropped.
        case start(name: String, attributes: [String: String])
        case end(String)
        case text(String)
    }

    /// In bytes. Longer than any address or title that is kept; drops icons.
    static let maximumValue = 100_000
    /// Per tag.
    private static let maximumAttributes = 40

    private let bytes: [UInt8]
    private let maximumText: Int
    private var position = 0

    init(_ bytes: [UInt8], maximumText: Int = maximumValue) {
        self.bytes = bytes
        self.maximumText = maximumText
    }

    mutating func next() -> Token? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else { return .text(text()) }
            if let token = tag() { return token }
        }
        return nil
    }

    private mutating func text() -> String {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return HTMLEntities.decoded(bytes[start..<position].prefix(maximumText))
    }

    /// Skips a comment or a declaration and returns nil.
    private mutating func tag() -> Token? {
        position += 1
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "!") || bytes[position] == UInt8(ascii: "?") {
            skipDeclaration()
            return nil
        }
        if bytes[position] == UInt8(ascii: "/") {
            position += 1
            let name = name()
            skip(through: UInt8(ascii: ">"))
            return .end(name)
        }
        let name = name()
        // A lone "<" is text.
        guard !name.isEmpty else { return .text("<") }
        return .start(name: name, attributes: attributes())
    }

    private mutating func skipDeclaration() {
        guard bytes[position...].starts(with: "!--".utf8) else { return skip(through: UInt8(ascii: ">")) }
        position += 3
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        position = Swift.min(position + 3, bytes.count)
    }

    private mutating func skip(through byte: UInt8) {
        position = bytes[position...].firstIndex(of: byte).map { $0 + 1 } ?? bytes.count
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position].prefix(100).map(Self.lowercased), as: UTF8.self)
    }

    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            while position < bytes.count, Self.isSeparator(bytes[position]) { position += 1 }
            guard position < bytes.count else { return attributes }
            if bytes[position] == UInt8(ascii: ">") {
                position += 1
                return attributes
            }
            let key = name()
            guard !key.isEmpty else {
                // Skips a byte that does not begin a name.
                position += 1
                continue
            }
            let value = value()
            if attributes.count < Self.maximumAttributes, attributes[key] == nil { attributes[key] = value }
        }
    }

    private mutating func value() -> String {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
        position += 1
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        let start: Int
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            start = position + 1
            position = bytes[start...].firstIndex(of: quote) ?? bytes.count
            defer { position = Swift.min(position + 1, bytes.count) }
            return decoded(start..<position)
        }
        start = position
        while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">") {
            position += 1
        }
        return decoded(start..<position)
    }

    private func decoded(_ range: Range<Int>) -> String {
        range.count <= Self.maximumValue ? HTMLEntities.decoded(bytes[range]) : ""
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
    private static func isSeparator(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: "/") }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
