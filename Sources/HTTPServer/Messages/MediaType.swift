/// A content type or disposition taken apart: `multipart/form-data; boundary=x` (RFC 9110 section 8.3.1).
struct MediaType {
    /// In lower case, without parameters.
    let essence: String
    private let header: String

    init(_ header: String) {
        self.header = header
        essence = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }

    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") }

    /// Whether compression pays: text in any form; images, fonts and archives are compressed already.
    var isCompressible: Bool {
        essence.hasPrefix("text/") || isJSON || essence.hasSuffix("+xml")
            || ["application/javascript", "application/xml"].contains(essence)
    }

    /// The first parameter of this name (in lower case); a quoted one loses its quotes and backslashes before
    /// them.
    func parameter(_ name: String) -> String? {
        var rest = header.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let key = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[key.endIndex...]
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst()
                value = Self.takeValue(&rest)
            }
            if key.lowercased() == name { return value }
            rest = rest.drop { $0 != ";" }
        }
        return nil
    }

    private static func takeValue(_ rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" && $0 != " " }
            rest = rest[token.endIndex...]
            return String(token)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            // Only these two are escapes: Windows paths come with lone backslashes.
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                value.append(next)
                rest = rest.dropFirst()
            } else {
                value.append(character)
            }
        }
        return value
    }
}
