/// A parsed content type or disposition, such as `multipart/form-data; boundary=x` (RFC 9110 section 8.3.1).
///
/// Parsed bytewise, because a combining mark in a file name can join a separator and change the Character.
struct MediaType {
    /// In lower case, without parameters.
    let essence: String
    private let header: [UInt8]

    private static let semicolon = UInt8(ascii: ";"), equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")

    init(_ header: String) {
        self.header = Array(header.utf8)
        let bytes = self.header.prefix { $0 != Self.semicolon }.filter { !Self.isSpace($0) }
        essence = String(decoding: bytes, as: UTF8.self).lowercased()
    }

    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    /// True for text in any form. Images, fonts and archives are compressed already.
    var isCompressible: Bool {
        essence.hasPrefix("text/") || isJSON || essence.hasSuffix("+xml")
            || ["application/javascript", "application/xml"].contains(essence)
    }

    /// Returns the first parameter of this name (in lower case), without quotes and escapes.
    func parameter(_ name: String) -> String? {
        var rest = header.drop { $0 != Self.semicolon }
        while !rest.isEmpty {
            rest = rest.dropFirst().drop(while: Self.isSpace)
            let key = rest.prefix { $0 != Self.equals && $0 != Self.semicolon }
            rest = rest[key.endIndex...]
            var value = ""
            if rest.first == Self.equals {
                rest = rest.dropFirst()
                value = Self.readValue(&rest)
            }
            if String(decoding: key, as: UTF8.self).lowercased() == name { return value }
            rest = rest.drop { $0 != Self.semicolon }
        }
        return nil
    }

    private static func readValue(_ rest: inout ArraySlice<UInt8>) -> String {
        guard rest.first == quote else {
            let token = rest.prefix { $0 != semicolon && $0 != UInt8(ascii: " ") }
            rest = rest[token.endIndex...]
            return String(decoding: token, as: UTF8.self)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            // Only these two are escaped: Windows paths contain single backslashes.
            if byte == backslash, let next = rest.first, next == quote || next == backslash {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
