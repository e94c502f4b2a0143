import RoostSupport
import TextFormats

/// A text without columns: an address in each line, or Markdown with links in lists and below headings.
///
/// A line may have words around its addresses. A heading of Markdown becomes the category.
enum AddressList {
    static func read(_ text: UploadedText, into file: inout ArticleImportFile) throws {
        let lines = String(decoding: text.bytes, as: UTF8.self)
            .splitBytes(at: "\n", omittingEmptySubsequences: false)
        var headings: [(level: Int, name: String)] = []
        var isInCode = false
        for (number, line) in lines.enumerated() where file.entries.hasRoom {
            let line = String(line).trimmed
            if line.hasPrefix("```") { isInCode.toggle() }
            guard !isInCode, !line.isEmpty else { continue }
            if let heading = heading(line) {
                headings.removeAll { $0.level >= heading.level }
                headings.append(heading)
                continue
            }
            for var article in MarkdownLink.articles(in: Array(line.utf8)) {
                // The title of the whole file is not a category.
                article.category = ImportedFolders.category(
                    headings.filter { $0.level > 1 }.compactMap { ImportedFolders.name($0.name) })
                try file.add(article, row: number + 1)
            }
        }
        guard !file.entries.rows.isEmpty else { throw ArticleImportFile.unknownKind }
        file.note(.other)
    }

    /// "## Boats": level 2.
    private static func heading(_ line: String) -> (level: Int, name: String)? {
        let level = line.utf8.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = line.utf8.dropFirst(level)
        guard (1...6).contains(level), rest.first == 0x20 else { return nil }
        let name = String(Substring(rest)).trimmed
        return name.isEmpty ? nil : (level, name)
    }

    /// A text that begins with `[` is JSON, or Markdown whose first line is a link: `[title](address)`.
    static func isLikely(_ text: [UInt8]) -> Bool {
        let line = text.drop { $0 <= 0x20 }.prefix { $0 != 0x0A }
        guard let middle = line.firstRange(of: Array("](".utf8)) else { return false }
        return line[middle.upperBound...].starts(with: "http".utf8)
            && !line[..<middle.lowerBound].contains(UInt8(ascii: "\""))
    }
}

/// The first web link of a line: `[title](address)`, `<address>` or a plain address.
private enum MarkdownLink {
    private static let schemes = ["https://", "http://"]
    /// In bytes.
    private static let maximumLine = 20_000

    /// All addresses of a plain line, but only the link of a line in Markdown, whose other links belong to its words.
    static func articles(in line: [UInt8]) -> [ImportedArticle] {
        guard line.count <= maximumLine else { return [] }
        var (articles, rest) = ([ImportedArticle](), line[...])
        while let (article, end) = article(in: Array(rest)) {
            articles.append(article)
            guard let end else { break }
            rest = rest.dropFirst(end)
        }
        return articles
    }

    /// - Returns: the article, and where a plain address ends
    private static func article(in bytes: [UInt8]) -> (ImportedArticle, Int?)? {
        guard let start = start(in: bytes) else { return nil }
        let isInParentheses =
            start > 1 && bytes[start - 1] == UInt8(ascii: "(") && bytes[start - 2] == UInt8(ascii: "]")
        let end = end(of: bytes, from: start, isInParentheses: isInParentheses)
        var article = ImportedArticle(url: String(decoding: bytes[start..<end], as: UTF8.self))
        if isInParentheses, let open = opening(in: bytes[..<(start - 2)]) {
            article.title = text(bytes[(open + 1)..<(start - 2)]).nonBlank
        }
        if article.title == article.url { article.title = nil }
        var rest = bytes[end...]
        if isInParentheses, let close = rest.firstIndex(of: UInt8(ascii: ")")) { rest = rest[(close + 1)...] }
        article.tags = tags(in: &rest)
        let marks = "*-+ \t"
        let before = text(bytes[..<start].drop { marks.utf8.contains($0) })
        article.isArchived = before.lowercased().hasPrefix("[x]")
        if isInParentheses {
            let after = text(rest).unicodeScalars.drop { " -–—:.|>".unicodeScalars.contains($0) }
            article.excerpt = String(Substring(after)).trimmed.nonBlank
        }
        return (article, isInParentheses ? nil : end)
    }

    private static func start(in bytes: [UInt8]) -> Int? {
        let small = bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return schemes.compactMap { small.firstRange(of: Array($0.utf8))?.lowerBound }.min()
    }

    /// Parentheses in an address come in pairs.
    private static func end(of bytes: [UInt8], from start: Int, isInParentheses: Bool) -> Int {
        var (end, depth) = (start, 0)
        while end < bytes.count, bytes[end] > 0x20, ![0x22, 0x3C, 0x3E].contains(bytes[end]) {
            if bytes[end] == UInt8(ascii: "(") { depth += 1 }
            if bytes[end] == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            }
            end += 1
        }
        while !isInParentheses, end > start, ".,;:!]".utf8.contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    private static func opening(in bytes: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: "]") { depth += 1 }
            if bytes[index] == UInt8(ascii: "[") {
                if depth == 0 { return index }
                depth -= 1
            }
        }
        return nil
    }

    /// buku writes tags as a comment: `<!-- TAGS: boats,knots -->`.
    private static func tags(in rest: inout ArraySlice<UInt8>) -> [String] {
        guard let start = rest.firstRange(of: Array("<!--".utf8)),
            let end = rest.firstRange(of: Array("-->".utf8)), start.upperBound <= end.lowerBound
        else { return [] }
        let comment = text(rest[start.upperBound..<end.lowerBound])
        rest = rest[..<start.lowerBound] + rest[end.upperBound...]
        guard comment.lowercased().hasPrefix("tags:") else { return [] }
        return ArticleImportFile.tags(String(comment.dropFirst(5)), separator: ",").map(\.trimmed)
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self).trimmed
    }
}
