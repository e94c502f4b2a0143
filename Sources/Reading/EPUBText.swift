import ArticleText
import HTMLDocument
import TextFormats

/// The text of an article as XHTML for an EPUB: rebuilt from permitted elements, with its highlights marked.
///
/// Nothing in it acts or is loaded from elsewhere: no scripts, styles, forms or frames, and pictures of the EPUB's own
/// alone; what a reader's program does not get, its alternative text stands for.
struct EPUBText {
    /// What has been written of an article.
    struct Result {
        var xhtml = ""
        /// Highlights with notes, in the order of the text: their numbers stand in it.
        var notes: [Highlight] = []
        /// Those whose words the text does not hold any more.
        var lost: [Highlight] = []
        /// Addresses of pictures as the markup names them, each once.
        var pictures: [String] = []
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
    /// With all that they hold.
    private static let dropped: Set<String> = [
        "script", "style", "iframe", "object", "embed", "svg", "math", "template", "noscript", "audio",
        "video",
        "form", "select", "textarea", "button", "title",
    ]
    /// What only certain elements may stand in: a mark around their blanks would be none of them.
    private static let frames: Set<String> = [
        "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "ruby",
    ]

    private let highlights: [(range: Range<Int>, highlight: Highlight)]
    private let ids: Set<String>
    private let prefix: String
    private let picture: (String) -> String?
    private var result = Result()
    /// Written elements that are open; nil for those that are not written.
    private var open: [String?] = []
    private var droppedDepth = 0
    private var links = 0
    /// In UTF-16 units of the text so far.
    private var place = 0
    private var next = 0
    /// Numbers of notes that wait for the end of a link.
    private var waiting: [Int] = []
    private var seenIDs: Set<String> = []

    /// - Parameters:
    ///   - prefix: stands before the ids of the notes
    ///   - picture: the path inside the EPUB of a picture; nil: it is not in it
    static func write(
        _ article: ReadingArticle, prefix: String, picture: (String) -> String?
    ) -> Result {
        guard let markup = article.markup, let outline = Outline(markup) else {
            var result = plain(article.text)
            result.lost = article.highlights
            return result
        }
        return withoutActuallyEscaping(picture) { picture in
            var writer = EPUBText(article, outline, prefix: prefix, picture: picture)
            // It has been read to its end before.
            try? HTMLDocument.walk(Array(markup.html.utf8), limits: .page) { writer.take($0) }
            writer.finish()
            writer.result.lost = outline.lost(article.highlights)
            return writer.result
        }
    }

    /// Addresses of the pictures of an article, each once.
    static func pictures(of article: ReadingArticle) -> [String] {
        article.markup.flatMap(Outline.init)?.pictures ?? []
    }

    private init(
        _ article: ReadingArticle, _ outline: Outline, prefix: String, picture: @escaping (String) -> String?
    ) {
        highlights = outline.ranges(of: article.highlights)
        ids = outline.ids
        self.prefix = prefix
        self.picture = picture
    }

    private static func plain(_ text: String) -> Result {
        var result = Result()
        for line in text.splitBytes(at: "\n") { result.xhtml += "<p>\(XMLText.escaped(String(line)))</p>\n" }
        return result
    }

    private mutating func take(_ piece: HTMLDocument.Piece) -> Bool {
        switch piece {
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
        let attributes = attributes(of: element).map { " \($0)=\"\(XMLText.escaped($1))\"" }.joined()
        result.xhtml += "<\(element.name)\(attributes)\(Self.empty.contains(element.name) ? "/>" : ">")"
        open.append(element.name)
    }

    private mutating func end() {
        guard let name = open.popLast() else { return }
        guard let name else {
            droppedDepth = max(0, droppedDepth - 1)
            return
        }
        if !Self.empty.contains(name) { result.xhtml += "</\(name)>" }
        if name == "a" {
            links -= 1
            if links == 0 { writeWaitingNotes() }
        }
    }

    /// One within another does not count.
    private func isLink(_ element: HTMLDocument.Element) -> Bool { links == 0 && target(of: element) != nil }

    private func target(of element: HTMLDocument.Element) -> String? {
        guard let address = element["href"] else { return nil }
        if address.hasPrefix("#") { return ids.contains(String(address.dropFirst())) ? address : nil }
        let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !Self.unsafe.contains($0) }
        let schemes = ["https://", "http://", "mailto:"]
        return isPlain && schemes.contains { address.lowercased().hasPrefix($0) } ? address : nil
    }

    /// What no address holds unescaped (RFC 3986).
    private static let unsafe = Set("\"<>\\^`{|}".utf8)

    private mutating func attributes(of element: HTMLDocument.Element) -> [(String, String)] {
        var attributes: [(String, String)] = []
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
        let alternative = XMLText.escaped(element["alt"]?.sanitized ?? "")
        guard let source = element["src"] else { return }
        if let path = picture(source) {
            result.xhtml += "<img src=\"\(XMLText.escaped(path))\" alt=\"\(alternative)\"/>"
        } else if !alternative.isBlank, !isInFrame {
            result.xhtml += "<span class=\"picture\">[\(alternative)]</span>"
        }
    }

    private var isInFrame: Bool { (open.last { $0 != nil } ?? nil).map(Self.frames.contains) ?? false }

    /// A text in pieces where highlights begin and end.
    private mutating func text(_ text: String) {
        if links == 0, !isInFrame { writeWaitingNotes() }
        let units = Array(text.utf16)
        var from = 0
        while from < units.count {
            let here = place + from
            while next < highlights.count, highlights[next].range.upperBound <= here { next += 1 }
            guard next < highlights.count, highlights[next].range.lowerBound < place + units.count else {
                write(units[from...], marked: false)
                break
            }
            let range = highlights[next].range
            if range.lowerBound > here {
                let to = range.lowerBound - place
                write(units[from..<to], marked: false)
                from = to
                continue
            }
            let to = min(units.count, range.upperBound - place)
            write(units[from..<to], marked: true)
            if range.upperBound <= place + to { endHighlight(highlights[next].highlight) }
            from = to
        }
        place += units.count
    }

    private mutating func write(_ units: ArraySlice<UInt16>, marked: Bool) {
        let text = String(decoding: units, as: UTF16.self)
        let isMarked = marked && !text.isBlank && !isInFrame
        let escaped = XMLText.escaped(text)
        result.xhtml += isMarked ? "<mark>\(escaped)</mark>" : escaped
    }

    private mutating func endHighlight(_ highlight: Highlight) {
        guard !highlight.note.isBlank else { return }
        result.notes.append(highlight)
        waiting.append(result.notes.count)
        // A link within a link does not count.
        if links == 0, !isInFrame { writeWaitingNotes() }
    }

    /// Every note has its number somewhere.
    private mutating func finish() {
        guard !waiting.isEmpty else { return }
        result.xhtml += "<p>"
        writeWaitingNotes()
        result.xhtml += "</p>"
    }

    private mutating func writeWaitingNotes() {
        for number in waiting {
            let name = "\(prefix)\(number)"
            result.xhtml += """
                <sup><a epub:type="noteref" role="doc-noteref" id="ref-\(name)" href="#\(name)">\(number)</a></sup>
                """
        }
        waiting = []
    }
}

extension EPUBText {
    /// What has to be known of a text before it is written.
    private struct Outline {
        private let places: HighlightPlaces
        let ids: Set<String>
        let pictures: [String]

        /// Nil for markup that cannot be read to its end.
        init?(_ markup: CleanMarkup) {
            var droppedDepth = 0
            var units: [UInt16] = []
            var (ids, pictures): (Set<String>, [String]) = ([], [])
            do {
                try HTMLDocument.walk(Array(markup.html.utf8), limits: .page) { piece in
                    switch piece {
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
            (places, self.ids, self.pictures) = (HighlightPlaces(units: units), ids, pictures)
        }

        private static func note(
            _ element: HTMLDocument.Element, _ ids: inout Set<String>, _ pictures: inout [String]
        ) {
            if let id = element["id"], isName(id), EPUBText.elements.contains(element.name),
                // It is written only where it leads somewhere.
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

        /// As XML has names, of ASCII alone; not one of ours.
        private static func isName(_ id: String) -> Bool {
            guard let first = id.utf8.first, id.utf8.count <= 100 else { return false }
            let isLetter = (first | 0x20) &- UInt8(ascii: "a") < 26 || first == UInt8(ascii: "_")
            return isLetter && !id.hasPrefix("roost-") && !id.hasPrefix("ref-roost-")
                && id.utf8.allSatisfy {
                    ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10
                        || [0x2D, 0x2E, 0x5F].contains($0)
                }
        }

        /// Where highlights lie, in their order and none over another: what an earlier one has, a later one does not.
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

        /// Those that have no place of their own.
        func lost(_ highlights: [Highlight]) -> [Highlight] {
            let found = Set(ranges(of: highlights).map(\.highlight.id))
            return highlights.filter { !found.contains($0.id) }
        }

        private func range(of highlight: Highlight) -> Range<Int>? {
            places.find(highlight.quote, near: highlight.start)?.range
        }
    }
}
