/// The features of each element, computed once for all blocks in it.
struct ElementMeasure {
    /// The elements and roles around a block, one bit each.
    struct Around {
        private(set) var bits: UInt32 = 0
        static let count = 22

        func has(_ bit: Int) -> Bool { bits & (1 << UInt32(bit)) != 0 }

        mutating func add(_ tag: PageTag) {
            switch tag {
            case .p: set(0)
            case .li: set(1)
            case .td, .th: set(2)
            case .table: set(3)
            case .blockquote: set(4)
            case .button, .label, .legend: set(5)
            case .form, .fieldset: set(6)
            case .nav: set(7)
            case .header: set(8)
            case .footer: set(9)
            case .aside: set(10)
            case .main: set(11)
            case .article: set(12)
            case .figure: set(13)
            case .dialog: set(14)
            case .dl: set(15)
            case .section: set(16)
            case .a: set(17)
            case .noscript: set(21)
            default: break
            }
        }

        mutating func set(_ bit: UInt32) { bits |= 1 << bit }
    }

    private(set) var around: [Around]
    private(set) var score: [Float]
    /// Of the element and its ancestors.
    private(set) var minimum: [Float]
    private(set) var maximum: [Float]
    private(set) var sum: [Float]
    /// Equal for elements of the same kind whose nearest ancestors are of the same kinds, four levels in all.
    private(set) var path: [UInt64]
    /// Equal for elements with the same name and classes, ignoring digits.
    private(set) var kind: [UInt64]

    /// For each element the innermost surrounding one that has siblings of the same kind, and the number of such
    /// siblings.
    private(set) var cards: (card: [Int32], siblings: [Int32]) = ([], [])

    private let page: PageBlocks

    init(_ page: PageBlocks, _ classes: TokenWeights) {
        self.page = page
        let tree = page.tree
        let count = tree.count
        around = .init(repeating: .init(), count: count)
        score = .init(repeating: 0, count: count)
        minimum = score
        maximum = score
        sum = score
        path = .init(repeating: 0, count: count)
        kind = path
        for index in 0..<count {
            let node = tree.nodes[index]
            let parent = Int(node.parent)
            guard node.tag != .text else { continue }
            var own: Float = 0
            var tokens: Float = 0
            ClassTokens.each(of: index, in: tree) { token in
                let weight = classes[PageHash.of(token)]
                own += weight
                if weight != 0 { tokens += 1 }
            }
            if tokens > 1 { own /= tokens.squareRoot() }
            score[index] = own
            var bits = parent >= 0 ? around[parent] : .init()
            bits.add(node.tag)
            Self.addRoles(of: index, in: tree, to: &bits)
            around[index] = bits
            minimum[index] = min(own, parent >= 0 ? minimum[parent] : 0)
            maximum[index] = max(own, parent >= 0 ? maximum[parent] : 0)
            sum[index] = own + (parent >= 0 ? sum[parent] : 0)
            var hash = PageHash.add(UInt8(truncatingIfNeeded: node.tag.hashValueForPath), to: PageHash.seed)
            if let name = tree.value(.class, of: index) {
                for byte in name where byte &- 0x30 >= 10 { hash = PageHash.add(byte, to: hash) }
            }
            kind[index] = hash
            var full = hash
            var up = parent
            for _ in 0..<3 where up >= 0 {
                full = full &* 0x9E37_79B9_7F4A_7C15 ^ kind[up]
                up = tree.parent(up)
            }
            path[index] = full
        }
        cards = findCards()
    }

    private static func addRoles(of node: Int, in tree: PageTree, to bits: inout Around) {
        let range = tree.nodes[node].range
        for index in Int(range.lowerBound)..<Int(range.upperBound) {
            let attribute = tree.attributes[index]
            let value = tree.bytes[Int(attribute.range.lowerBound)..<Int(attribute.range.upperBound)]
            switch attribute.name {
            case .role:
                if PageText.contains(value, "navigation") { bits.set(7) }
                if PageText.contains(value, "banner") { bits.set(8) }
                if PageText.contains(value, "contentinfo") { bits.set(9) }
                if PageText.contains(value, "complementary") { bits.set(10) }
                if PageText.contains(value, "main") { bits.set(11) }
                if PageText.contains(value, "article") { bits.set(12) }
                if PageText.contains(value, "dialog") { bits.set(14) }
                if PageText.contains(value, "button") { bits.set(5) }
            case .ariaHidden: if PageText.contains(value, "true") { bits.set(18) }
            case .ariaModal: bits.set(14)
            case .itemprop:
                if PageText.contains(value, "articlebody") { bits.set(19) }
                if PageText.contains(value, "description") || PageText.contains(value, "text") {
                    bits.set(20)
                }
            default: break
            }
        }
    }

    /// Returns the smallest element with most of the page's prose, or -1.
    func richest(_ sums: BlockSums) -> Int {
        let tree = page.tree
        let all = sums.prose(0..<page.blocks.count)
        guard all > 0 else { return -1 }
        var best = -1
        for index in 0..<tree.count where tree.nodes[index].tag.isBlock {
            guard sums.prose(page.blocks(in: index)) >= all * 0.6 else { continue }
            if best < 0 || (index > best && index < tree.end(best)) { best = index }
        }
        return best
    }

    /// Returns for each node the nearest common ancestor with the other node, and its distance.
    func joints(with other: Int) -> (node: [Int32], steps: [Int32]) {
        let tree = page.tree
        var node = [Int32](repeating: -1, count: tree.count)
        var steps = [Int32](repeating: 0, count: tree.count)
        guard other >= 0 else {
            for index in node.indices { node[index] = Int32(index) }
            return (node, steps)
        }
        for index in 0..<tree.count {
            let parent = tree.parent(index)
            if index <= other, other < tree.end(index) {
                node[index] = Int32(index)
            } else {
                node[index] = parent >= 0 ? node[parent] : -1
                steps[index] = (parent >= 0 ? steps[parent] : 0) + 1
            }
        }
        return (node, steps)
    }

    private func findCards() -> (card: [Int32], siblings: [Int32]) {
        let tree = page.tree
        var siblings = [Int32](repeating: 0, count: tree.count)
        var card = [Int32](repeating: -1, count: tree.count)
        var seen: [UInt64: Int32] = [:]
        for index in 0..<tree.count where tree.nodes[index].tag.isBlock {
            seen[kind[index] ^ UInt64(tree.nodes[index].parent + 1) &* 0x9E37_79B9_7F4A_7C15, default: 0] += 1
        }
        for index in 0..<tree.count {
            let node = tree.nodes[index]
            if node.parent >= 0 { card[index] = card[Int(node.parent)] }
            guard node.tag.isBlock, node.tag != .p, node.tag.headingLevel == 0 else { continue }
            let count = seen[kind[index] ^ UInt64(node.parent + 1) &* 0x9E37_79B9_7F4A_7C15] ?? 0
            siblings[index] = count
            if count >= 2, page.blocks(in: index).count >= 2 { card[index] = Int32(index) }
        }
        return (card, siblings)
    }

    static func group(_ tag: PageTag) -> Int {
        switch tag {
        case .p: 0
        case .h1, .h2, .h3, .h4, .h5, .h6: 1
        case .li: 2
        case .td, .th, .caption: 3
        case .dd, .dt: 4
        case .pre: 5
        case .blockquote: 6
        case .figcaption: 7
        case .div: 8
        case .section, .article, .main, .body: 9
        case .button, .legend, .summary: 10
        case .address, .footer, .header, .nav, .aside: 11
        default: 12
        }
    }
}

extension PageTag {
    private static let numbers = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
    /// The same in every process.
    var hashValueForPath: Int { Self.numbers[self] ?? 0 }
}

/// Splits class and id into words: "postBody", "post-body" and "post_body" all give "post" and "body".
enum ClassTokens {
    static func each(of node: Int, in tree: PageTree, _ body: (ArraySlice<UInt8>) -> Void) {
        for name in [PageAttribute.class, .id] {
            if let value = tree.value(name, of: node) { each(in: value, body) }
        }
    }

    static func each(in value: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var token: [UInt8] = []
        func end() {
            if (2...20).contains(token.count) { body(token[...]) }
            token.removeAll(keepingCapacity: true)
        }
        var wasSmall = false
        for byte in value {
            let isUpper = byte &- 0x41 < 26
            let isSmall = byte &- 0x61 < 26
            guard isUpper || isSmall else {
                end()
                wasSmall = false
                continue
            }
            if isUpper, wasSmall { end() }
            token.append(PageText.lower(byte))
            wasSmall = isSmall
        }
        end()
    }
}
