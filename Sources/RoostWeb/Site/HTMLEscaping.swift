import Mustache

/// Escapes text for the content of an element and for a quoted attribute, byte by byte.
///
/// The library's own escaping looks at Characters, to which a browser does not hold: a sign that a letter before it
/// (U+0D4E) or a mark behind it (U+0301) joins is no longer equal to the sign, and goes out as it is.
struct HTMLEscaping: MustacheContentType {
    static let name = "ROOST-HTML"

    /// Before the first template that names it is compiled; again does no harm.
    static func register() { MustacheContentTypes.register(HTMLEscaping(), named: name) }

    func escapeText(_ text: String) -> String { Self.escape(text) }

    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { entity($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let entity = entity(byte) { bytes += entity.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entity(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
