package import ArticleText
import HTMLDocument

extension CleanMarkup {
    package struct Passage: Equatable, Sendable {
        /// The value of the "data-highlight" attribute.
        package let id: String
        /// In UTF-16 units of the text content, as browsers count (DOM standard, `textContent`).
        package let range: Range<Int>

        package init(id: String, range: Range<Int>) {
            self.id = id
            self.range = range
        }
    }

    /// Puts a `<mark>` around each passage, one in each text node that it touches, so that tags stay balanced. The
    /// marks of overlapping passages are nested.
    package func marking(_ passages: [Passage]) -> CleanMarkup {
        let passages = passages.filter { !$0.range.isEmpty }
            .sorted {
                ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
            }
        guard !passages.isEmpty else { return self }
        var writer = PassageWriter(passages)
        var tokens = MarkupTokens(Array(html.utf8))
        while let token = tokens.next() { writer.process(token) }
        return CleanMarkup(cleaned: String(decoding: writer.markup, as: UTF8.self))
    }

    /// The text without tags, as in a browser's `textContent`.
    package var textContent: String {
        var text: [UInt8] = []
        var tokens = MarkupTokens(Array(html.utf8))
        while let token = tokens.next() {
            guard case .text(let bytes, _) = token else { continue }
            var signs = MarkupSigns(bytes)
            while let sign = signs.next() {
                if let scalar = sign.scalar.flatMap(UTF8.encode) {
                    text += scalar
                } else {
                    text += sign.bytes
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Splits cleaned markup into tags and texts. The cleaner escapes every "<" and ">" in texts and values, so a tag ends
/// at the next ">"; and it closes every element.
private struct MarkupTokens {
    enum Token {
        case tag(ArraySlice<UInt8>)
        /// With the name of the innermost enclosing element, or "".
        case text(ArraySlice<UInt8>, within: String)
    }

    private static let empty: Set = ["br", "hr", "img", "wbr", "input"]

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    /// Browsers ignore a newline at the start of `pre` (HTML standard, section 13.2.6.4.7).
    private var isAtStartOfPre = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        guard position < bytes.count else { return nil }
        if bytes[position] == UInt8(ascii: "<") { return tag() }
        if isAtStartOfPre, bytes[position] == UInt8(ascii: "\n") {
            isAtStartOfPre = false
            position += 1
            // It isn't part of the text content, like a tag.
            return .tag(bytes[(position - 1)..<position])
        }
        isAtStartOfPre = false
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return .text(bytes[position..<end], within: open.last ?? "")
    }

    private mutating func tag() -> Token {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        let tag = bytes[position..<end]
        position = end
        let isEnd = tag.dropFirst().first == UInt8(ascii: "/")
        let name = String(
            decoding: tag.dropFirst(isEnd ? 2 : 1).prefix {
                $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">")
            },
            as: UTF8.self)
        if isEnd {
            if open.last == name { open.removeLast() }
        } else if !Self.empty.contains(name) {
            open.append(name)
        }
        isAtStartOfPre = !isEnd && name == "pre"
        return .tag(tag)
    }
}

/// The characters of an escaped text: each is a scalar or an entity.
private struct MarkupSigns {
    struct Sign {
        /// As in the markup.
        let bytes: ArraySlice<UInt8>
        /// The decoded entity, or nil for a plain scalar.
        let scalar: Unicode.Scalar?

        /// In UTF-16 units.
        var width: Int {
            if let scalar { return scalar.value > 0xFFFF ? 2 : 1 }
            return (bytes.first ?? 0) >= 0xF0 ? 2 : 1
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    mutating func next() -> Sign? {
        guard !rest.isEmpty else { return nil }
        if let (scalar, length) = HTMLEntities.reference(in: rest) {
            defer { rest = rest.dropFirst(length) }
            return Sign(bytes: rest.prefix(length), scalar: scalar)
        }
        var end = rest.startIndex + 1
        while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end += 1 }
        defer { rest = rest[end...] }
        return Sign(bytes: rest[rest.startIndex..<end], scalar: nil)
    }
}

private struct PassageWriter {
    /// Elements in which white space only separates child elements and must not be marked.
    private static let frames: Set = [
        "", "blockquote", "details", "div", "dl", "figure", "ol", "ruby", "table", "tbody", "tfoot", "thead",
        "tr",
        "ul",
    ]

    /// Sorted by start; at the same start the longer comes first.
    private let passages: [CleanMarkup.Passage]
    /// Sorted offsets where marks begin or end.
    private let edges: [Int]
    private var nextEdge = 0
    /// Limits nested marks and all marks: a thousand overlapping passages across a thousand elements would make a page
    /// too large for browsers and Roost.
    private static let (maximumNested, maximumMarks) = (8, 100_000)

    /// Indexes of the passages begun and not ended, and the first not yet begun.
    private var current: [Int] = []
    private var nextPassage = 0
    private var marks = 0
    private var openMarks: [Int] = []
    private var startedPassages: Set<Int> = []
    /// UTF-16 units of text content written so far.
    private var written = 0
    private(set) var markup: [UInt8] = []

    init(_ passages: [CleanMarkup.Passage]) {
        self.passages = passages
        edges = Set(passages.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
    }

    mutating func process(_ token: MarkupTokens.Token) {
        switch token {
        case .tag(let bytes): markup += bytes
        case .text(let bytes, let element): write(bytes, in: element)
        }
    }

    private mutating func write(_ text: ArraySlice<UInt8>, in element: String) {
        let isSeparator =
            Self.frames.contains(element) && text.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 }
        var signs = MarkupSigns(text)
        // Each text node reopens the marks that continue from the previous one.
        var mayChange = true
        while let sign = signs.next() {
            if !isSeparator, mayChange || isEdge(within: sign.width) {
                change(to: passagesToMark(sign.width))
            }
            mayChange = sign.width > 1
            markup += sign.bytes
            written += sign.width
        }
        change(to: [])
    }

    private mutating func isEdge(within width: Int) -> Bool {
        while nextEdge < edges.count, edges[nextEdge] < written { nextEdge += 1 }
        return nextEdge < edges.count && edges[nextEdge] < written + width
    }

    /// Keeps the most recent ones if too many passages overlap.
    private mutating func passagesToMark(_ width: Int) -> [Int] {
        while nextPassage < passages.count, passages[nextPassage].range.lowerBound < written + width {
            current.append(nextPassage)
            nextPassage += 1
        }
        current.removeAll { passages[$0].range.upperBound <= written }
        let indexes = Array(current.suffix(Self.maximumNested))
        return marks + indexes.count <= Self.maximumMarks ? indexes : []
    }

    private mutating func change(to indexes: [Int]) {
        guard indexes != openMarks else { return }
        for _ in openMarks { markup += "</mark>".utf8 }
        marks += indexes.count
        for index in indexes {
            let isFirst = startedPassages.insert(index).inserted
            markup += "<mark class=\"highlight\"".utf8
            if isFirst { attribute("id", "highlight-\(passages[index].id)") }
            attribute("data-highlight", passages[index].id)
            markup.append(UInt8(ascii: ">"))
        }
        openMarks = indexes
    }

    private mutating func attribute(_ name: String, _ value: String) {
        markup += " \(name)=\"".utf8
        HTMLEscapes.append(value, to: &markup, after: nil)
        markup.append(UInt8(ascii: "\""))
    }
}
