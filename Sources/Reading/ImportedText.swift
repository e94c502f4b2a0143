import ArticleText
import Foundation
import HTMLDocument
import RoostSupport

/// The text of an article as another program had taken it out of its page: all of it is kept, rebuilt from permitted
/// elements alone. Whoever may have cleaned it before, it is a stranger's.
enum ImportedText {
    /// Elements that begin and end lines of the text.
    private static let blocks = HTMLAllowlist.blocks.union(["br", "tr", "caption", "h1"])

    /// Throws `RoostError.invalid(field: "content")` where there is no text in it.
    static func cleaned(_ html: [UInt8], at url: String) throws -> PreparedArticle.Text {
        var sanitizer = HTMLSanitizer(Policy(page: URL(string: url)))
        sanitizer.read(html)
        let (parts, isCut) = sanitizer.finished()
        let markup = parts.reduce(into: "") { markup, part in
            if case .markup(let clean) = part { markup += clean.html }
        }
        let text = lines(of: markup)
        guard !text.isBlank else {
            throw RoostError.invalid(field: "content", why: "There is no text in it.")
        }
        return PreparedArticle.Text(
            markup: markup, text: text, wordCount: WordCount.of(text.utf8), kind: "article", isCut: isCut)
    }

    /// The same of one of our own files, whose markup Roost has cleaned before: nothing of it changes. It is a stranger's
    /// all the same, and goes through the sanitizer. Nil where it has another form than Roost writes.
    static func own(_ markup: String, text: String?, kind: String?) -> PreparedArticle.Text? {
        var sanitizer = HTMLSanitizer(OwnPolicy())
        var open: [String] = []
        for token in BookmarkFileTokens(Array(markup.utf8), maximumText: .max) {
            switch token {
            case .text(let text): _ = sanitizer.take(.text(text))
            case .start(let name, let attributes):
                let list = attributes.map { HTMLDocument.Attribute(name: $0.key, value: $0.value) }
                _ = sanitizer.take(.start(.init(name: name, attributes: list)))
                if ["br", "hr", "img"].contains(name) {
                    _ = sanitizer.take(.end(name))
                } else {
                    open.append(name)
                }
            case .end(let name):
                guard open.popLast() == name else { return nil }
                _ = sanitizer.take(.end(name))
            }
        }
        guard open.isEmpty else { return nil }
        let (parts, isCut) = sanitizer.finished()
        let clean = parts.reduce(into: "") { clean, part in
            if case .markup(let markup) = part { clean += markup.html }
        }
        let lines = text.map(ArticleContent.cleaned)?.nonBlank ?? Self.lines(of: clean)
        guard !lines.isBlank else { return nil }
        return PreparedArticle.Text(
            markup: clean, text: lines, wordCount: WordCount.of(lines.utf8),
            kind: kind.flatMap(PageKind.init)?.rawValue ?? "article", isCut: isCut)
    }

    /// A line a paragraph; lines of code are lines, and the cells of a table's row have tabs between them.
    private static func lines(of markup: String) -> String {
        var (lines, line): ([String], String) = ([], "")
        var (cells, isInRow, code): ([String], Bool, Int) = ([], false, 0)
        func end() {
            if code > 0 {
                lines += line.splitBytes(at: "\n").map { String($0).sanitized }.filter { !$0.isBlank }
            } else {
                let words = line.words.joined(separator: " ")
                if !words.isEmpty { if isInRow { cells.append(words) } else { lines.append(words) } }
            }
            line = ""
        }
        func endRow() {
            if !cells.isEmpty { lines.append(cells.joined(separator: "\t")) }
            (cells, isInRow) = ([], false)
        }
        // What cannot be read to its end has the lines that came until then.
        try? HTMLDocument.walk(Array(markup.utf8)) { piece in
            switch piece {
            case .start(let element):
                if blocks.contains(element.name) { end() }
                if element.name == "tr" { isInRow = true }
                if element.name == "pre" { code += 1 }
            case .end(let name):
                if blocks.contains(name) || name == "td" || name == "th" { end() }
                if name == "tr" { endRow() }
                if name == "pre" { code -= 1 }
            case .text(let text): line += text
            }
            return true
        }
        end()
        endRow()
        return lines.joined(separator: "\n")
    }

    /// Addresses and names as Roost has written them, and none that it would not write.
    private struct OwnPolicy: MarkupPolicy {
        let maximumBytes = 4_000_000
        let keepsPicturesApart = false
        let headings = ["h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6"]
        let codeClasses: [String: String] = [:]

        mutating func meet(_ element: HTMLDocument.Element, depth: Int) {}

        func link(_ text: String) -> MarkupLink? {
            if text.hasPrefix("#") { return place(String(text.dropFirst())).map { .place($0) } }
            return address(text, schemes: ["http", "https", "mailto"]).map { .page($0) }
        }

        func picture(_ text: String) -> String? { address(text, schemes: ["http", "https"]) }

        func place(_ name: String) -> String? {
            guard name.hasPrefix(ArticlePolicy.prefix) else { return nil }
            return AddressText.place(
                String(name.dropFirst(ArticlePolicy.prefix.count)), prefix: ArticlePolicy.prefix)
        }

        private func address(_ text: String, schemes: Set<String>) -> String? {
            if let tidy = AddressText.tidy(text),
                case .whole(let url) = AddressText.read(tidy, besides: "https", schemes: schemes)
            {
                return url
            }
            // Longer ones come from another program's file.
            return try? ArticleAddress(text).text
        }
    }

    /// Addresses are the page's own, or stand beside it.
    private struct Policy: MarkupPolicy {
        let page: URL?
        let maximumBytes = 4_000_000
        let keepsPicturesApart = false
        /// The page's own heading is the first.
        let headings = ["h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6"]
        let codeClasses: [String: String] = [:]

        /// No id of a page of Roost begins so.
        private static let prefix = "article-"

        mutating func meet(_ element: HTMLDocument.Element, depth: Int) {}

        func link(_ text: String) -> MarkupLink? {
            if text.hasPrefix("#") { return place(String(text.dropFirst())).map { .place($0) } }
            let isMail = text.lowercased().hasPrefix("mailto:")
            if isMail, text.utf8.count <= 500, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
                return .page(text)
            }
            return picture(text).map { .page($0) }
        }

        func picture(_ text: String) -> String? {
            let text = text.trimmed
            guard !text.isEmpty, text.utf8.count <= ArticleAddress.maximumLength,
                let whole = URL(string: text, relativeTo: page)?.absoluteURL,
                whole.scheme == "http" || whole.scheme == "https"
            else { return nil }
            return try? ArticleAddress(whole.absoluteString).text
        }

        func place(_ name: String) -> String? {
            // One of our own files has it already.
            let name = name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name
            let isPlain = name.utf8.allSatisfy {
                ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10 || [0x2D, 0x2E, 0x5F].contains($0)
            }
            return (1...100).contains(name.utf8.count) && isPlain ? Self.prefix + name : nil
        }
    }
}
