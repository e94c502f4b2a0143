import ArticleText
import Foundation
import HTMLDocument
import RoostSupport

/// Cleans an article's text from another program: keeps all of it, rebuilt from permitted elements. The file is
/// untrusted, even if that program cleaned it.
enum ImportedText {
    /// Elements that begin or end a line of text.
    private static let blocks = HTMLAllowlist.blocks.union(["br", "tr", "caption", "h1"])

    /// Throws `RoostError.invalid(field: "content")` if there is no text.
    static func cleaned(_ html: [UInt8], at url: String) throws -> PreparedArticle.Text {
        var sanitizer = HTMLSanitizer(ArticlePolicy(url: url))
        sanitizer.read(html)
        guard let text = finished(&sanitizer, text: nil, kind: nil) else {
            throw RoostError.invalid(field: "content", why: "This contains no text.")
        }
        return text
    }

    /// Reads markup from one of our own files without changing it. It is untrusted and goes through the sanitizer too.
    /// Returns nil if it isn't in the form that Roost writes.
    static func own(_ markup: String, text: String?, kind: String?) -> PreparedArticle.Text? {
        guard var sanitizer = sanitizer(readingOwn: markup, OwnPolicy()) else { return nil }
        return finished(&sanitizer, text: text, kind: kind)
    }

    /// Reads the comments from a page in the same way. They have no pictures.
    static func ownComments(_ markup: String) -> String? {
        guard markup.utf8.count <= ReadingStore.maximumCommentBytes,
            var sanitizer = sanitizer(readingOwn: markup, OwnPolicy(allowsPictures: false))
        else { return nil }
        return finished(&sanitizer, text: nil, kind: nil)?.markup
    }

    /// Returns nil if the markup isn't in the form that Roost writes.
    private static func sanitizer(readingOwn markup: String, _ policy: OwnPolicy) -> HTMLSanitizer? {
        var sanitizer = HTMLSanitizer(policy)
        var open: [String] = []
        for token in BookmarkFileTokens(Array(markup.utf8), maximumText: .max) {
            switch token {
            case .text(let text): _ = sanitizer.process(.text(text))
            case .start(let name, let attributes):
                let list = attributes.map { HTMLDocument.Attribute(name: $0.key, value: $0.value) }
                _ = sanitizer.process(.start(.init(name: name, attributes: list)))
                if ["br", "hr", "img"].contains(name) {
                    _ = sanitizer.process(.end(name))
                } else {
                    open.append(name)
                }
            case .end(let name):
                guard open.popLast() == name else { return nil }
                _ = sanitizer.process(.end(name))
            }
        }
        return open.isEmpty ? sanitizer : nil
    }

    /// Returns nil if there is no text.
    private static func finished(
        _ sanitizer: inout HTMLSanitizer, text: String?, kind: String?
    ) -> PreparedArticle.Text? {
        let (parts, isCut) = sanitizer.finished()
        let markup = parts.reduce(into: "") { markup, part in
            if case .markup(let clean) = part { markup += clean.html }
        }
        let lines = text.map(ArticleContent.cleaned)?.nonBlank ?? Self.lines(of: markup)
        guard !lines.isBlank else { return nil }
        return PreparedArticle.Text(
            markup: markup, text: lines, wordCount: WordCount.of(lines.utf8),
            kind: kind.flatMap(PageKind.init)?.rawValue ?? "article", isCut: isCut)
    }

    /// Returns a line per paragraph and per line of code. Table cells are separated by tabs.
    private static func lines(of markup: String) -> String {
        var (lines, line): ([String], String) = ([], "")
        var (cells, isInRow, code): ([String], Bool, Int) = ([], false, 0)
        func end() {
            if code > 0 {
                lines += line.splitBytes(at: "\n").map { String($0).sanitized }.filter { !$0.isBlank }
            } else {
                let text = line.words.joined(separator: " ")
                if !text.isEmpty { if isInRow { cells.append(text) } else { lines.append(text) } }
            }
            line = ""
        }
        func endRow() {
            if !cells.isEmpty { lines.append(cells.joined(separator: "\t")) }
            (cells, isInRow) = ([], false)
        }
        // Keeps the lines read before an error.
        try? HTMLDocument.walk(Array(markup.utf8)) { event in
            switch event {
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

    /// Accepts only addresses and names in the form that Roost writes.
    private struct OwnPolicy: MarkupPolicy {
        var allowsPictures = true
        let maximumBytes = 4_000_000
        let separatesPictures = false
        let headings = ["h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6"]
        let codeClasses: [String: String] = [:]

        mutating func visit(_ element: HTMLDocument.Element, depth: Int) {}

        func link(_ text: String) -> MarkupLink? {
            if text.hasPrefix("#") { return elementID(String(text.dropFirst())).map { .fragment($0) } }
            return address(text, schemes: ["http", "https", "mailto"]).map { .page($0) }
        }

        func picture(_ text: String) -> String? {
            allowsPictures ? address(text, schemes: ["http", "https"]) : nil
        }

        func elementID(_ name: String) -> String? {
            guard name.hasPrefix(ArticlePolicy.prefix) else { return nil }
            return AddressText.elementID(
                String(name.dropFirst(ArticlePolicy.prefix.count)), prefix: ArticlePolicy.prefix)
        }

        private func address(_ text: String, schemes: Set<String>) -> String? {
            if let address = AddressText.cleaned(text),
                case .absolute(let url) = AddressText.read(address, defaultScheme: "https", schemes: schemes)
            {
                return url
            }
            // Other programs' files may have longer ones.
            return try? ArticleAddress(text).text
        }
    }
}
