package import ArticleText

/// Passages of an article's text, marked in its markup.
extension CleanMarkup {
    /// A part of the text that is to be marked.
    package struct Passage: Equatable, Sendable {
        /// Names the passage in its elements: "data-highlight".
        package let id: String
        /// In UTF-16 units of the text content, as a browser counts them (DOM standard, `textContent`).
        package let range: Range<Int>

        package init(id: String, range: Range<Int>) {
            self.id = id
            self.range = range
        }
    }

    /// The same with a `<mark>` around each passage, one in each text that the passage reaches into: no tag is cut, and
    /// none is left open. Where passages overlap, one mark stands in the other.
    package func marking(_ passages: [Passage]) -> CleanMarkup {
        let passages = passages.filter { !$0.range.isEmpty }
            .sorted {
                ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
            }
        guard !passages.isEmpty else { return self }
        var writer = PassageWriter(passages)
        var pieces = MarkupPieces(Array(html.utf8))
        while let piece = pieces.next() { writer.take(piece) }
        return CleanMarkup(cleaned: String(decoding: writer.markup, as: UTF8.self))
    }

    /// The text without its elements, as a browser has it as the `textContent` of what holds it.
    package var textContent: String {
        var text: [UInt8] = []
        var pieces = MarkupPieces(Array(html.utf8))
        while let piece = pieces.next() {
            guard case .text(let bytes, _) = piece else { continue }
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

/// The cleaner's markup piece by piece. It escapes every "<" and ">" of a text and of a value, so that a tag ends where
/// the next ">" stands; and it closes what it opens.
private struct MarkupPieces {
    enum Piece {
        case tag(ArraySlice<UInt8>)
        /// With the name of the innermost element that holds it; "" for none.
        case text(ArraySlice<UInt8>, within: String)
    }

    private static let empty: Set = ["br", "hr", "img", "wbr", "input"]

    private let bytes: [UInt8]
    private var place = 0
    private var open: [String] = []
    /// A browser leaves out a line's end that begins a `pre` (HTML standard, section 13.2.6.4.7).
    private var isAtStartOfPre = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Piece? {
        guard place < bytes.count else { return nil }
        if bytes[place] == UInt8(ascii: "<") { return tag() }
        if isAtStartOfPre, bytes[place] == UInt8(ascii: "\n") {
            isAtStartOfPre = false
            place += 1
            // It counts for nothing, like a tag.
            return .tag(bytes[(place - 1)..<place])
        }
        isAtStartOfPre = false
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { place = end }
        return .text(bytes[place..<end], within: open.last ?? "")
    }

    private mutating func tag() -> Piece {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        let tag = bytes[place..<end]
        place = end
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

/// The signs of an escaped text: each a scalar, or an entity that stands for one.
private struct MarkupSigns {
    struct Sign {
        /// As they stand in the markup.
        let bytes: ArraySlice<UInt8>
        /// What an entity stands for; nil for what stands for itself.
        let scalar: Unicode.Scalar?

        /// In UTF-16.
        var width: Int {
            if let scalar { return scalar.value > 0xFFFF ? 2 : 1 }
            return (bytes.first ?? 0) >= 0xF0 ? 2 : 1
        }
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
    /// In bytes: "&#x10FFFF;".
    private static let longest = 10

    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    mutating func next() -> Sign? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "&"),
            let end = rest.prefix(Self.longest).firstIndex(of: UInt8(ascii: ";"))
        {
            let entity = rest[rest.startIndex...end]
            if let scalar = Self.scalar(String(decoding: entity.dropFirst().dropLast(), as: UTF8.self)) {
                rest = rest[(end + 1)...]
                return Sign(bytes: entity, scalar: scalar)
            }
        }
        var end = rest.startIndex + 1
        while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end += 1 }
        defer { rest = rest[end...] }
        return Sign(bytes: rest[rest.startIndex..<end], scalar: nil)
    }

    /// What the cleaner writes, and any number.
    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return entities[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }
}

/// Writes the markup again with the marks in it.
private struct PassageWriter {
    /// In these, white space stands between elements only: a mark around it would be no child of theirs.
    private static let frames: Set = [
        "", "blockquote", "details", "div", "dl", "figure", "ol", "ruby", "table", "tbody", "tfoot", "thead",
        "tr",
        "ul",
    ]

    /// By where they begin; of two at one place the longer one first.
    private let passages: [CleanMarkup.Passage]
    /// Where a mark begins or ends, in order.
    private let edges: [Int]
    private var nextEdge = 0
    /// Marks within each other, and all of them: a thousand passages, one over the other, in a text of a thousand elements
    /// would become a page that no browser and no Roost could hold.
    private static let (maximumNested, maximumMarks) = (8, 100_000)

    /// Indices of the passages that have begun and not ended, and the first that has not begun.
    private var current: [Int] = []
    private var nextPassage = 0
    private var marks = 0
    /// Indices of the marks that are open.
    private var openMarks: [Int] = []
    private var isBegun: Set<Int> = []
    /// How much of the text content has been written, in UTF-16 units.
    private var written = 0
    private(set) var markup: [UInt8] = []

    init(_ passages: [CleanMarkup.Passage]) {
        self.passages = passages
        edges = Set(passages.flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
    }

    mutating func take(_ piece: MarkupPieces.Piece) {
        switch piece {
        case .tag(let bytes): markup += bytes
        case .text(let bytes, let element): write(bytes, in: element)
        }
    }

    private mutating func write(_ text: ArraySlice<UInt8>, in element: String) {
        let isBetween =
            Self.frames.contains(element) && text.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 }
        var signs = MarkupSigns(text)
        // At the beginning of each text what reaches over from the one before is opened again.
        var mayChange = true
        while let sign = signs.next() {
            if !isBetween, mayChange || isEdge(within: sign.width) { change(to: wanted(sign.width)) }
            mayChange = sign.width > 1
            markup += sign.bytes
            written += sign.width
        }
        change(to: [])
    }

    /// Whether a mark begins or ends at this sign, or in the middle of it.
    private mutating func isEdge(within width: Int) -> Bool {
        while nextEdge < edges.count, edges[nextEdge] < written { nextEdge += 1 }
        return nextEdge < edges.count && edges[nextEdge] < written + width
    }

    /// Of too many passages, one over the other, those that began last.
    private mutating func wanted(_ width: Int) -> [Int] {
        while nextPassage < passages.count, passages[nextPassage].range.lowerBound < written + width {
            current.append(nextPassage)
            nextPassage += 1
        }
        current.removeAll { passages[$0].range.upperBound <= written }
        let wanted = Array(current.suffix(Self.maximumNested))
        return marks + wanted.count <= Self.maximumMarks ? wanted : []
    }

    private mutating func change(to wanted: [Int]) {
        guard wanted != openMarks else { return }
        for _ in openMarks { markup += "</mark>".utf8 }
        marks += wanted.count
        for index in wanted {
            let isFirst = isBegun.insert(index).inserted
            markup += "<mark class=\"highlight\"".utf8
            if isFirst { attribute("id", "highlight-\(passages[index].id)") }
            attribute("data-highlight", passages[index].id)
            markup.append(UInt8(ascii: ">"))
        }
        openMarks = wanted
    }

    private mutating func attribute(_ name: String, _ value: String) {
        markup += " \(name)=\"".utf8
        HTMLEscapes.append(value, to: &markup, after: nil)
        markup.append(UInt8(ascii: "\""))
    }
}
