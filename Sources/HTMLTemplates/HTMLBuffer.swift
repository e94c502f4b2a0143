/// HTML while it is written: bytes of UTF-8.
///
/// Templates write into it by the methods that the template compiler calls. Text is escaped byte by byte; what is
/// already HTML comes in as a `StaticString`, which only a program's source can hold, or as `TrustedHTML`.
public struct HTMLBuffer {
    public private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: bytes to make room for at once; more are taken as they are needed
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Adds what the template itself says, as it stands.
    public mutating func literal(_ html: StaticString) {
        html.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds a text, escaped: `{{name}}`.
    @inlinable
    public mutating func text(_ text: some HTMLText) {
        text.write(into: &self)
    }

    /// Adds a text, escaped, or nothing.
    @inlinable
    public mutating func text(_ text: (some HTMLText)?) {
        text?.write(into: &self)
    }

    /// Adds "true" or "false", as attributes such as `aria-pressed` want it.
    public mutating func text(_ flag: Bool) {
        literal(flag ? "true" : "false")
    }

    /// Adds HTML that was made elsewhere: `{{{name}}}`.
    public mutating func raw(_ html: some TrustedHTML) {
        append(html.html)
    }

    /// Adds HTML that was made elsewhere, or nothing.
    public mutating func raw(_ html: (some TrustedHTML)?) {
        if let html { append(html.html) }
    }

    /// Adds text with `& < > " '` as entities, so that it may stand between tags and in a quoted attribute.
    ///
    /// It looks at bytes, not at characters: to Swift a quotation mark with a combining accent is another character
    /// than a quotation mark, but to a browser it ends the attribute all the same.
    public mutating func escape(_ text: String) {
        var text = text
        text.withUTF8 { escape($0) }
    }

    /// Adds text with `& < > " '` as entities.
    public mutating func escape(_ text: Substring) {
        var text = text
        text.withUTF8 { escape($0) }
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for index in text.indices where Self.isSpecial(text[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
            literal(Self.entity(text[index]))
            plain = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    }

    private mutating func append(_ html: String) {
        var html = html
        html.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Whether it is one of the five. All lie below 64, so that one word of bits knows them.
    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        let specials: UInt64 = 1 << 0x22 | 1 << 0x26 | 1 << 0x27 | 1 << 0x3C | 1 << 0x3E
        return byte < 64 && specials &>> UInt64(byte) & 1 == 1
    }

    private static func entity(_ byte: UInt8) -> StaticString {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        default: "&#39;"
        }
    }
}
