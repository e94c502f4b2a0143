/// The public address of Roost: "https://roost.example.org", with a port unless it is the default one.
package struct PublicURL: Sendable, Equatable, CustomStringConvertible {
    /// As browsers send it in `Origin`: "https://roost.example.org:8443", without the usual port.
    let origin: String
    /// As browsers send it in `Host`: the name with the port, if that is not the usual one.
    let authority: String
    /// The name alone, in lower case; an IPv6 address without its brackets.
    let host: String
    /// https.
    let isSecure: Bool

    package var description: String { origin }

    /// Nil unless the text is http or https, a name and possibly a port; a path, a query or a user name is an error.
    package init?(_ text: String) {
        let lower = text.lowercased()
        guard lower.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let scheme = ["https://", "http://"].first(where: lower.hasPrefix)
        else { return nil }
        var rest = lower.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let usual = scheme == "https://" ? 443 : 80
        guard let (name, port) = Self.split(rest), Self.isName(name) || Self.isIPv6(name) else { return nil }
        host = Self.isIPv6(name) ? String(name.dropFirst().dropLast()) : String(name)
        authority = port == nil || port == usual ? String(name) : "\(name):\(port ?? usual)"
        origin = scheme + authority
        isSecure = scheme == "https://"
    }

    /// True for a `Host` header with this name.
    func isNamed(by header: String) -> Bool { Host(header).name == host }

    /// True for the `Host` header of a browser that was given exactly this address, port included.
    func isAddressed(by header: String) -> Bool {
        PublicURL((isSecure ? "https://" : "http://") + header)?.authority == authority
    }

    private static func split(_ text: Substring) -> (Substring, Int?)? {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text[colon...].containsBytes("]")
        else { return (text, nil) }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), (1...65_535).contains(port)
        else { return nil }
        return (text[..<colon], port)
    }

    /// RFC 1123 section 2.1, with the underscore that some home networks use.
    private static func isName(_ text: Substring) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        return text.splitBytes(at: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.containsBytes(":") else { return false }
        return NetworkAddress(String(text.dropFirst().dropLast())) != nil && !text.containsBytes("%")
    }
}
