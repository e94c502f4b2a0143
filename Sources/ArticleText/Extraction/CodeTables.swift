/// Code that a page shows in a table: a row for each line, or a cell of line numbers next to one of code.
enum CodeTables {
    /// Classes of cells and other elements that contain only line numbers.
    private static let numbers = hashes(
        "blob-num", "code-line-number", "code-linenumber", "crayon-nums", "gl", "gutter", "hljs-ln-n",
        "hljs-ln-numbers", "line-number", "line-numbers", "line_numbers", "linenodiv", "lineno", "linenos",
        "linenumber", "linenumbers", "ln", "lnt", "react-line-number", "rouge-gutter")
    /// Classes of cells that contain a line of code each.
    private static let lines = hashes(
        "blob-code", "code-line", "hljs-ln-code", "hljs-ln-line", "js-file-line", "line-content",
        "react-code-line")
    /// Classes of elements whose parts are lines of code, and of those lines.
    private static let listings = hashes("code", "container", "crayon-pre", "code-wrapper", "code-lines")
    private static let parts = hashes("line", "crayon-line", "code-line", "codeline")

    /// Per page. Nested listings are rewritten several times.
    private static let maximumNodes = 400_000
    /// How far outside a listing a `pre` may begin.
    private static let maximumParents = 100

    private static func hashes(_ names: String...) -> Set<UInt64> { Set(names.map { PageHash.of($0.utf8) }) }

    /// Whether the class is one of elements that contain line numbers. Such an element may contain something else.
    static func mayBeNumbers(_ tag: PageTag, in tree: PageTree, _ node: Int) -> Bool {
        switch tag {
        case .td, .th, .pre, .div, .span, .a, .li, .code: has(numbers, node, tree)
        default: false
        }
    }

    private static func has(_ names: Set<UInt64>, _ node: Int, _ tree: PageTree) -> Bool {
        guard let value = tree.value(.class, of: node) else { return false }
        return value.split(whereSeparator: PageText.isSpace).contains { names.contains(PageHash.of($0)) }
    }

    /// True if the element has digits and nothing else.
    static func isNumbers(_ node: Int, in tree: PageTree) -> Bool {
        for index in node..<tree.count {
            switch tree.nodes[index].tag {
            case .text:
                guard tree.bytes(of: index).allSatisfy({ PageText.isSpace($0) || $0 &- 0x30 < 10 }) else {
                    return false
                }
            case .img, .iframe, .video, .audio, .embed, .object, .svg, .custom: return false
            default: break
            }
        }
        return true
    }

    /// Turns the elements of a table or listing of code lines into one `pre`.
    static func rewrite(_ node: Int, in tree: inout PageTree) {
        switch tree.nodes[node].tag {
        case .table: rewriteTable(node, in: &tree)
        case .td, .div: if has(listings, node, tree) { rewriteListing(node, in: &tree) }
        default: break
        }
    }

    private static func rewriteTable(_ table: Int, in tree: inout PageTree) {
        var rows: [Int] = []
        for index in table..<tree.count {
            switch tree.nodes[index].tag {
            case .tr: rows.append(index)
            case .th: return
            case .td: guard has(lines, index, tree) else { return }
            case .table: guard index == table else { return }
            default: break
            }
        }
        guard !rows.isEmpty else { return }
        makeCode(of: table, lines: rows, in: &tree)
    }

    private static func rewriteListing(_ node: Int, in tree: inout PageTree) {
        let children = Array(tree.children(of: node)).filter { tree.nodes[$0].tag != .text }
        guard children.count > 1,
            children.allSatisfy({ [.div, .span].contains(tree.nodes[$0].tag) && has(parts, $0, tree) })
        else { return }
        makeCode(of: node, lines: children, in: &tree)
    }

    private static let frame: Set<PageTag> = [.table, .thead, .tbody, .tfoot, .tr, .td, .div]

    /// - Parameter lines: the elements with a line each
    private static func makeCode(of node: Int, lines: [Int], in tree: inout PageTree) {
        guard tree.codeNodes < maximumNodes else { return }
        tree.codeNodes += tree.count - node
        guard !tree.nodes[node...].contains(where: { $0.tag == .pre }) else { return }
        let isInCode = isInCode(node, tree)
        for index in node..<tree.count
        where tree.nodes[index].tag == .text && isBlank(index, tree) && isBetween(index, node, tree) {
            tree.setText([], of: index)
        }
        for index in node..<tree.count where frame.contains(tree.nodes[index].tag) {
            tree.setTag(.other, of: index)
        }
        tree.setTag(isInCode ? .other : .pre, of: node)
        // A line without any text is an end of line after the previous one.
        var ends = 0
        for (number, line) in lines.enumerated().reversed() {
            ends += 1
            let end = number + 1 < lines.count ? lines[number + 1] : tree.count
            guard
                let last = (line..<end).last(where: {
                    tree.nodes[$0].tag == .text && !isEmpty($0, tree)
                })
            else {
                continue
            }
            var bytes = Array(tree.bytes(of: last))
            while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
            tree.setText(bytes + [UInt8](repeating: 0x0A, count: ends), of: last)
            ends = 0
        }
    }

    private static func isInCode(_ node: Int, _ tree: PageTree) -> Bool {
        var parent = tree.parent(node)
        for _ in 0..<maximumParents where parent >= 0 {
            if tree.nodes[parent].tag == .pre { return true }
            parent = tree.parent(parent)
        }
        return false
    }

    private static func isEmpty(_ text: Int, _ tree: PageTree) -> Bool { tree.bytes(of: text).isEmpty }

    private static func isBlank(_ text: Int, _ tree: PageTree) -> Bool {
        tree.bytes(of: text).allSatisfy(PageText.isSpace)
    }

    /// True for the white space between a table's parts.
    private static func isBetween(_ text: Int, _ node: Int, _ tree: PageTree) -> Bool {
        let parent = tree.parent(text)
        return parent == node || [.table, .thead, .tbody, .tfoot, .tr].contains(tree.nodes[parent].tag)
    }
}
