/// Entity tags and what `If-None-Match` says of them (RFC 9110 sections 8.8.3 and 13.1.2).
enum EntityTag {
    /// Whether the header, a list or `*`, names the tag by the weak comparison.
    static func matches(_ header: String, _ tag: String) -> Bool {
        let wanted = opaque(tag[...].utf8).dropFirst().dropLast()
        var rest = header[...].utf8
        while true {
            rest = rest.drop { " \t,".utf8.contains($0) }
            guard let first = rest.first else { return false }
            if first == UInt8(ascii: "*") { return true }
            var body = opaque(rest)
            guard body.popFirst() == quote, let end = body.firstIndex(of: quote) else { return false }
            // A comma inside the quotes belongs to the tag.
            if wanted.elementsEqual(body[..<end]) { return true }
            rest = body[end...].dropFirst()
        }
    }

    /// What a compressed variant carries: other bytes must not have the same strong tag.
    static func weak(_ tag: String) -> String { tag.utf8.starts(with: "W/".utf8) ? tag : "W/" + tag }

    private static let quote = UInt8(ascii: "\"")

    private static func opaque(_ tag: Substring.UTF8View) -> Substring.UTF8View {
        tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    }
}
