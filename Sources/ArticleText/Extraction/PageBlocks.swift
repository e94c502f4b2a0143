/// The page's texts as blocks: each is the text between two line breaks in a browser's layout, such as a paragraph, a
/// heading, an item or a cell.
struct PageBlocks {
    struct Block {
        /// The innermost block element around it.
        let container: Int32
        let nodes: Range<Int32>
        /// The range in `text`. White space is collapsed and `<br>` becomes a line break, except within `pre`.
        let text: Range<Int32>
        let words: Int32
        let linkWords: Int32
        let links: Int32
        let isHidden: Bool
        let isCode: Bool
    }

    private(set) var blocks: [Block] = []
    private(set) var text: [UInt8] = []
    /// For each node: the number of blocks that begin before it.
    private(set) var before: [Int32]
    /// For each text: its block's index, or -1.
    private(set) var blockOfNode: [Int32]
    /// For each node: the nearest ancestor with more blocks, or -1.
    private(set) var wider: [Int32] = []
    let tree: PageTree
    /// True if there are more blocks than `maximumBlocks`, or the tree is cut.
    private(set) var isCut: Bool

    /// Later blocks are ignored, because many features are computed for each.
    private static let maximumBlocks = 30_000

    init(_ tree: PageTree) {
        self.tree = tree
        isCut = tree.isCut
        before = [Int32](repeating: 0, count: tree.count + 1)
        blockOfNode = [Int32](repeating: -1, count: tree.count)
        text.reserveCapacity(tree.bytes.count)
        var reader = Reader(tree: tree)
        reader.read(into: &self)
        wider.reserveCapacity(tree.count)
        for index in 0..<tree.count {
            let parent = tree.parent(index)
            let isSame = parent >= 0 && blocks(in: parent) == blocks(in: index)
            wider.append(isSame ? wider[parent] : Int32(parent))
        }
    }

    func bytes(of block: Int) -> ArraySlice<UInt8> {
        let range = blocks[block].text
        return text[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    func blocks(in node: Int) -> Range<Int> { Int(before[node])..<Int(before[tree.end(node)]) }

    private struct Reader {
        private struct Open {
            let end: Int
            let tag: PageTag
            let isHidden: Bool
            let container: Int32
        }

        let tree: PageTree
        private var open: [Open] = []
        var hidden = 0
        var linked = 0
        var code = 0
        var container: Int32 = 0
        var first: Int32 = -1
        var last: Int32 = -1
        var start = 0
        var linkWords = 0
        var links = 0
        var breaks = 0

        init(tree: PageTree) { self.tree = tree }

        mutating func read(into page: inout PageBlocks) {
            var index = 0
            while index < tree.count {
                while let last = open.last, last.end <= index { close(into: &page) }
                page.before[index] = Int32(page.blocks.count)
                let node = tree.nodes[index]
                switch node.tag {
                case .text:
                    read(index, node, into: &page)
                    index += 1
                case .head, .select, .title, .meta, .link:
                    let end = tree.end(index)
                    while index < end {
                        page.before[index] = Int32(page.blocks.count)
                        index += 1
                    }
                case .br:
                    lineBreak(into: &page)
                    index += 1
                default:
                    start(index, node, into: &page)
                    index += 1
                }
            }
            while !open.isEmpty { close(into: &page) }
            flush(into: &page)
            page.before[tree.count] = Int32(page.blocks.count)
        }

        private mutating func start(_ index: Int, _ node: PageTree.Node, into page: inout PageBlocks) {
            if node.tag.isBlock {
                flush(into: &page)
                page.before[index] = Int32(page.blocks.count)
            }
            let isHidden = PageBlocks.isHidden(index, in: tree)
            open.append(Open(end: tree.end(index), tag: node.tag, isHidden: isHidden, container: container))
            if node.tag.isBlock { container = Int32(index) }
            if isHidden { hidden += 1 }
            if node.tag == .a {
                linked += 1
                links += 1
            }
            if node.tag == .pre { code += 1 }
        }

        private mutating func close(into page: inout PageBlocks) {
            guard let last = open.popLast() else { return }
            if last.tag.isBlock { flush(into: &page) }
            container = last.container
            if last.isHidden { hidden -= 1 }
            if last.tag == .a { linked -= 1 }
            if last.tag == .pre { code -= 1 }
        }

        private mutating func read(_ index: Int, _ node: PageTree.Node, into page: inout PageBlocks) {
            guard page.blocks.count < PageBlocks.maximumBlocks else {
                page.isCut = true
                return
            }
            let bytes = tree.bytes[Int(node.range.lowerBound)..<Int(node.range.upperBound)]
            let count = page.text.count
            if code > 0 {
                page.text.append(contentsOf: bytes)
            } else {
                bytes.withUnsafeBufferPointer { PageText.append($0, to: &page.text, after: start) }
            }
            guard page.text.count > count else { return }
            page.blockOfNode[index] = Int32(page.blocks.count)
            if first < 0 { first = Int32(index) }
            last = Int32(index)
            if page.text[count..<page.text.count].contains(where: { !PageText.isSpace($0) }) { breaks = 0 }
            if linked > 0 { linkWords += WordCount.of(page.text[count..<page.text.count]) }
        }

        /// Two line breaks in a row end a paragraph.
        private mutating func lineBreak(into page: inout PageBlocks) {
            breaks += 1
            if breaks >= 2 {
                flush(into: &page)
            } else if page.text.count > start {
                if page.text.last == 0x20 { page.text.removeLast() }
                page.text.append(0x0A)
            }
        }

        private mutating func flush(into page: inout PageBlocks) {
            defer {
                start = page.text.count
                first = -1
                linkWords = 0
                links = 0
                breaks = 0
            }
            while page.text.count > start, let byte = page.text.last, PageText.isSpace(byte) {
                page.text.removeLast()
            }
            let words = WordCount.of(page.text[start..<page.text.count])
            guard page.text.count > start, first >= 0 else {
                if first >= 0 {
                    for node in Int(first)...Int(last) { page.blockOfNode[node] = -1 }
                }
                page.text.removeSubrange(start...)
                return
            }
            page.blocks.append(
                Block(
                    container: container, nodes: first..<(last + 1),
                    text: Int32(start)..<Int32(page.text.count), words: Int32(words),
                    linkWords: Int32(min(linkWords, words)), links: Int32(links), isHidden: hidden > 0,
                    isCode: code > 0))
        }
    }

    /// True if the element's own attributes hide it.
    static func isHidden(_ node: Int, in tree: PageTree) -> Bool {
        if tree.value(.hidden, of: node) != nil { return true }
        guard let style = tree.value(.style, of: node), style.count >= 12 else { return false }
        return PageText.contains(style, "display:none") || PageText.contains(style, "display: none")
            || PageText.contains(style, "visibility:hidden") || PageText.contains(style, "visibility: hidden")
    }
}

/// Counts words; three Chinese or Japanese characters count as two words.
package enum WordCount {
    package static func of(_ bytes: some Sequence<UInt8>) -> Int {
        var words = 0
        var signs = 0
        var isInWord = false
        for byte in bytes {
            if PageText.isWord(byte) {
                // The first byte of U+3000 to U+9FFF.
                if (0xE3...0xE9).contains(byte) { signs += 1 }
                if !isInWord { words += 1 }
                isInWord = true
            } else {
                isInWord = false
            }
        }
        return signs == 0 ? words : max(words, signs * 2 / 3)
    }
}
