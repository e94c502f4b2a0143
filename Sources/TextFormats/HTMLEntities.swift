/// The character references of HTML that other programs write into their files.
///
/// Those of HTML 4's Latin-1 and the commonest of typography: what programs write escapes little more than its own
/// signs, and a name that is not here stays as it stands.
package enum HTMLEntities {
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
    private static let others: [String: UInt32] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "ndash": 0x2013, "mdash": 0x2014,
        "lsquo": 0x2018, "rsquo": 0x2019, "sbquo": 0x201A, "ldquo": 0x201C, "rdquo": 0x201D, "bdquo": 0x201E,
        "bull": 0x2022, "hellip": 0x2026, "euro": 0x20AC, "trade": 0x2122,
    ]
    private static let codes: [String: UInt32] = {
        var codes = others
        for (offset, name) in latin.splitBytes(at: " ").enumerated() {
            codes[String(name)] = 0xA0 + UInt32(offset)
        }
        return codes
    }()
    /// In bytes, between `&` and `;`.
    private static let maximumLength = 10

    package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "&"), let (scalar, next) = reference(bytes, at: place) {
                result += Array(String(Character(scalar)).utf8)
                place = next
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func reference(
        _ bytes: ArraySlice<UInt8>, at start: Int
    ) -> (Unicode.Scalar, next: Int)? {
        let rest = bytes[(start + 1)...].prefix(maximumLength + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        let code: UInt32? =
            if name.hasPrefix("#x") || name.hasPrefix("#X") {
                UInt32(name.dropFirst(2), radix: 16)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst())
            } else {
                codes[name]
            }
        guard let code, code != 0, let scalar = Unicode.Scalar(code) else { return nil }
        return (scalar, end + 1)
    }
}
