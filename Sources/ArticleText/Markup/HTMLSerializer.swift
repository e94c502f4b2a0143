import TextFormats

/// Writes balanced, escaped HTML of limited size, and separates pictures.
struct HTMLSerializer {
    private struct Open {
        let name: String
        /// The range of its start tag in `markup`, and the replacement if the element has no visible content.
        var tag = 0..<0
        var emptyTag: [UInt8]?
        /// The values of `seen` and of `parts.count` at its start.
        let seen: Int
        let parts: Int
    }

    let maximumBytes: Int
    /// True to make pictures separate parts; otherwise they are in the markup, with their own addresses.
    let separatesPictures: Bool

    init(maximumBytes: Int, separatesPictures: Bool) {
        self.maximumBytes = maximumBytes
        self.separatesPictures = separatesPictures
    }

    /// Of nested elements. Deeper elements are omitted, but not their content.
    private static let maximumDepth = 100
    private static let pictureBytes = 60

    private var parts: [MarkupPart] = []
    private var markup: [UInt8] = []
    private var stack: [Open] = []
    /// Bytes of the finished parts, and of the end tags that are still to be written.
    private var flushedBytes = 0
    private var pendingEndBytes = 0
    private var seen = 0
    private(set) var isFull = false
    var isCut = false

    var innermost: String? { stack.last?.name }
    /// True directly in a table's frame: browsers would move anything but table parts out of the table, so nothing else
    /// is written there.
    var isInTableFrame: Bool { innermost.map(HTMLAllowlist.tableFrame.contains) ?? false }

    /// Returns true if one of these elements is open, searching outwards up to the nearest of `boundary`.
    func isOpen(_ names: Set<String>, within boundary: Set<String> = []) -> Bool {
        for open in stack.reversed() {
            if names.contains(open.name) { return true }
            if boundary.contains(open.name) { return false }
        }
        return false
    }

    /// Returns false if the element cannot be opened. Then it must not be closed either.
    ///
    /// - Parameter ifEmpty: the attributes to keep if the element has no visible content: an empty list removes it, and
    ///   nil leaves it unchanged
    mutating func open(
        _ name: String, _ attributes: [(String, String)] = [], ifEmpty: [(String, String)]? = nil
    )
        -> Bool
    {
        let tag = Self.tag(name, attributes)
        let end = Self.endTag(name)
        guard stack.count < Self.maximumDepth, fits(tag.count + end) else { return false }
        pendingEndBytes += end
        let start = markup.count
        markup += tag
        stack.append(
            Open(
                name: name, tag: start..<markup.count,
                emptyTag: ifEmpty.map { $0.isEmpty ? [] : Self.tag(name, $0) }, seen: seen, parts: parts.count
            ))
        return true
    }

    mutating func close() {
        guard let open = stack.popLast() else { return }
        pendingEndBytes -= Self.endTag(open.name)
        if let emptyTag = open.emptyTag, open.seen == seen, open.parts == parts.count {
            markup.replaceSubrange(open.tag, with: emptyTag)
            if emptyTag.isEmpty { return }
        }
        markup += "</\(open.name)>".utf8
    }

    mutating func void(_ name: String) {
        let tag = Self.tag(name, [])
        if fits(tag.count) { markup += tag }
    }

    mutating func text(_ text: String) {
        guard !isFull, !isInTableFrame else { return }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 16)
        // The last byte matters, because it may be a brace.
        HTMLEscapes.append(text, to: &escaped, after: markup.last)
        if !text.allSatisfy(\.isWhitespace) { seen += 1 }
        guard fits(escaped.count) else {
            cut(escaped)
            return
        }
        markup += escaped
    }

    mutating func picture(_ picture: MarkupPicture) {
        guard separatesPictures else {
            write(picture)
            return
        }
        let bytes = picture.url.utf8.count + picture.alt.utf8.count + Self.pictureBytes
        guard !isInTableFrame, fits(bytes) else { return }
        flush()
        parts.append(.picture(picture))
        flushedBytes += bytes
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

    mutating func finished() -> (parts: [MarkupPart], isCut: Bool) {
        while !stack.isEmpty { close() }
        flush()
        return (seen == 0 ? [] : parts, isCut)
    }

    /// Writes as much of a text as fits, without splitting an entity or a character.
    private mutating func cut(_ escaped: [UInt8]) {
        var end = max(0, min(escaped.count, maximumBytes - flushedBytes - pendingEndBytes - markup.count))
        // Go back to the start of a character, and before an incomplete "&...;".
        while end > 0, end < escaped.count, escaped[end] & 0xC0 == 0x80 { end -= 1 }
        if let entity = escaped[..<end].suffix(7).lastIndex(of: UInt8(ascii: "&")),
            !escaped[entity..<end].contains(UInt8(ascii: ";"))
        {
            end = entity
        }
        markup += escaped[..<end]
    }

    private mutating func fits(_ bytes: Int) -> Bool {
        guard !isFull, flushedBytes + pendingEndBytes + markup.count + bytes <= maximumBytes else {
            isFull = true
            isCut = true
            return false
        }
        return true
    }

    private mutating func flush() {
        guard !markup.isEmpty else { return }
        parts.append(.markup(CleanMarkup(cleaned: String(decoding: markup, as: UTF8.self))))
        flushedBytes += markup.count
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

/// Escapes untrusted text for use between tags and in quoted values.
package enum HTMLEscapes {
    /// Removes control characters and those that reorder text beyond their own line. Escapes the second of two braces,
    /// in case the text ever reaches a template engine.
    ///
    /// - Parameter before: the preceding byte
    package static func append(_ text: String, to bytes: inout [UInt8], after before: UInt8?) {
        var last = before
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{" where last == UInt8(ascii: "{"): bytes += "&#123;".utf8
            case "\n", "\t": bytes.append(UInt8(scalar.value))
            case "\u{2028}", "\u{2029}": bytes.append(UInt8(ascii: "\n"))
            case _ where scalar.isControl || scalar.isReordering: continue
            default:
                if let reference = reference(scalar) {
                    bytes += reference.utf8
                } else {
                    bytes += scalar.utf8
                }
            }
            last = bytes.last
        }
    }

    /// Returns nil if the scalar needs no escaping.
    private static func reference(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}
