/// One segment of an address's path, percent-encoded: coin ids hold spaces, brackets and slashes.
package struct PathSegment: Sendable, CustomStringConvertible {
    package let description: String

    /// Everything but RFC 3986's unreserved characters is encoded; "." and ".." too: browsers resolve them.
    package init(_ raw: String) {
        let digits = Array("0123456789ABCDEF")
        let onlyDots = raw == "." || raw == ".."
        var text = ""
        for byte in raw.utf8 {
            let character = Character(UnicodeScalar(byte))
            let isPlain =
                byte < 0x80 && (character.isLetter || character.isNumber || "-_~".contains(character))
            if isPlain || (byte == UInt8(ascii: ".") && !onlyDots) {
                text.append(character)
            } else {
                text.append("%")
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            }
        }
        description = text
    }
}
