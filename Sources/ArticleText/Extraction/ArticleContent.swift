import Foundation
import HTMLDocument

package struct ArticleContent {
    let text: String
    let markup: CleanMarkup
    let beginning: String?
    let firstImage: String?
    let isCut: Bool

    private static let notice = "The page is too long. Its end is missing here."

    init(_ page: PageBlocks, chosen: [Bool], title: String?, addresses: PageAddresses) {
        let text = Self.text(page, chosen)
        var writer = MarkupWriter(page, chosen: chosen, title: title, addresses: addresses)
        let markup = writer.write()
        firstImage = writer.firstImage
        beginning = Self.beginning(page, chosen) ?? Self.beginning(of: text)
        isCut = page.isCut || writer.isCut
        guard isCut, !text.isBlank else {
            (self.text, self.markup) = (text, markup)
            return
        }
        self.text = text + "\n" + Self.notice
        self.markup = CleanMarkup(
            cleaned: markup.html + "<p lang=\"en\" dir=\"ltr\"><em>\(Self.notice)</em></p>")
    }

    private static func text(_ page: PageBlocks, _ chosen: [Bool]) -> String {
        var text: [UInt8] = []
        var row = -1
        for index in page.blocks.indices where chosen[index] {
            let next = self.row(of: Int(page.blocks[index].container), in: page.tree)
            if !text.isEmpty { text.append(next >= 0 && next == row ? 0x09 : 0x0A) }
            row = next
            text += page.bytes(of: index)
        }
        return sanitized(text)
    }

    /// Sanitises in parts, because a text of megabytes may have a line for every two bytes.
    private static func sanitized(_ text: [UInt8]) -> String {
        var lines = ""
        lines.reserveCapacity(text.count)
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.dropFirst(1 << 16).firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            lines += String(decoding: rest[..<end], as: UTF8.self).sanitizedLines
            rest = rest[end...]
        }
        return lines
    }

    /// The table row that contains a cell without nested blocks, or -1.
    private static func row(of container: Int, in tree: PageTree) -> Int {
        let tag = tree.nodes[container].tag
        guard tag == .td || tag == .th else { return -1 }
        return tree.parent(container)
    }

    /// Cleans a text from another source in the same way as `text`.
    package static func cleaned(_ text: String) -> String { text.sanitizedLines }

    private static let maximumBeginning = 300
    /// A limit, because a paragraph may have megabytes.
    private static let maximumBytesRead = 4_000

    private static func beginning(_ page: PageBlocks, _ chosen: [Bool]) -> String? {
        let first = page.blocks.indices.first { index in
            let block = page.blocks[index]
            return chosen[index] && block.words >= 12 && block.linkWords * 2 < block.words && !block.isCode
        }
        guard let first else { return nil }
        return beginning(PageText.oneLine(page.bytes(of: first).prefix(maximumBytesRead)))
    }

    /// For texts without a suitable paragraph, such as code: the first long line, or else the first line.
    private static func beginning(of text: String) -> String? {
        let lines = text.splitBytes(at: "\n", maxSplits: 20).prefix(20)
        let first = lines.first { $0.utf8.count > 80 } ?? lines.first
        return first.map { beginning(String(decoding: $0.utf8.prefix(maximumBytesRead), as: UTF8.self)) }
    }

    private static func beginning(_ text: String) -> String {
        let line = text.sanitized
        guard line.utf8.count > maximumBeginning else { return line }
        var shortened = ""
        for word in line.words {
            guard shortened.utf8.count + word.utf8.count < maximumBeginning else { break }
            shortened += shortened.isEmpty ? String(word) : " \(word)"
        }
        return (shortened.isEmpty ? String(line.unicodeScalars.prefix(100)) : shortened) + "…"
    }
}

extension String {
    /// Like `sanitized`, but keeps lines and tabs.
    fileprivate var sanitizedLines: String {
        splitBytes(at: "\n", omittingEmptySubsequences: false).map { line in
            line.splitBytes(at: "\t", omittingEmptySubsequences: false).map { String($0).sanitized }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }
}
