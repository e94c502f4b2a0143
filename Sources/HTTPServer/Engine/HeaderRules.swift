/// What may stand in an answer's header (RFC 9110 section 5).
enum HeaderRules {
    /// A name is a token; a value holds no control character but the tab, so that no text of a user ends the
    /// line.
    static func isValid(_ header: Response.Header) -> Bool {
        !header.name.isEmpty && header.name.utf8.allSatisfy(isToken)
            && header.value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Whether this can be the value of `Host`: a name or an address, and a port (RFC 9110 section 7.2, RFC 3986 section
    /// 3.2.2); nothing at all can be.
    static func isHost(_ text: String) -> Bool {
        let bytes = text.utf8[...]
        let isLiteral = bytes.first == UInt8(ascii: "[")
        let host =
            isLiteral ? bytes.prefix { $0 != UInt8(ascii: "]") } : bytes.prefix { $0 != UInt8(ascii: ":") }
        var rest = bytes[host.endIndex...]
        if isLiteral, rest.popFirst() == nil { return false }
        if let colon = rest.popFirst() {
            guard colon == UInt8(ascii: ":"), rest.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return false
            }
        }
        return host.dropFirst(isLiteral ? 1 : 0).allSatisfy {
            isHostByte($0) || (isLiteral && $0 == UInt8(ascii: ":"))
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }

    /// What the server, or libmicrohttpd, says itself; `Connection: close` a handler may ask for.
    static func isServersOwn(_ header: Response.Header) -> Bool {
        if isSame(header.name, "Connection") { return !isSame(header.value, "close") }
        return ["Content-Length", "Transfer-Encoding", "Date"].contains { isSame($0, header.name) }
    }

    /// Without regard to the case of ASCII letters.
    static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
