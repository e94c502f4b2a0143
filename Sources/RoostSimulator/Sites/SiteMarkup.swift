/// An article's text with a few of Markdown's signs, as the HTML of its blocks.
///
/// Headings (`##`, `###`), lists (`-`, `1.`), tables (`|`, the first row is the head), quotes (`>`), code between
/// fences, figures (`![caption](path)` alone), and within a line emphasis, code and links.
struct SiteMarkup {
    /// Each block by itself, so that a page can put something between them.
    let blocks: [String]

    init(_ text: String) {
        blocks = Self.pieces(of: text).map(Self.html)
    }

    static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// What blank lines part, but not those within code.
    private static func pieces(of text: String) -> [[Substring]] {
        var pieces: [[Substring]] = [], piece: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if line.isEmpty, !isCode {
                if !piece.isEmpty { pieces.append(piece) }
                piece = []
            } else {
                piece.append(line)
            }
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    private static func html(_ lines: [Substring]) -> String {
        let first = lines[0]
        if first.hasPrefix("```") { return code(lines) }
        if first.hasPrefix("### ") { return "<h3>\(inline(first.dropFirst(4)))</h3>" }
        if first.hasPrefix("## ") { return "<h2>\(inline(first.dropFirst(3)))</h2>" }
        if first.hasPrefix("- ") { return list("ul", lines) }
        if first.hasPrefix("1. ") { return list("ol", lines) }
        if first.hasPrefix("|") { return table(lines) }
        if first.hasPrefix("> ") {
            let words = lines.map { $0.drop { "> ".contains($0) } }.joined(separator: " ")
            return "<blockquote><p>\(inline(words[...]))</p></blockquote>"
        }
        let whole = lines.joined(separator: " ")
        if let figure = whole.wholeMatch(of: #/!\[([^\]]*)\]\(([^)]*)\)/#) {
            let caption = inline(figure.1)
            return """
                <figure><img src="\(figure.2)" width="400" height="225" alt="\(escaped(figure.1))">
                <figcaption>\(caption)</figcaption></figure>
                """
        }
        return "<p>\(inline(whole[...]))</p>"
    }

    private static func code(_ lines: [Substring]) -> String {
        let language = lines[0].dropFirst(3)
        let text = lines.dropFirst().prefix { $0 != "```" }.joined(separator: "\n")
        let kind = language.isEmpty ? "" : " class=\"language-\(language)\""
        return "<pre><code\(kind)>\(escaped(text))</code></pre>"
    }

    /// A line that begins with two blanks goes on with the item before it.
    private static func list(_ name: String, _ lines: [Substring]) -> String {
        var items: [String] = []
        for line in lines {
            if line.hasPrefix("  "), let last = items.indices.last {
                items[last] += line.dropFirst()
            } else {
                items.append(String(line.drop { $0 != " " }.dropFirst()))
            }
        }
        return "<\(name)>" + items.map { "<li>\(inline($0[...]))</li>" }.joined(separator: "\n")
            + "</\(name)>"
    }

    private static func table(_ lines: [Substring]) -> String {
        let rows = lines.filter { !$0.hasPrefix("|-") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
                inline(
                    cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().map(String.init)
                        .joined()[...])
            }
        }
        let head = rows.first.map { "<thead><tr>" + cells("th", $0) + "</tr></thead>" } ?? ""
        let body = rows.dropFirst().map { "<tr>" + cells("td", $0) + "</tr>" }.joined(separator: "\n")
        return "<table>\(head)<tbody>\(body)</tbody></table>"
    }

    private static func cells(_ name: String, _ texts: [String]) -> String {
        texts.map { "<\(name)>\($0)</\(name)>" }.joined()
    }

    private static func inline(_ text: Substring) -> String {
        escaped(text)
            .replacing(#/`([^`]+)`/#) { "<code>\($0.1)</code>" }
            .replacing(#/\*\*([^*]+)\*\*/#) { "<strong>\($0.1)</strong>" }
            .replacing(#/\*([^*]+)\*/#) { "<em>\($0.1)</em>" }
            .replacing(#/\[([^\]]+)\]\(([^)]+)\)/#) { "<a href=\"\($0.2)\">\($0.1)</a>" }
    }
}
