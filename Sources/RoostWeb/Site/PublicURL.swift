import TextFormats

/// The public address of Roost: "https://roost.example.org", with a port unless it is the default one.
package struct PublicURL: Sendable, Equatable, CustomStringConvertible {
    /// The `Origin` header that browsers send: "https://roost.example.org:8443", without a default port.
    package let origin: String
    /// The `Host` header that browsers send: the name, with the port unless it is the default.
    package let authority: String
    /// The name in lower case; an IPv6 address has no brackets.
    package let host: String
    package let isSecure: Bool

    package var description: String { origin }

    /// Returns nil unless the text is http or https, a host and an optional port. A path, query or user name is
    /// invalid.
    package init?(_ text: String) {
        let lower = text.lowercased()
        guard lower.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let scheme = ["https://", "http://"].first(where: lower.hasPrefix)
        else { return nil }
        var rest = lower.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let defaultPort = scheme == "https://" ? 443 : 80
        guard let (name, port) = Self.split(rest), Self.isName(name) || Self.isIPv6(name) else { return nil }
        host = Self.isIPv6(name) ? String(name.dropFirst().dropLast()) : String(name)
        authority = port == nil || port == defaultPort ? String(name) : "\(name):\(port ?? defaultPort)"
        origin = scheme + authority
        isSecure = scheme == "https://"
    }

    package func isNamed(by header: String) -> Bool { Host(header).name == host }

    /// True if a browser sends this `Host` header for exactly this URL, port included.
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
        text.hasPrefix("[") && text.hasSuffix("]") && IPAddress(host: String(text))?.isIPv4 == false
    }
}
