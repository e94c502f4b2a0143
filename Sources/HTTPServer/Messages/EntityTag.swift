/// Entity tags and what `If-None-Match` says of them (RFC 9110 sections 8.8.3 and 13.1.2).
enum EntityTag {
    /// Whether the header, a list or `*`, names the tag by the weak comparison.
    static func matches(_ header: String, _ tag: String) -> Bool {
        let wanted = opaque(tag[...])
        var rest = header[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            guard let first = rest.first else { return false }
            if first == "*" { return true }
            var body = opaque(rest)
            guard body.first == "\"" else { return false }
            body = body.dropFirst()
            guard let end = body.firstIndex(of: "\"") else { return false }
            // A comma inside the quotes belongs to the tag.
            if wanted.dropFirst().dropLast() == body[..<end] { return true }
            rest = body[body.index(after: end)...]
        }
    }

    /// What a compressed variant carries: other bytes must not have the same strong tag.
    static func weak(_ tag: String) -> String { tag.hasPrefix("W/") ? tag : "W/" + tag }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
