import Foundation
import HTMLDocument

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

    /// A line a paragraph.
    private static func lines(of markup: String) -> String {
        var (lines, line): ([String], String) = ([], "")
        func end() {
            let words = line.words.joined(separator: " ")
            if !words.isEmpty { lines.append(words) }
            line = ""
        }
        // What cannot be read to its end has the lines that came until then.
        try? HTMLDocument.walk(Array(markup.utf8)) { piece in
            switch piece {
            case .start(let element): if blocks.contains(element.name) { end() }
            case .end(let name):
                if blocks.contains(name) { end() } else if name == "td" || name == "th" { line += " " }
            case .text(let text): line += text
            }
            return true
        }
        end()
        return lines.joined(separator: "\n")
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
