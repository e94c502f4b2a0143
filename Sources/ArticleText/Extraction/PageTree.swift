import HTMLDocument

/// A page as a tree in flat arrays: nodes are in document order, and a node's descendants are the indexes up to its
/// end. No recursion, so any nesting depth works.
struct PageTree {
    struct Node {
        fileprivate(set) var tag: PageTag
        /// -1 for the root.
        let parent: Int32
        /// The index after its last descendant.
        var end: Int32
        let depth: Int32
        /// For a text its range in `bytes`, for an element its range in `attributes`.
        var range: Range<Int32>
    }

    struct Attribute {
        let name: PageAttribute
        let range: Range<Int32>
    }

    /// True if the page exceeds a limit and its end is missing.
    fileprivate(set) var isCut = false

    /// Large pages have tens of thousands of nodes. Each takes about 200 bytes until the article is extracted, and 5 MB
    /// of HTML can have two million.
    static let maximumNodes = 200_000
    /// For all elements, including skipped ones, because libxml2 keeps their names.
    static let maximumAttributes = 400_000
    /// For texts and attribute values together.
    static let maximumBytes = 4_000_000

    private(set) var nodes: [Node] = []
    private(set) var attributes: [Attribute] = []
    private(set) var bytes: [UInt8] = []
    fileprivate(set) var hasScripts = false
    /// The number of nodes that `CodeTables` has rewritten.
    var codeNodes = 0
    /// The contents of scripts of the type `application/ld+json`.
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
        for index in Int(node.range.lowerBound)..<Int(node.range.upperBound)
        where attributes[index].name == name {
            let range = attributes[index].range
            return bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        }
        return nil
    }

    func text(_ name: PageAttribute, of node: Int) -> String? {
        value(name, of: node).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text.
    func bytes(of text: Int) -> ArraySlice<UInt8> {
        let range = nodes[text].range
        return bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    func text(in node: Int) -> String {
        var all: [UInt8] = []
        for index in node..<end(node) where nodes[index].tag == .text {
            let range = nodes[index].range
            all += bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        }
        return PageText.oneLine(all)
    }

    func children(of node: Int) -> some Sequence<Int> {
        let end = end(node)
        return sequence(state: node + 1) { next -> Int? in
            guard next < end else { return nil }
            defer { next = self.end(next) }
            return next
        }
    }

    mutating func setTag(_ tag: PageTag, of node: Int) { nodes[node].tag = tag }

    mutating func setText(_ text: [UInt8], of node: Int) { nodes[node].range = append(text) }

    /// Removes an element and all that follows it. Its children have no other attributes and bytes.
    fileprivate mutating func removeAll(from node: Int) {
        let attribute = Int(nodes[node].range.lowerBound)
        let starts = [
            attributes[attribute...].first?.range.lowerBound,
            nodes[node...].first { $0.tag == .text }?.range.lowerBound,
        ]
        if let start = starts.compactMap(\.self).min() {
            bytes.removeSubrange(Int(start)...)
            // Scripts make no nodes.
            linkedData.removeAll { $0.upperBound > bytes.count }
        }
        attributes.removeSubrange(attribute...)
        nodes.removeSubrange(node...)
    }

    /// Adds an attribute to the last element.
    fileprivate mutating func add(_ name: PageAttribute, _ value: some Collection<UInt8>, to node: Int) {
        guard node == nodes.count - 1, nodes[node].range.upperBound == attributes.count else { return }
        attributes.append(Attribute(name: name, range: append(value)))
        nodes[node].range = nodes[node].range.lowerBound..<Int32(attributes.count)
    }

    fileprivate mutating func open(_ tag: PageTag, in parent: Int32, _ list: HTMLDocument.Attributes) -> Int32
    {
        let first = Int32(attributes.count)
        for (name, value) in list {
            guard let name = PageAttribute(name) ?? PageAttribute(picture: value, named: name, of: tag) else {
                continue
            }
            attributes.append(Attribute(name: name, range: append(value)))
        }
        return append(tag, in: parent, first..<Int32(attributes.count))
    }

    fileprivate mutating func append(_ tag: PageTag, in parent: Int32, _ range: Range<Int32>) -> Int32 {
        let index = Int32(nodes.count)
        let depth = parent < 0 ? 0 : nodes[Int(parent)].depth + 1
        nodes.append(Node(tag: tag, parent: parent, end: index + 1, depth: depth, range: range))
        return index
    }

    fileprivate mutating func close(_ node: Int32) { nodes[Int(node)].end = Int32(nodes.count) }

    fileprivate mutating func append(_ text: some Collection<UInt8>) -> Range<Int32> {
        let start = Int32(bytes.count)
        bytes.append(contentsOf: text)
        return start..<Int32(bytes.count)
    }

    /// Extends the last node, which must be a text.
    fileprivate mutating func lengthenText(by text: UnsafeBufferPointer<UInt8>) {
        let last = nodes.count - 1
        bytes.append(contentsOf: text)
        nodes[last].range = nodes[last].range.lowerBound..<Int32(bytes.count)
    }

    fileprivate mutating func addLinkedData(_ range: Range<Int32>) { linkedData.append(range) }
}

private final class PageTreeBuilder: HTMLVisitor {
    private var tree: PageTree
    private var attributeCount = 0
    private var open: [Int32] = []
    private var tags: [PageTag] = []
    /// The number of open elements whose content is skipped.
    private var skipped = 0
    /// In bytes, for one script of linked data. Enough for the text of a long article.
    private static let maximumData = 2_000_000
    private var data: [UInt8]?
    /// The formula being read, in MathML or in a script.
    private var math: MathText?
    /// The number of nodes after the last formula in MathML.
    private var mathEnd = -1
    /// The open elements that may contain only line numbers.
    private var numbers: [Int32] = []

    init(sizeHint: Int) { tree = PageTree(sizeHint: sizeHint) }

    var isDone: Bool { tree.isCut }

    /// Closes the open elements, because the events of a cut page lack their ends.
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
        let tag = tags[name.number]
        guard skipped == 0 else {
            skipped += 1
            math?.start(name.text, encoding: attributes.first("encoding"))
            if tag == .source { addSource(attributes) }
            return
        }
        if tag == .script {
            startScript(attributes)
            return
        }
        if tag == .math {
            skipped = 1
            math = MathText(alternative: attributes.first("alttext"))
            return
        }
        let isFormulaCopy = isCopyOfFormula(tag, attributes)
        let node = tree.open(tag, in: open.last ?? -1, attributes)
        open.append(node)
        if tag.isSkipped || isFormulaCopy { skipped = 1 }
        if CodeTables.mayBeNumbers(tag, in: tree, Int(node)) { numbers.append(node) }
    }

    private func startScript(_ attributes: HTMLDocument.Attributes) {
        skipped = 1
        let type = attributes.first("type")?.lowercased() ?? ""
        let isData = type.containsBytes("ld+json")
        if type.hasPrefix("math/tex") {
            math = MathText(alternative: nil)
            return
        }
        data = isData ? [] : nil
        if !isData { tree.hasScripts = true }
    }

    /// Formulas are in MathML or in a script, and next to that as drawn by KaTeX or MathJax.
    private func isCopyOfFormula(_ tag: PageTag, _ attributes: HTMLDocument.Attributes) -> Bool {
        guard tag == .span || tag == .div, let names = attributes.first("class") else { return false }
        return names.words.contains {
            $0 == "katex-html" && tree.count == mathEnd
                || ["MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "MathJax_CHTML"].contains(
                    $0)
        }
    }

    /// The first source of a video or an audio without an address.
    private func addSource(_ attributes: HTMLDocument.Attributes) {
        guard let node = open.last.map(Int.init), [.video, .audio].contains(tree.nodes[node].tag),
            tree.value(.src, of: node) == nil, let source = attributes.first("src")
        else { return }
        tree.add(.src, Array(source.utf8), to: node)
    }

    private func finishMath() {
        guard let formula = math?.formula else { return }
        math = nil
        guard !formula.isEmpty, tree.bytes.count + formula.utf8.count <= PageTree.maximumBytes else { return }
        let first = Int32(tree.attributes.count)
        let node = tree.append(.code, in: open.last ?? -1, first..<first)
        _ = tree.append(.text, in: node, tree.append(formula.utf8))
        tree.close(node)
        mathEnd = tree.count
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0 else {
            if let count = data?.count, count + text.count <= Self.maximumData {
                data?.append(contentsOf: text)
            }
            math?.text(String(decoding: text, as: UTF8.self))
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
            guard skipped == 0 else {
                math?.end()
                return
            }
            if math != nil {
                finishMath()
                return
            }
            if tags[name.number] == .script {
                if let data, tree.bytes.count + data.count <= PageTree.maximumBytes {
                    tree.addLinkedData(tree.append(data))
                }
                data = nil
                return
            }
        }
        guard let node = open.popLast() else { return }
        tree.close(node)
        guard numbers.last == node else {
            CodeTables.rewrite(Int(node), in: &tree)
            return
        }
        numbers.removeLast()
        if CodeTables.isNumbers(Int(node), in: tree) {
            tree.removeAll(from: Int(node))
        } else {
            // The elements around it contain its text.
            numbers = []
        }
    }
}

extension HTMLDocument.Attributes {
    /// The value of the first attribute with the name.
    fileprivate func first(_ name: String) -> String? {
        first { $0.name.elementsEqual(name.utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}
