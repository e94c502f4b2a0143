import TextFormats

/// The tags and texts of a bookmarks file (Netscape's format and Pocket's), one after the other.
///
/// Such files are flat and may have tens of megabytes, with browsers' icons in their attributes: no parser builds a tree
/// here, and each byte is looked at once.
struct BookmarkFileTokens: Sequence, IteratorProtocol {
    enum Token: Equatable {
        /// Small letters; of attributes the first of a name.
        case start(name: String, attributes: [String: String])
        case end(String)
        case text(String)
    }

    /// Longer than any address or title that is kept: browsers' icons.
    static let maximumValue = 100_000
    /// Of one tag.
    private static let maximumAttributes = 40

    private let bytes: [UInt8]
    private let maximumText: Int
    private var place = 0

    init(_ bytes: [UInt8], maximumText: Int = maximumValue) {
        self.bytes = bytes
        self.maximumText = maximumText
    }

    mutating func next() -> Token? {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else { return .text(text()) }
            if let token = tag() { return token }
        }
        return nil
    }

    private mutating func text() -> String {
        let start = place
        place = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return HTMLEntities.decoded(bytes[start..<place].prefix(maximumText))
    }

    /// Nil for a comment or a declaration, which are passed over.
    private mutating func tag() -> Token? {
        place += 1
        guard place < bytes.count else { return nil }
        if bytes[place] == UInt8(ascii: "!") || bytes[place] == UInt8(ascii: "?") {
            passDeclaration()
            return nil
        }
        if bytes[place] == UInt8(ascii: "/") {
            place += 1
            let name = name()
            pass(through: UInt8(ascii: ">"))
            return .end(name)
        }
        let name = name()
        // A sign alone is a text.
        guard !name.isEmpty else { return .text("<") }
        return .start(name: name, attributes: attributes())
    }

    private mutating func passDeclaration() {
        guard bytes[place...].starts(with: "!--".utf8) else { return pass(through: UInt8(ascii: ">")) }
        place += 3
        while place < bytes.count, !bytes[place...].starts(with: "-->".utf8) { place += 1 }
        place = Swift.min(place + 3, bytes.count)
    }

    private mutating func pass(through byte: UInt8) {
        place = bytes[place...].firstIndex(of: byte).map { $0 + 1 } ?? bytes.count
    }

    /// In small letters.
    private mutating func name() -> String {
        let start = place
        while place < bytes.count, Self.isNamePart(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place].prefix(100).map(Self.lowercased), as: UTF8.self)
    }

    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            while place < bytes.count, Self.isBetween(bytes[place]) { place += 1 }
            guard place < bytes.count else { return attributes }
            if bytes[place] == UInt8(ascii: ">") {
                place += 1
                return attributes
            }
            let key = name()
            guard !key.isEmpty else {
                // Whatever it is, it names nothing.
                place += 1
                continue
            }
            let value = value()
            if attributes.count < Self.maximumAttributes, attributes[key] == nil { attributes[key] = value }
        }
    }

    private mutating func value() -> String {
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return "" }
        place += 1
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count else { return "" }
        let quote = bytes[place]
        let start: Int
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            start = place + 1
            place = bytes[start...].firstIndex(of: quote) ?? bytes.count
            defer { place = Swift.min(place + 1, bytes.count) }
            return decoded(start..<place)
        }
        start = place
        while place < bytes.count, !Self.isSpace(bytes[place]), bytes[place] != UInt8(ascii: ">") {
            place += 1
        }
        return decoded(start..<place)
    }

    private func decoded(_ range: Range<Int>) -> String {
        range.count <= Self.maximumValue ? HTMLEntities.decoded(bytes[range]) : ""
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) }
    private static func isBetween(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: "/") }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
