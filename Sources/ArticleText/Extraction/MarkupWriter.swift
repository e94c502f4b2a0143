import HTMLDocument

/// Shows the sanitizer the chosen part of a page, piece by piece, as if it were a document of its own.
struct MarkupWriter {
    private let page: PageBlocks
    private let chosen: [Bool]
    private let addresses: PageAddresses
    private var sanitizer: HTMLSanitizer
    /// Of each node: how many chosen texts and pictures stand before it.
    private var before: [Int32] = []
    private var images: [Int: String] = [:]
    private(set) var firstImage: String?
    /// The end of the markup is missing.
    private(set) var isCut = false
    /// The block that says the title, which the page around says as well.
    private var titleBlock = -1
    /// Of each node: how many chosen blocks it is the container of, and whether the table around it is none of data.
    private var own: [Int]
    private var layout: [Bool] = []
    private let wordsBefore: RunningSum
    private let takenBefore: RunningSum
    private let chosenBefore: RunningSum

    init(_ page: PageBlocks, chosen: [Bool], title: String?, addresses: PageAddresses) {
        self.page = page
        self.chosen = chosen
        self.addresses = addresses
        sanitizer = HTMLSanitizer(ArticlePolicy(addresses: addresses))
        wordsBefore = RunningSum(page.blocks.map { Int($0.words) + 1 })
        takenBefore = RunningSum(zip(page.blocks, chosen).map { $1 ? Int($0.words) + 1 : 0 })
        chosenBefore = RunningSum(chosen.map { $0 ? 1 : 0 })
        own = [Int](repeating: 0, count: page.tree.count)
        for (block, isChosen) in zip(page.blocks, chosen) where isChosen { own[Int(block.container)] += 1 }
        if let title, let first = chosen.firstIndex(of: true) {
            let level = page.tree.nodes[Int(page.blocks[first].container)].tag.headingLevel
            let words = PageFacts.words(String(decoding: page.bytes(of: first), as: UTF8.self))
            if (1...2).contains(level), words == PageFacts.words(title) { titleBlock = first }
        }
        findImages()
        count()
    }

    mutating func write() -> CleanMarkup {
        let tree = page.tree
        var open: [(end: Int, name: String?)] = []
        var place = 0
        while place < tree.count {
            while let last = open.last, last.end <= place {
                if let name = last.name { _ = sanitizer.take(.end(name)) }
                open.removeLast()
            }
            let node = tree.nodes[place]
            if node.tag == .text {
                let block = Int(page.blockOfNode[place])
                if block >= 0, chosen[block], block != titleBlock {
                    show(place, isCode: page.blocks[block].isCode)
                }
                place += 1
                continue
            }
            if node.tag == .br || node.tag == .hr {
                if isBetween(place) { showEmpty(node.tag.rawValue, []) }
                place = tree.end(place)
                continue
            }
            if let image = images[place] {
                showImage(place, image)
                place += 1
                continue
            }
            guard before[tree.end(place)] > before[place] else {
                place = tree.end(place)
                continue
            }
            let name = name(of: place)
            if let name { _ = sanitizer.take(.start(.init(name: name, attributes: attributes(of: place)))) }
            open.append((tree.end(place), name))
            place += 1
        }
        for last in open.reversed() {
            if let name = last.name { _ = sanitizer.take(.end(name)) }
        }
        let finished = sanitizer.finished()
        isCut = finished.isCut
        let html = finished.parts.map { part in
            if case .markup(let markup) = part { markup.html } else { "" }
        }
        return CleanMarkup(cleaned: html.joined())
    }

    private mutating func show(_ place: Int, isCode: Bool) {
        let range = page.tree.nodes[place].range
        let bytes = page.tree.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        if isCode {
            _ = sanitizer.take(.text(String(decoding: bytes, as: UTF8.self)))
            return
        }
        var line: [UInt8] = []
        if let first = bytes.first, PageText.isSpace(first) { line.append(0x20) }
        PageText.append(bytes, to: &line, after: line.count)
        if !line.isEmpty { _ = sanitizer.take(.text(String(decoding: line, as: UTF8.self))) }
    }

    private mutating func showEmpty(_ name: String, _ attributes: [HTMLDocument.Attribute]) {
        _ = sanitizer.take(.start(.init(name: name, attributes: attributes)))
        _ = sanitizer.take(.end(name))
    }

    private mutating func showImage(_ place: Int, _ url: String) {
        var attributes = [HTMLDocument.Attribute(name: "src", value: url)]
        for name in [PageAttribute.alt, .width, .height] {
            if let value = page.tree.text(name, of: place) {
                attributes.append(.init(name: name.rawValue, value: value))
            }
        }
        showEmpty("img", attributes)
    }

    /// Whether a line break or a rule stands within the content.
    private func isBetween(_ place: Int) -> Bool {
        let next = Int(page.before[place])
        guard next < chosen.count, chosen[next] else { return false }
        if Int(page.blocks[next].nodes.lowerBound) < place { return next != titleBlock }
        return next > 0 && chosen[next - 1]
            && (page.tree.nodes[place].tag == .hr
                || page.blocks[next - 1].container == page.blocks[next].container)
    }

    // MARK: Elements

    private static let kept: Set<PageTag> = [
        .a, .abbr, .b, .blockquote, .caption, .cite, .code, .dd, .del, .details, .dfn, .dl, .dt, .em,
        .figcaption,
        .figure, .h1, .h2, .h3, .h4, .h5, .h6, .i, .ins, .kbd, .li, .mark, .ol, .p, .pre, .q, .ruby, .rt, .rp,
        .s,
        .samp, .small, .strike, .strong, .sub, .summary, .sup, .tt, .u, .ul, .var,
    ]
    private static let table: Set<PageTag> = [.table, .thead, .tbody, .tfoot, .tr, .td, .th]

    /// What an element is shown as; nil where only what it holds is.
    private func name(of place: Int) -> String? {
        let tag = page.tree.nodes[place].tag
        if Self.table.contains(tag), !isLayout(place) { return tag.rawValue }
        if tag == .menu { return "ul" }
        if Self.kept.contains(tag) { return tag.rawValue }
        guard tag.isBlock else { return nil }
        // Texts of two such elements do not run into each other.
        guard own[place] > 0 else { return nil }
        return chosenBefore[page.blocks(in: place)] == own[place] ? "p" : "div"
    }

    /// Whether the table around a node only puts things beside each other.
    private func isLayout(_ place: Int) -> Bool { layout[place] }

    private mutating func judgeTables() {
        let tree = page.tree
        let (tables, rows) = (RunningSum(tree) { $0 == .table }, RunningSum(tree) { $0 == .tr })
        let cells = RunningSum(tree) { $0 == .td }
        let headings = RunningSum(tree) { $0 == .th || $0 == .caption }
        layout.reserveCapacity(tree.count)
        for place in 0..<tree.count {
            guard tree.nodes[place].tag == .table else {
                layout.append(tree.parent(place) >= 0 ? layout[tree.parent(place)] : true)
                continue
            }
            let inside = place..<tree.end(place)
            let (cells, headings) = (cells[inside], headings[inside])
            let words = wordsBefore[page.blocks(in: place)]
            let isSaidSo = tree.value(.role, of: place).map { PageText.contains($0, "presentation") } ?? false
            layout.append(
                isSaidSo || tables[inside] > 1 && headings == 0
                    || cells + headings <= max(rows[inside], 1) && headings < 2
                    || headings == 0 && words > (cells + 1) * 80)
        }
    }

    private static let carried: [PageAttribute] = [
        .href, .id, .name, .dir, .lang, .title, .start, .type, .reversed, .value, .open, .colspan, .rowspan,
        .scope,
    ]

    private func attributes(of place: Int) -> [HTMLDocument.Attribute] {
        Self.carried.compactMap { name in
            page.tree.text(name, of: place).map { .init(name: name.rawValue, value: $0) }
        }
    }

    // MARK: Pictures

    private mutating func findImages() {
        judgeTables()
        let tree = page.tree
        var seen: Set<String> = []
        for place in 0..<tree.count where tree.nodes[place].tag == .img && isInContent(place) {
            guard let url = address(of: place), seen.insert(url).inserted else { continue }
            images[place] = url
            if firstImage == nil { firstImage = url }
        }
    }

    private func isChosen(_ block: Int) -> Bool { chosen.indices.contains(block) && chosen[block] }

    /// Whether the texts around a picture are content.
    private func isInContent(_ place: Int) -> Bool {
        let tree = page.tree
        if isSmall(place) { return false }
        let next = Int(page.before[place])
        var node = tree.parent(place)
        // Its figure, its paragraph, or the element that holds it and texts.
        for _ in 0..<5 where node >= 0 {
            let blocks = page.blocks(in: node)
            if !blocks.isEmpty {
                if takenBefore[blocks] * 2 > wordsBefore[blocks] { return true }
                if blocks.count > 2 { break }
            }
            node = tree.parent(node)
        }
        return isChosen(next) && (isChosen(next - 1) || Int(page.blocks[next].nodes.lowerBound) < place)
    }

    /// A sign, or one that only counts readers.
    private func isSmall(_ place: Int) -> Bool {
        for name in [PageAttribute.width, .height] {
            if let text = page.tree.text(name, of: place),
                let size = Int(text.prefix { $0.isASCII && $0.isNumber }),
                size < 32, !text.hasSuffix("%")
            {
                return true
            }
        }
        return false
    }

    /// Where the picture itself lies: scripts put it in place when a reader comes near.
    private func address(of place: Int) -> String? {
        let tree = page.tree
        for name in [PageAttribute.dataSrc, .dataLazySrc, .dataOriginal] {
            if let text = tree.text(name, of: place), let url = picture(text) { return url }
        }
        let source = tree.text(.src, of: place).flatMap(picture)
        for name in [PageAttribute.dataSrcset, .dataLazySrcset] {
            if let text = tree.text(name, of: place), let url = widest(text) { return url }
        }
        if let source, !isPlaceholder(source) { return source }
        return tree.text(.srcset, of: place).flatMap(widest) ?? fromPicture(place) ?? source
    }

    /// Of a `picture`: a handful is usual. Each of its pictures looks through them.
    private static let maximumSources = 100

    /// Of a `source` beside it.
    private func fromPicture(_ place: Int) -> String? {
        var node = place
        // libxml2 takes what follows a `source` for what it holds.
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

    /// Of "a.jpg 480w, b.jpg 960w" the second; addresses may hold commas.
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
        for place in 0..<page.tree.count {
            before.append(seen)
            let block = Int(page.blockOfNode[place])
            if block >= 0, chosen[block], block != titleBlock { seen += 1 }
            if images[place] != nil { seen += 1 }
        }
        before.append(seen)
    }
}

/// Sums over the numbers up to each place, so that any run of them is two look-ups.
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
