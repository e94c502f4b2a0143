import ArticleText
import HTMLDocument
import TextFormats

/// Writes an article's text as XHTML for an EPUB, with its highlights marked.
///
/// Only permitted elements are written: no scripts, styles, forms or frames, and only the EPUB's own pictures. A
/// missing picture is replaced by its alternative text.
struct EPUBText {
    struct Result {
        var isBlank = true
        /// Highlights with notes, in the order of the numbers in the text.
        var notes: [Highlight] = []
        /// Highlights whose quotation is no longer in the text.
        var lost: [Highlight] = []
    }

    private static let elements: Set<String> = [
        "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote",
        "pre",
        "code", "em", "strong", "b", "i", "u", "s", "del", "ins", "sub", "sup", "small", "kbd", "samp", "var",
        "abbr",
        "cite", "q", "dfn", "figure", "figcaption", "table", "caption", "thead", "tbody", "tfoot", "tr", "th",
        "td",
        "a", "div", "span", "section", "ruby", "rt", "rp", "bdi", "bdo",
    ]
    private static let empty: Set<String> = ["br", "hr"]
    /// Dropped with their content.
    private static let dropped: Set<String> = [
        "script", "style", "iframe", "object", "embed", "svg", "math", "template", "noscript", "audio",
        "video",
        "form", "select", "textarea", "button", "title",
    ]
    /// Elements that allow only certain children, so no mark may be put around their white space.
    private static let frames: Set<String> = [
        "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "ruby",
    ]

    private let xml: XMLWriter
    private let highlights: [(range: Range<Int>, highlight: Highlight)]
    private let ids: Set<String>
    private let prefix: String
    private let picture: (String) -> String?
    private var result = Result()
    /// Names of open elements; nil for those that are not written.
    private var open: [String?] = []
    private var droppedDepth = 0
    private var links = 0
    /// In UTF-16 units of the text so far.
    private var offset = 0
    private var next = 0
    /// Numbers of notes that are written after the open link ends.
    private var pendingNotes: [Int] = []
    private var seenIDs: Set<String> = []

    /// - Parameters:
    /// - prefix: the prefix of the notes' ids
    /// - picture: returns a picture's path in the EPUB, or nil if it is not included
    static func write(
        _ article: ReadingArticle, to xml: XMLWriter, prefix: String, picture: (String) -> String?
    ) -> Result {
        guard let markup = article.markup, let outline = Outline(markup) else {
            let lines = article.text.splitBytes(at: "\n")
            for line in lines { xml.element("p", text: String(line)) }
            return Result(isBlank: lines.isEmpty, lost: article.highlights)
        }
        return withoutActuallyEscaping(picture) { picture in
            var writer = EPUBText(article, outline, to: xml, prefix: prefix, picture: picture)
            // `Outline` has already read it to the end.
            try? HTMLDocument.walk(Array(markup.html.utf8), limits: .page) { writer.process($0) }
            writer.finish()
            writer.result.lost = outline.lost(article.highlights)
            return writer.result
        }
    }

    static func pictures(of article: ReadingArticle) -> [String] {
        article.markup.flatMap(Outline.init)?.pictures ?? []
    }

    private init(
        _ article: ReadingArticle, _ outline: Outline, to xml: XMLWriter, prefix: String,
        picture: @escaping (String) -> String?
    ) {
        self.xml = xml
        highlights = outline.ranges(of: article.highlights)
        ids = outline.ids
        self.prefix = prefix
        self.picture = picture
    }

    private mutating func process(_ event: HTMLDocument.Event) -> Bool {
        switch event {
        case .start(let element): start(element)
        case .end: end()
        case .text(let text): if droppedDepth == 0 { self.text(text) }
        }
        return true
    }

    private mutating func start(_ element: HTMLDocument.Element) {
        if droppedDepth > 0 || Self.dropped.contains(element.name) {
            droppedDepth += 1
            open.append(nil)
            return
        }
        if element.name == "img" { image(element) }
        guard Self.elements.contains(element.name), element.name != "a" || isLink(element) else {
            open.append(nil)
            return
        }
        if element.name == "a" { links += 1 }
        result.isBlank = false
        if Self.empty.contains(element.name) {
            xml.element(element.name, attributes(of: element))
        } else {
            xml.start(element.name, attributes(of: element))
        }
        open.append(element.name)
    }

    private mutating func end() {
        guard let name = open.popLast() else { return }
        guard let name else {
            droppedDepth = max(0, droppedDepth - 1)
            return
        }
        if !Self.empty.contains(name) { xml.end() }
        if name == "a" {
            links -= 1
            if links == 0 { writePendingNotes() }
        }
    }

    /// Nested links are not written.
    private func isLink(_ element: HTMLDocument.Element) -> Bool { links == 0 && target(of: element) != nil }

    private func target(of element: HTMLDocument.Element) -> String? {
        guard let address = element["href"] else { return nil }
        if address.hasPrefix("#") { return ids.contains(String(address.dropFirst())) ? address : nil }
        let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !Self.unsafe.contains($0) }
        let schemes = ["https://", "http://", "mailto:"]
        return isPlain && schemes.contains { address.lowercased().hasPrefix($0) } ? address : nil
    }

    /// Characters that must be escaped in an address (RFC 3986).
    private static let unsafe = Set("\"<>\\^`{|}".utf8)

    private mutating func attributes(of element: HTMLDocument.Element) -> XMLWriter.Attributes {
        var attributes: XMLWriter.Attributes = []
        if let id = element["id"], ids.contains(id), seenIDs.insert(id).inserted {
            attributes.append(("id", id))
        }
        if let language = LanguageTag.checked(element["lang"]) {
            attributes += [("lang", language), ("xml:lang", language)]
        }
        if let direction = element["dir"]?.lowercased(), ["ltr", "rtl", "auto"].contains(direction) {
            attributes.append(("dir", direction))
        }
        switch element.name {
        case "a": if let target = target(of: element) { attributes.append(("href", target)) }
        case "th", "td":
            for name in ["colspan", "rowspan"] {
                if let number = element[name].flatMap({ Int($0) }), (1...1_000).contains(number) {
                    attributes.append((name, "\(number)"))
                }
            }
        case "ol":
            if let start = element["start"].flatMap({ Int($0) }) { attributes.append(("start", "\(start)")) }
        default: break
        }
        return attributes
    }

    private mutating func image(_ element: HTMLDocument.Element) {
        let alternative = element["alt"]?.sanitized ?? ""
        guard let source = element["src"] else { return }
        if let path = picture(source) {
            xml.element("img", [("src", path), ("alt", alternative)])
        } else if !alternative.isBlank, !isInFrame {
            xml.element("span", [("class", "picture")], text: "[\(alternative)]")
        } else {
            return
        }
        result.isBlank = false
    }

    private var isInFrame: Bool { (open.last { $0 != nil } ?? nil).map(Self.frames.contains) ?? false }

    private mutating func text(_ text: String) {
        if links == 0, !isInFrame { writePendingNotes() }
        let units = Array(text.utf16)
        var from = 0
        while from < units.count {
            let current = offset + from
            while next < highlights.count, highlights[next].range.upperBound <= current { next += 1 }
            guard next < highlights.count, highlights[next].range.lowerBound < offset + units.count else {
                write(units[from...], marked: false)
                break
            }
            let range = highlights[next].range
            if range.lowerBound > current {
                let to = range.lowerBound - offset
                write(units[from..<to], marked: false)
                from = to
                continue
            }
            let to = min(units.count, range.upperBound - offset)
            write(units[from..<to], marked: true)
            if range.upperBound <= offset + to { endHighlight(highlights[next].highlight) }
            from = to
        }
        offset += units.count
    }

    private mutating func write(_ units: ArraySlice<UInt16>, marked: Bool) {
        let text = String(decoding: units, as: UTF16.self)
        guard !text.isBlank else { return xml.text(text) }
        result.isBlank = false
        if marked, !isInFrame { xml.element("mark", text: text) } else { xml.text(text) }
    }

    private mutating func endHighlight(_ highlight: Highlight) {
        guard !highlight.note.isBlank else { return }
        result.notes.append(highlight)
        pendingNotes.append(result.notes.count)
        if links == 0, !isInFrame { writePendingNotes() }
    }

    /// Writes the remaining note numbers.
    private mutating func finish() {
        guard !pendingNotes.isEmpty else { return }
        xml.start("p")
        writePendingNotes()
        xml.end()
    }

    private mutating func writePendingNotes() {
        for number in pendingNotes {
            let name = "\(prefix)\(number)"
            xml.element("sup") {
                xml.element(
                    "a",
                    [
                        ("epub:type", "noteref"), ("role", "doc-noteref"), ("id", "ref-\(name)"),
                        ("href", "#\(name)"),
                    ], text: "\(number)")
            }
        }
        pendingNotes = []
    }
}

extension EPUBText {
    /// Facts about a text that are collected before writing it.
    private struct Outline {
        private let locator: HighlightLocator
        let ids: Set<String>
        let pictures: [String]

        /// Nil if the markup cannot be read to the end.
        init?(_ markup: CleanMarkup) {
            var droppedDepth = 0
            var units: [UInt16] = []
            var (ids, pictures): (Set<String>, [String]) = ([], [])
            do {
                try HTMLDocument.walk(Array(markup.html.utf8), limits: .page) { event in
                    switch event {
                    case .start(let element):
                        if droppedDepth > 0 || EPUBText.dropped.contains(element.name) { droppedDepth += 1 }
                        if droppedDepth == 0 { Self.note(element, &ids, &pictures) }
                    case .end: droppedDepth = max(0, droppedDepth - 1)
                    case .text(let text): if droppedDepth == 0 { units += Array(text.utf16) }
                    }
                    return true
                }
            } catch {
                return nil
            }
            (locator, self.ids, self.pictures) = (HighlightLocator(units: units), ids, pictures)
        }

        private static func note(
            _ element: HTMLDocument.Element, _ ids: inout Set<String>, _ pictures: inout [String]
        ) {
            if let id = element["id"], isName(id), EPUBText.elements.contains(element.name),
                // Links are written only if their target is known.
                element.name != "a"
            {
                ids.insert(id)
            }
            if element.name == "img", let source = element["src"], !pictures.contains(source),
                pictures.count < 500
            {
                pictures.append(source)
            }
        }

        /// Accepts ASCII XML names that do not collide with our own ids.
        private static func isName(_ id: String) -> Bool {
            guard let first = id.utf8.first, id.utf8.count <= 100 else { return false }
            let isLetter = (first | 0x20) &- UInt8(ascii: "a") < 26 || first == UInt8(ascii: "_")
            return isLetter && !id.hasPrefix("roost-") && !id.hasPrefix("ref-roost-")
                && id.utf8.allSatisfy {
                    ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10
                        || [0x2D, 0x2E, 0x5F].contains($0)
                }
        }

        /// Returns the ranges in order and without overlaps: an earlier highlight keeps what it shares with a later
        /// one.
        func ranges(of highlights: [Highlight]) -> [(range: Range<Int>, highlight: Highlight)] {
            var end = 0
            let found = highlights.compactMap { highlight in range(of: highlight).map { ($0, highlight) } }
            return found.sorted { $0.0.lowerBound < $1.0.lowerBound }.compactMap { range, highlight in
                let start = max(range.lowerBound, end)
                guard start < range.upperBound else { return nil }
                end = range.upperBound
                return (start..<range.upperBound, highlight)
            }
        }

        func lost(_ highlights: [Highlight]) -> [Highlight] {
            let found = Set(ranges(of: highlights).map(\.highlight.id))
            return highlights.filter { !found.contains($0.id) }
        }

        private func range(of highlight: Highlight) -> Range<Int>? {
            locator.find(highlight.quote, near: highlight.start)?.range
        }
    }
}
