/// What is measured of each element, once for all blocks in it.
struct ElementMeasure {
    /// What stands around a block, a bit each.
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
    /// The weights of its own class and id.
    private(set) var score: [Float]
    /// Of it and all around it.
    private(set) var minimum: [Float]
    private(set) var maximum: [Float]
    private(set) var sum: [Float]
    /// The same for elements of the same kind in the same kind of element, four deep.
    private(set) var path: [UInt64]
    /// The same for elements with the same name and classes.
    private(set) var kind: [UInt64]

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
        for place in 0..<count {
            let node = tree.nodes[place]
            let parent = Int(node.parent)
            guard node.tag != .text else { continue }
            var own: Float = 0
            var tokens: Float = 0
            ClassTokens.each(of: place, in: tree) { token in
                let weight = classes[PageHash.of(token)]
                own += weight
                if weight != 0 { tokens += 1 }
            }
            if tokens > 1 { own /= tokens.squareRoot() }
            score[place] = own
            var bits = parent >= 0 ? around[parent] : .init()
            bits.add(node.tag)
            Self.addRoles(of: place, in: tree, to: &bits)
            around[place] = bits
            minimum[place] = min(own, parent >= 0 ? minimum[parent] : 0)
            maximum[place] = max(own, parent >= 0 ? maximum[parent] : 0)
            sum[place] = own + (parent >= 0 ? sum[parent] : 0)
            var hash = PageHash.add(UInt8(truncatingIfNeeded: node.tag.hashValueForPath), to: PageHash.seed)
            if let name = tree.value(.class, of: place) {
                for byte in name where byte &- 0x30 >= 10 { hash = PageHash.add(byte, to: hash) }
            }
            kind[place] = hash
            var full = hash
            var up = parent
            for _ in 0..<3 where up >= 0 {
                full = full &* 0x9E37_79B9_7F4A_7C15 ^ kind[up]
                up = tree.parent(up)
            }
            path[place] = full
        }
    }

    private static func addRoles(of node: Int, in tree: PageTree, to bits: inout Around) {
        let range = tree.nodes[node].range
        for place in Int(range.lowerBound)..<Int(range.upperBound) {
            let attribute = tree.attributes[place]
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

    /// The smallest element with most of the page's prose; -1 where there is none.
    func richest(_ sums: BlockSums) -> Int {
        let tree = page.tree
        let all = sums.prose(0..<page.blocks.count)
        guard all > 0 else { return -1 }
        var best = -1
        for place in 0..<tree.count where tree.nodes[place].tag.isBlock {
            guard sums.prose(page.blocks(in: place)) >= all * 0.6 else { continue }
            if best < 0 || (place > best && place < tree.end(best)) { best = place }
        }
        return best
    }

    /// Of each node: the nearest one around it that holds the other too, and how many steps out it is.
    func joints(with other: Int) -> (node: [Int32], steps: [Int32]) {
        let tree = page.tree
        var node = [Int32](repeating: -1, count: tree.count)
        var steps = [Int32](repeating: 0, count: tree.count)
        guard other >= 0 else {
            for place in node.indices { node[place] = Int32(place) }
            return (node, steps)
        }
        for place in 0..<tree.count {
            let parent = tree.parent(place)
            if place <= other, other < tree.end(place) {
                node[place] = Int32(place)
            } else {
                node[place] = parent >= 0 ? node[parent] : -1
                steps[place] = (parent >= 0 ? steps[parent] : 0) + 1
            }
        }
        return (node, steps)
    }

    /// Elements of the same kind side by side: of each element the innermost such one around it, and how many there are.
    func cards(_ page: PageBlocks) -> (card: [Int32], siblings: [Int32]) {
        let tree = page.tree
        var siblings = [Int32](repeating: 0, count: tree.count)
        var card = [Int32](repeating: -1, count: tree.count)
        var seen: [UInt64: Int32] = [:]
        for place in 0..<tree.count where tree.nodes[place].tag.isBlock {
            seen[kind[place] ^ UInt64(tree.nodes[place].parent + 1) &* 0x9E37_79B9_7F4A_7C15, default: 0] += 1
        }
        for place in 0..<tree.count {
            let node = tree.nodes[place]
            if node.parent >= 0 { card[place] = card[Int(node.parent)] }
            guard node.tag.isBlock, node.tag != .p, node.tag.headingLevel == 0 else { continue }
            let count = seen[kind[place] ^ UInt64(node.parent + 1) &* 0x9E37_79B9_7F4A_7C15] ?? 0
            siblings[place] = count
            if count >= 2, page.blocks(in: place).count >= 2 { card[place] = Int32(place) }
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

/// The words that class and id are made of: "post", "body" of "postBody", "post-body" and "post_body".
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
