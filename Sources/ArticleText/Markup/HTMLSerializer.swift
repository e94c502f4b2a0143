/// Writes HTML that is balanced, escaped and not too long, and keeps pictures apart.
struct HTMLSerializer {
    private struct Open {
        let name: String
        /// Where its start tag lies in `markup`, and what stands in its place when it holds nothing to see.
        var tag = 0..<0
        var bare: [UInt8]?
        /// How much there was to see, and how many parts, when it began.
        let seen: Int
        let parts: Int
    }

    /// Of all parts together.
    let maximumBytes: Int
    /// Pictures are parts of their own; otherwise they stand in the markup, with their own addresses.
    let keepsPicturesApart: Bool

    init(maximumBytes: Int, keepsPicturesApart: Bool) {
        self.maximumBytes = maximumBytes
        self.keepsPicturesApart = keepsPicturesApart
    }

    /// Of elements within each other: deeper ones are left out, not what they hold.
    private static let maximumDepth = 100
    /// What a picture takes besides its texts where it is kept, about.
    private static let pictureBytes = 60

    private var parts: [MarkupPart] = []
    private var markup: [UInt8] = []
    private var stack: [Open] = []
    /// Of the parts, and of the end tags that are still to come.
    private var taken = 0
    private var owed = 0
    private var seen = 0
    /// Nothing more fits.
    private(set) var isFull = false
    /// Not everything is there.
    var isCut = false

    var innermost: String? { stack.last?.name }
    /// Where a browser would put anything but a table's own parts outside the table: there nothing else is
    /// written.
    var isInTableFrame: Bool { innermost.map(HTMLAllowlist.tableFrame.contains) ?? false }

    /// Whether one of these is open, looking no further out than the nearest of `boundary`.
    func isOpen(_ names: Set<String>, within boundary: Set<String> = []) -> Bool {
        for open in stack.reversed() {
            if names.contains(open.name) { return true }
            if boundary.contains(open.name) { return false }
        }
        return false
    }

    /// False where it cannot be opened; then it must not be closed either.
    ///
    /// - Parameter bare: the attributes that it keeps when it turns out to hold nothing to see: without any it is then
    ///   taken out; nil: it stays as it is
    mutating func open(_ name: String, _ attributes: [(String, String)] = [], bare: [(String, String)]? = nil)
        -> Bool
    {
        let tag = Self.tag(name, attributes)
        let end = Self.endTag(name)
        guard stack.count < Self.maximumDepth, fits(tag.count + end) else { return false }
        owed += end
        let start = markup.count
        markup += tag
        stack.append(
            Open(
                name: name, tag: start..<markup.count,
                bare: bare.map { $0.isEmpty ? [] : Self.tag(name, $0) }, seen: seen, parts: parts.count))
        return true
    }

    mutating func close() {
        guard let open = stack.popLast() else { return }
        owed -= Self.endTag(open.name)
        if let bare = open.bare, open.seen == seen, open.parts == parts.count {
            markup.replaceSubrange(open.tag, with: bare)
            if bare.isEmpty { return }
        }
        markup += "</\(open.name)>".utf8
    }

    /// One without content and attributes.
    mutating func void(_ name: String) {
        let tag = Self.tag(name, [])
        if fits(tag.count) { markup += tag }
    }

    mutating func text(_ text: String) {
        guard !isFull, !isInTableFrame else { return }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 16)
        // A brace of the text before counts as well.
        HTMLEscapes.append(text, to: &escaped, after: markup.last)
        if !text.allSatisfy(\.isWhitespace) { seen += 1 }
        guard fits(escaped.count) else {
            cut(escaped)
            return
        }
        markup += escaped
    }

    mutating func picture(_ picture: MarkupPicture) {
        guard keepsPicturesApart else {
            write(picture)
            return
        }
        let bytes = picture.url.utf8.count + picture.alt.utf8.count + Self.pictureBytes
        guard !isInTableFrame, fits(bytes) else { return }
        flush()
        parts.append(.picture(picture))
        taken += bytes
        seen += 1
    }

    private mutating func write(_ picture: MarkupPicture) {
        var attributes = [("src", picture.url), ("alt", picture.alt)]
        if let width = picture.width { attributes.append(("width", String(width))) }
        if let height = picture.height { attributes.append(("height", String(height))) }
        let tag = Self.tag("img", attributes)
        guard !isInTableFrame, fits(tag.count) else { return }
        markup += tag
        seen += 1
    }

    /// Closes what is open; no part where there is nothing to see.
    mutating func finished() -> (parts: [MarkupPart], isCut: Bool) {
        while !stack.isEmpty { close() }
        flush()
        return (seen == 0 ? [] : parts, isCut)
    }

    /// As much of a text as there is room for: no entity and no character is cut in two.
    private mutating func cut(_ escaped: [UInt8]) {
        var end = max(0, min(escaped.count, maximumBytes - taken - owed - markup.count))
        // Past the last byte that begins something: not a continuation byte, and not within "&...;".
        while end > 0, end < escaped.count, escaped[end] & 0xC0 == 0x80 { end -= 1 }
        if let entity = escaped[..<end].suffix(7).lastIndex(of: UInt8(ascii: "&")),
            !escaped[entity..<end].contains(UInt8(ascii: ";"))
        {
            end = entity
        }
        markup += escaped[..<end]
    }

    private mutating func fits(_ bytes: Int) -> Bool {
        guard !isFull, taken + owed + markup.count + bytes <= maximumBytes else {
            isFull = true
            isCut = true
            return false
        }
        return true
    }

    private mutating func flush() {
        guard !markup.isEmpty else { return }
        parts.append(.markup(CleanMarkup(cleaned: String(decoding: markup, as: UTF8.self))))
        taken += markup.count
        markup = []
    }

    private static func tag(_ name: String, _ attributes: [(String, String)]) -> [UInt8] {
        var tag = Array("<\(name)".utf8)
        for (key, value) in attributes {
            tag += " \(key)=\"".utf8
            HTMLEscapes.append(value, to: &tag, after: nil)
            tag.append(UInt8(ascii: "\""))
        }
        tag.append(UInt8(ascii: ">"))
        return tag
    }

    private static func endTag(_ name: String) -> Int { name.utf8.count + 3 }
}

/// A stranger's text for any place between tags, or between the quotes of a value.
package enum HTMLEscapes {
    /// Control characters go, and so do those that turn the order of letters around beyond their own line;
    /// the second of two braces is escaped, lest a template engine ever sees its own signs.
    ///
    /// - Parameter before: the byte that it comes to stand behind
    package static func append(_ text: String, to bytes: inout [UInt8], after before: UInt8?) {
        var last = before
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            case "{" where last == UInt8(ascii: "{"): bytes += "&#123;".utf8
            case "\n", "\t": bytes.append(UInt8(scalar.value))
            case "\u{2028}", "\u{2029}": bytes.append(UInt8(ascii: "\n"))
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                continue
            default: bytes += UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
            }
            last = bytes.last
        }
    }
}
