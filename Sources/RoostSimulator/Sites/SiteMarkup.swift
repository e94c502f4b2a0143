/// Converts an article's text in a small subset of Markdown to HTML blocks.
///
/// Supports headings (`##`, `###`), lists (`-`, `1.`), tables (`|`, first row is the head), quotes (`>`),
/// fenced code, figures (`![caption](path)` on their own), and inline emphasis, code and links.
struct SiteMarkup {
    /// Separate, so that a page can insert something between them.
    let blocks: [String]

    init(_ text: String) {
        blocks = Self.lineGroups(of: text).map(Self.html)
    }

    static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// Splits at blank lines outside of code.
    private static func lineGroups(of text: String) -> [[Substring]] {
        var groups: [[Substring]] = [], group: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if line.isEmpty, !isCode {
                if !group.isEmpty { groups.append(group) }
                group = []
            } else {
                group.append(line)
            }
        }
        return group.isEmpty ? groups : groups + [group]
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
            let text = lines.map { $0.drop { "> ".contains($0) } }.joined(separator: " ")
            return "<blockquote><p>\(inline(text[...]))</p></blockquote>"
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

    /// A line that begins with two spaces continues the previous item.
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
