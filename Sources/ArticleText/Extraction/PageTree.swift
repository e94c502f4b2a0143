import HTMLDocument

/// A page as a tree, kept in a few flat lists: a node's number is its place in the document, and what it holds are the
/// numbers up to its end. Nothing here calls itself, so that a page may nest as deep as it likes.
struct PageTree {
    struct Node {
        let tag: PageTag
        /// -1 for the first.
        let parent: Int32
        /// The first node after all that it holds.
        var end: Int32
        let depth: Int32
        /// A text's bytes within `bytes`; an element's attributes within `attributes`.
        var range: Range<Int32>
    }

    struct Attribute {
        let name: PageAttribute
        let range: Range<Int32>
    }

    /// The page has more than the limits allow: its end is missing.
    fileprivate(set) var isCut = false

    /// Large pages have tens of thousands of nodes. Each costs some 200 bytes until the article is extracted, and 5 MB of
    /// HTML can have two million.
    static let maximumNodes = 200_000
    /// Of all elements, those that are skipped included: libxml2 keeps each name of one.
    static let maximumAttributes = 400_000
    /// Of texts and values together.
    static let maximumBytes = 4_000_000

    private(set) var nodes: [Node] = []
    private(set) var attributes: [Attribute] = []
    /// Texts and values, in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Whether a script may change what the page shows.
    fileprivate(set) var hasScripts = false
    /// What scripts of the type `application/ld+json` hold.
    private(set) var linkedData: [Range<Int32>] = []

    init(_ html: some Collection<UInt8>) throws(HTMLDocument.ParseError) {
        let builder = PageTreeBuilder(sizeHint: html.count)
        try HTMLDocument.walk(html, limits: .page, showing: builder)
        self = builder.finished()
    }

    fileprivate init(sizeHint: Int) {
        nodes.reserveCapacity(min(sizeHint / 60, Self.maximumNodes))
        attributes.reserveCapacity(min(sizeHint / 60, Self.maximumAttributes))
        bytes.reserveCapacity(min(sizeHint / 3, Self.maximumBytes))
    }

    var count: Int { nodes.count }

    func end(_ node: Int) -> Int { Int(nodes[node].end) }
    func parent(_ node: Int) -> Int { Int(nodes[node].parent) }

    func value(_ name: PageAttribute, of node: Int) -> ArraySlice<UInt8>? {
        let node = nodes[node]
        guard node.tag != .text else { return nil }
        for place in Int(node.range.lowerBound)..<Int(node.range.upperBound)
        where attributes[place].name == name {
            let range = attributes[place].range
            return bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        }
        return nil
    }

    func text(_ name: PageAttribute, of node: Int) -> String? {
        value(name, of: node).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All texts in a node, with a blank in place of white space.
    func text(in node: Int) -> String {
        var all: [UInt8] = []
        for place in node..<end(node) where nodes[place].tag == .text {
            let range = nodes[place].range
            all += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        }
        return PageText.oneLine(all)
    }

    /// What a node holds itself, from the first on.
    func children(of node: Int) -> some Sequence<Int> {
        let end = end(node)
        return sequence(state: node + 1) { next -> Int? in
            guard next < end else { return nil }
            defer { next = self.end(next) }
            return next
        }
    }

    fileprivate mutating func open(_ tag: PageTag, in parent: Int32, _ list: HTMLDocument.Attributes) -> Int32
    {
        let first = Int32(attributes.count)
        for (name, value) in list {
            guard let name = PageAttribute(name) else { continue }
            attributes.append(Attribute(name: name, range: append(value)))
        }
        return append(tag, in: parent, first..<Int32(attributes.count))
    }

    fileprivate mutating func append(_ tag: PageTag, in parent: Int32, _ range: Range<Int32>) -> Int32 {
        let place = Int32(nodes.count)
        let depth = parent < 0 ? 0 : nodes[Int(parent)].depth + 1
        nodes.append(Node(tag: tag, parent: parent, end: place + 1, depth: depth, range: range))
        return place
    }

    fileprivate mutating func close(_ node: Int32) { nodes[Int(node)].end = Int32(nodes.count) }

    fileprivate mutating func append(_ text: some Collection<UInt8>) -> Range<Int32> {
        let start = Int32(bytes.count)
        bytes.append(contentsOf: text)
        return start..<Int32(bytes.count)
    }

    /// A text that goes on where the last node, a text too, ended.
    fileprivate mutating func lengthenText(by text: UnsafeBufferPointer<UInt8>) {
        let last = nodes.count - 1
        bytes.append(contentsOf: text)
        nodes[last].range = nodes[last].range.lowerBound..<Int32(bytes.count)
    }

    fileprivate mutating func addLinkedData(_ range: Range<Int32>) { linkedData.append(range) }
}

/// Builds the tree from what libxml2 shows.
private final class PageTreeBuilder: HTMLVisitor {
    private var tree: PageTree
    private var attributeCount = 0
    private var open: [Int32] = []
    private var tags: [PageTag] = []
    /// Elements within each other that are passed over.
    private var skipped = 0
    /// In bytes, of one script of linked data: the text of a long article fits.
    private static let maximumData = 2_000_000
    /// What a script of linked data holds so far; nil outside of one.
    private var data: [UInt8]?

    init(sizeHint: Int) { tree = PageTree(sizeHint: sizeHint) }

    var isDone: Bool { tree.isCut }

    /// A page that is cut shows no end of what is still open.
    func finished() -> PageTree {
        while let node = open.popLast() { tree.close(node) }
        return tree
    }

    func start(_ name: HTMLDocument.Name, _ attributes: HTMLDocument.Attributes) {
        attributeCount += attributes.count
        guard tree.count < PageTree.maximumNodes, tree.bytes.count < PageTree.maximumBytes,
            attributeCount <= PageTree.maximumAttributes
        else {
            tree.isCut = true
            return
        }
        if name.number >= tags.count { tags.append(PageTag(name.bytes)) }
        guard skipped == 0 else {
            skipped += 1
            return
        }
        let tag = tags[name.number]
        if tag == .script {
            skipped = 1
            let isData = attributes.contains {
                $0.name.elementsEqual("type".utf8) && PageText.contains($0.value, "ld+json")
            }
            data = isData ? [] : nil
            if !isData { tree.hasScripts = true }
            return
        }
        let node = tree.open(tag, in: open.last ?? -1, attributes)
        open.append(node)
        if tag.isSkipped {
            skipped = 1
        }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0 else {
            if let count = data?.count, count + text.count <= Self.maximumData {
                data?.append(contentsOf: text)
            }
            return
        }
        guard tree.count < PageTree.maximumNodes, tree.bytes.count + text.count <= PageTree.maximumBytes
        else {
            tree.isCut = true
            return
        }
        if let last = tree.nodes.last, last.tag == .text, last.parent == open.last ?? -1 {
            tree.lengthenText(by: text)
            return
        }
        let range = tree.append(text)
        _ = tree.append(.text, in: open.last ?? -1, range)
    }

    func end(_ name: HTMLDocument.Name) {
        if skipped > 0 {
            skipped -= 1
            guard skipped == 0 else { return }
            if tags[name.number] == .script {
                if let data, tree.bytes.count + data.count <= PageTree.maximumBytes {
                    tree.addLinkedData(tree.append(data))
                }
                data = nil
                return
            }
        }
        if let node = open.popLast() { tree.close(node) }
    }
}
