import HTMLDocument

/// Passes the chosen part of a page to the sanitizer, as if it were a document.
struct MarkupWriter {
    private let page: PageBlocks
    private let chosen: [Bool]
    private let addresses: PageAddresses
    /// Not nil if readers' comments are written, which have no pictures.
    private let comments: PageComments?
    private var sanitizer: HTMLSanitizer
    /// For each node: the number of chosen texts and pictures before it.
    private var before: [Int32] = []
    private var images: [Int: String] = [:]
    private var embeds: [Int: EmbeddedMedia] = [:]
    /// Formulas that the page also has as a picture.
    private var pictured: Set<Int> = []
    private(set) var firstImage: String?
    private(set) var isCut = false
    /// The block with the title, which is left out because the surrounding page shows the title.
    private var titleBlock = -1
    /// For each node: the number of chosen blocks whose container it is, and whether its table is used only for layout.
    private var own: [Int]
    private var layout: [Bool] = []
    private let wordsBefore: RunningSum
    private let chosenWordsBefore: RunningSum
    private let chosenBefore: RunningSum

    init(
        _ page: PageBlocks, chosen: [Bool], title: String?, addresses: PageAddresses,
        comments: PageComments? = nil
    ) {
        self.page = page
        self.chosen = chosen
        self.addresses = addresses
        self.comments = comments
        sanitizer = HTMLSanitizer(ArticlePolicy(addresses: addresses))
        wordsBefore = RunningSum(page.blocks.map { Int($0.words) + 1 })
        chosenWordsBefore = RunningSum(zip(page.blocks, chosen).map { $1 ? Int($0.words) + 1 : 0 })
        chosenBefore = RunningSum(chosen.map { $0 ? 1 : 0 })
        own = [Int](repeating: 0, count: page.tree.count)
        for (block, isChosen) in zip(page.blocks, chosen) where isChosen { own[Int(block.container)] += 1 }
        if let title, let first = chosen.firstIndex(of: true) {
            let level = page.tree.nodes[Int(page.blocks[first].container)].tag.headingLevel
            let words = PageFacts.words(String(decoding: page.bytes(of: first), as: UTF8.self))
            if (1...2).contains(level), words == PageFacts.words(title) { titleBlock = first }
        }
        classifyTables()
        if comments == nil { findImages() }
        count()
    }

    mutating func write() -> CleanMarkup {
        let tree = page.tree
        var open: [(end: Int, name: String?)] = []
        var index = 0
        while index < tree.count {
            while let last = open.last, last.end <= index {
                if let name = last.name { _ = sanitizer.process(.end(name)) }
                open.removeLast()
            }
            let node = tree.nodes[index]
            if node.tag == .text {
                let block = Int(page.blockOfNode[index])
                if block >= 0, chosen[block], block != titleBlock, !pictured.contains(index) {
                    writeText(index, isCode: page.blocks[block].isCode)
                }
                index += 1
                continue
            }
            if node.tag == .br || node.tag == .hr {
                if isBetween(index) { writeEmpty(node.tag.rawValue, []) }
                index = tree.end(index)
                continue
            }
            if let image = images[index] {
                writeImage(index, image)
                index += 1
                continue
            }
            if let embed = embeds[index] {
                writeEmbed(embed)
                index = tree.end(index)
                continue
            }
            guard before[tree.end(index)] > before[index] else {
                // A cell without a text keeps the others in their columns.
                if [.td, .th].contains(node.tag), !isLayout(index) {
                    writeEmpty(node.tag.rawValue, attributes(of: index))
                }
                index = tree.end(index)
                continue
            }
            let name = name(of: index)
            if let name {
                _ = sanitizer.process(.start(.init(name: name, attributes: attributes(of: index))))
            }
            open.append((tree.end(index), name))
            index += 1
        }
        for last in open.reversed() {
            if let name = last.name { _ = sanitizer.process(.end(name)) }
        }
        let finished = sanitizer.finished()
        isCut = finished.isCut
        let html = finished.parts.map { part in
            if case .markup(let markup) = part { markup.html } else { "" }
        }
        return CleanMarkup(cleaned: html.joined())
    }

    private mutating func writeText(_ index: Int, isCode: Bool) {
        let range = page.tree.nodes[index].range
        let bytes = page.tree.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        if isCode {
            _ = sanitizer.process(.text(String(decoding: bytes, as: UTF8.self)))
            return
        }
        var line: [UInt8] = []
        if let first = bytes.first, PageText.isSpace(first) { line.append(0x20) }
        PageText.append(bytes, to: &line, after: line.count)
        if !line.isEmpty { _ = sanitizer.process(.text(String(decoding: line, as: UTF8.self))) }
    }

    private mutating func writeEmpty(_ name: String, _ attributes: [HTMLDocument.Attribute]) {
        _ = sanitizer.process(.start(.init(name: name, attributes: attributes)))
        _ = sanitizer.process(.end(name))
    }

    private mutating func writeImage(_ index: Int, _ url: String) {
        var attributes = [HTMLDocument.Attribute(name: "src", value: url)]
        for name in [PageAttribute.alt, .width, .height] {
            if let value = page.tree.text(name, of: index) {
                attributes.append(.init(name: name.rawValue, value: value))
            }
        }
        if page.tree.value(.alt, of: index) == nil, let label = page.tree.text(.ariaLabel, of: index) {
            attributes.append(.init(name: "alt", value: label))
        }
        writeEmpty("img", attributes)
    }

    private mutating func writeEmbed(_ embed: EmbeddedMedia) {
        for name in ["p", "a"] {
            let attributes = name == "a" ? [HTMLDocument.Attribute(name: "href", value: embed.url)] : []
            _ = sanitizer.process(.start(.init(name: name, attributes: attributes)))
        }
        _ = sanitizer.process(.text(embed.title))
        for name in ["a", "p"] { _ = sanitizer.process(.end(name)) }
    }

    private func isBetween(_ index: Int) -> Bool {
        let next = Int(page.before[index])
        guard next < chosen.count, chosen[next] else { return false }
        if Int(page.blocks[next].nodes.lowerBound) < index { return next != titleBlock }
        return next > 0 && chosen[next - 1]
            && (page.tree.nodes[index].tag == .hr
                || page.blocks[next - 1].container == page.blocks[next].container)
    }

    // MARK: Elements

    private static let preservedTags: Set<PageTag> = [
        .a, .abbr, .b, .blockquote, .caption, .cite, .code, .dd, .del, .details, .dfn, .dl, .dt, .em,
        .figcaption,
        .figure, .h1, .h2, .h3, .h4, .h5, .h6, .i, .ins, .kbd, .li, .mark, .ol, .p, .pre, .q, .ruby, .rt, .rp,
        .s,
        .samp, .small, .strike, .strong, .sub, .summary, .sup, .tt, .u, .ul, .var,
    ]
    private static let table: Set<PageTag> = [.table, .thead, .tbody, .tfoot, .tr, .td, .th]

    /// Returns the element's name in the markup, or nil to keep only its content.
    private func name(of index: Int) -> String? {
        let tag = page.tree.nodes[index].tag
        if let comments {
            if comments.items.contains(index) { return "blockquote" }
            if comments.around.contains(index) { return nil }
            if tag.headingLevel > 0 { return "p" }
        }
        if Self.table.contains(tag), !isLayout(index) { return tag.rawValue }
        if tag == .menu { return "ul" }
        if Self.preservedTags.contains(tag) { return tag.rawValue }
        guard tag.isBlock else { return nil }
        // Separates the texts of such elements.
        guard own[index] > 0 else { return nil }
        return chosenBefore[page.blocks(in: index)] == own[index] ? "p" : "div"
    }

    /// True if the table around a node is only for layout, or if there is no table.
    private func isLayout(_ index: Int) -> Bool { layout[index] }

    private mutating func classifyTables() {
        let tree = page.tree
        let (tables, rows) = (RunningSum(tree) { $0 == .table }, RunningSum(tree) { $0 == .tr })
        let cells = RunningSum(tree) { $0 == .td }
        let headings = RunningSum(tree) { $0 == .th || $0 == .caption }
        layout.reserveCapacity(tree.count)
        for index in 0..<tree.count {
            guard tree.nodes[index].tag == .table else {
                layout.append(tree.parent(index) >= 0 ? layout[tree.parent(index)] : true)
                continue
            }
            let inside = index..<tree.end(index)
            let (cells, headings) = (cells[inside], headings[inside])
            let words = wordsBefore[page.blocks(in: index)]
            let isPresentational =
                tree.value(.role, of: index).map { PageText.contains($0, "presentation") } ?? false
            layout.append(
                isPresentational || tables[inside] > 1 && headings == 0
                    || cells + headings <= max(rows[inside], 1) && headings < 2
                    || headings == 0 && words > (cells + 1) * 80)
        }
    }

    private static let copiedAttributes: [PageAttribute] = [
        .href, .id, .name, .dir, .lang, .title, .start, .type, .reversed, .value, .open, .colspan, .rowspan,
        .scope,
    ]

    private func attributes(of index: Int) -> [HTMLDocument.Attribute] {
        Self.copiedAttributes.compactMap { name in
            page.tree.text(name, of: index).map { .init(name: name.rawValue, value: $0) }
        }
    }

    // MARK: Pictures

    private mutating func findImages() {
        let tree = page.tree
        var seen: Set<String> = []
        for index in 0..<tree.count where isPicture(index) && isInContent(index) {
            guard let url = address(of: index), seen.insert(url).inserted else { continue }
            images[index] = url
            if firstImage == nil { firstImage = url }
            if tree.nodes[max(index - 2, 0)].tag == .code, tree.nodes[max(index - 1, 0)].tag == .text,
                tree.value(.class, of: index).map({ PageText.contains($0, "math-fallback") }) ?? false
            {
                pictured.insert(index - 1)
            }
        }
        for index in 0..<tree.count where isEmbed(index) && isInContent(index) {
            guard let embed = EmbeddedMedia(index, in: tree, addresses), seen.insert(embed.url).inserted
            else {
                continue
            }
            let hasText = chosenWordsBefore[page.blocks(in: index)] > 0
            // The link of a post is often not part of its text.
            let node = hasText ? sourceLink(of: index) : index
            if let node { embeds[node] = hasText ? embed.namedByHost() : embed }
        }
    }

    /// Of an element without an `img` that shows a picture.
    private static let maximumPictureParts = 20

    /// Whether the element may show a picture: also an element without text to which a script or a style adds one.
    private func isPicture(_ index: Int) -> Bool {
        let tree = page.tree
        switch tree.nodes[index].tag {
        case .img: return true
        case .custom, .span, .div:
            guard page.blocks(in: index).isEmpty, !tree.nodes[index].range.isEmpty,
                tree.end(index) - index <= Self.maximumPictureParts,
                !(index..<tree.end(index)).contains(where: { tree.nodes[$0].tag == .img })
            else { return false }
            if tree.nodes[index].tag == .custom { return tree.value(.videoid, of: index) == nil }
            return [PageAttribute.dataSrc, .dataOriginal, .dataPicture].contains {
                tree.value($0, of: index) != nil
            }
                || isDrawn(index)
        default: return false
        }
    }

    /// True for an element whose background is a picture of the article, not a decoration.
    private func isDrawn(_ index: Int) -> Bool {
        let tree = page.tree
        guard tree.value(.style, of: index).map({ PageText.contains($0, "url(") }) ?? false else {
            return false
        }
        if tree.text(.role, of: index) == "img" { return true }
        let parent = tree.parent(index)
        return parent >= 0 && tree.nodes[parent].tag == .figure
    }

    /// The last link of a post, unless it is in the text.
    private func sourceLink(of index: Int) -> Int? {
        let tree = page.tree
        guard let link = (index..<tree.end(index)).last(where: { tree.nodes[$0].tag == .a }) else {
            return nil
        }
        let isShown = (link..<tree.end(link)).contains { isChosen(Int(page.blockOfNode[$0])) }
        return isShown ? nil : link
    }

    private func isEmbed(_ index: Int) -> Bool {
        switch page.tree.nodes[index].tag {
        case .iframe, .video, .audio, .object, .embed, .custom:
            images[index] == nil && !PageBlocks.isHidden(index, in: page.tree)
        case .blockquote, .div: page.tree.value(.class, of: index) != nil
        default: false
        }
    }

    private func isChosen(_ block: Int) -> Bool { chosen.indices.contains(block) && chosen[block] }

    private func isInContent(_ index: Int) -> Bool {
        let tree = page.tree
        if isSmall(index) { return false }
        let next = Int(page.before[index])
        var node = tree.parent(index)
        // Its figure, its paragraph, or an element with texts around it.
        for _ in 0..<5 where node >= 0 {
            let blocks = page.blocks(in: node)
            if !blocks.isEmpty {
                if chosenWordsBefore[blocks] * 2 > wordsBefore[blocks] { return true }
                if blocks.count > 2 { break }
            }
            node = tree.parent(node)
        }
        return isChosen(next) && (isChosen(next - 1) || Int(page.blocks[next].nodes.lowerBound) < index)
    }

    /// True for icons and tracking pixels.
    private func isSmall(_ index: Int) -> Bool {
        for name in [PageAttribute.width, .height] {
            if let text = page.tree.text(name, of: index),
                let size = Int(text.prefix { $0.isASCII && $0.isNumber }),
                size < 32, !text.hasSuffix("%")
            {
                return true
            }
        }
        return false
    }

    /// The picture's real address, which scripts insert when a reader scrolls near.
    private func address(of index: Int) -> String? {
        let tree = page.tree
        for name in [PageAttribute.dataSrc, .dataLazySrc, .dataOriginal] {
            if let text = tree.text(name, of: index), let url = picture(text) { return url }
        }
        if [.span, .div].contains(tree.nodes[index].tag) {
            return (tree.text(.dataPicture, of: index) ?? background(of: index)).flatMap(picture)
        }
        let source = tree.text(.src, of: index).flatMap(picture)
        for name in [PageAttribute.dataSrcset, .dataLazySrcset] {
            if let text = tree.text(name, of: index), let url = widest(text) { return url }
        }
        if let source, !isPlaceholder(source) { return source }
        return tree.text(.dataPicture, of: index).flatMap(picture) ?? tree.text(.srcset, of: index).flatMap(
            widest)
            ?? fromPicture(index) ?? source
    }

    /// The address in a style: `background-image: url('a.jpg')`.
    private func background(of index: Int) -> String? {
        guard let style = page.tree.value(.style, of: index),
            let start = style.firstRange(of: Array("url(".utf8))
        else { return nil }
        let quotes: [UInt8] = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
        let text = style[start.upperBound...].prefix { $0 != UInt8(ascii: ")") }
            .filter { !quotes.contains($0) && !PageText.isSpace($0) }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// Limits the sources of a `picture`, because each of its pictures searches them. A handful is usual.
    private static let maximumSources = 100

    /// The address in a `source` of the same `picture`.
    private func fromPicture(_ index: Int) -> String? {
        var node = index
        // libxml2 nests the elements after a `source` inside it.
        for _ in 0..<5 where node >= 0 && page.tree.nodes[node].tag != .picture {
            node = page.tree.parent(node)
        }
        guard node >= 0, page.tree.nodes[node].tag == .picture else { return nil }
        let end = min(page.tree.end(node), node + Self.maximumSources)
        for other in node..<end where page.tree.nodes[other].tag == .source {
            for name in [PageAttribute.srcset, .dataSrcset] {
                if let url = page.tree.text(name, of: other).flatMap(widest) { return url }
            }
        }
        return nil
    }

    private func picture(_ text: String) -> String? {
        text.hasPrefix("#") ? nil : addresses.absolute(text)
    }

    private func isPlaceholder(_ url: String) -> Bool {
        let last = url.lowercased().splitBytes(at: "/").last.map(String.init) ?? ""
        return ["placeholder", "blank.", "spacer", "transparent", "1x1", "loading", "lazy"].contains {
            last.containsBytes($0)
        }
    }

    /// Returns the second address of "a.jpg 480w, b.jpg 960w". Addresses may contain commas.
    private func widest(_ set: String) -> String? {
        var best: (url: String, width: Double)?
        var words = set.words[...]
        while let word = words.popFirst() {
            let text = String(word)
            guard !text.hasSuffix(",") else {
                if best == nil, let url = picture(String(text.dropLast())) { best = (url, 1) }
                continue
            }
            var width = 1.0
            if let next = words.first, let number = Double(next.prefix { $0.isNumber || $0 == "." }) {
                width = number
                words.removeFirst()
            }
            if width > best?.width ?? 0, let url = picture(text) { best = (url, width) }
        }
        return best?.url
    }

    private mutating func count() {
        before.reserveCapacity(page.tree.count + 1)
        var seen: Int32 = 0
        for index in 0..<page.tree.count {
            before.append(seen)
            let block = Int(page.blockOfNode[index])
            if block >= 0, chosen[block], block != titleBlock, !pictured.contains(index) { seen += 1 }
            if images[index] != nil || embeds[index] != nil { seen += 1 }
        }
        before.append(seen)
    }
}

/// Prefix sums, so that the sum of any range takes two look-ups.
private struct RunningSum {
    private var sums = [0]

    init(_ numbers: [Int]) {
        sums.reserveCapacity(numbers.count + 1)
        for number in numbers { sums.append((sums.last ?? 0) + number) }
    }

    init(_ tree: PageTree, _ counts: (PageTag) -> Bool) {
        self.init(tree.nodes.map { counts($0.tag) ? 1 : 0 })
    }

    subscript(range: Range<Int>) -> Int { sums[range.upperBound] - sums[range.lowerBound] }
}
