import Foundation
import HTMLDocument

/// The chosen blocks as a text and as markup.
package struct ArticleContent {
    let text: String
    let markup: CleanMarkup
    /// The first paragraph's beginning.
    let beginning: String?
    let firstImage: String?
    /// The end of the page is missing.
    let isCut: Bool

    private static let notice = "The page is larger than Roost reads. Its end is missing here."

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
        for place in page.blocks.indices where chosen[place] {
            let next = self.row(of: Int(page.blocks[place].container), in: page.tree)
            if !text.isEmpty { text.append(next >= 0 && next == row ? 0x09 : 0x0A) }
            row = next
            text += page.bytes(of: place)
        }
        return sanitized(text)
    }

    /// In parts: a text of megabytes may have a line for every two of its bytes.
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

    /// The table row around a cell without blocks of its own, or -1.
    private static func row(of container: Int, in tree: PageTree) -> Int {
        let tag = tree.nodes[container].tag
        guard tag == .td || tag == .th else { return -1 }
        return tree.parent(container)
    }

    /// A text from elsewhere, as `text` is.
    package static func cleaned(_ text: String) -> String { text.sanitizedLines }

    private static let maximumBeginning = 300
    /// A paragraph may have megabytes.
    private static let maximumBytesRead = 4_000

    private static func beginning(_ page: PageBlocks, _ chosen: [Bool]) -> String? {
        let first = page.blocks.indices.first { place in
            let block = page.blocks[place]
            return chosen[place] && block.words >= 12 && block.linkWords * 2 < block.words && !block.isCode
        }
        guard let first else { return nil }
        return beginning(PageText.oneLine(page.bytes(of: first).prefix(maximumBytesRead)))
    }

    /// Of a text without such a paragraph, such as code: the first long line, or else the first.
    private static func beginning(of text: String) -> String? {
        let lines = text.splitBytes(at: "\n", maxSplits: 20).prefix(20)
        let first = lines.first { $0.utf8.count > 80 } ?? lines.first
        return first.map { beginning(String(decoding: $0.utf8.prefix(maximumBytesRead), as: UTF8.self)) }
    }

    private static func beginning(_ text: String) -> String {
        let line = text.sanitized
        guard line.utf8.count > maximumBeginning else { return line }
        var words = ""
        for word in line.words {
            guard words.utf8.count + word.utf8.count < maximumBeginning else { break }
            words += words.isEmpty ? String(word) : " \(word)"
        }
        return (words.isEmpty ? String(line.unicodeScalars.prefix(100)) : words) + "…"
    }
}

extension String {
    /// Like `sanitized`, but lines and tabs stay.
    fileprivate var sanitizedLines: String {
        splitBytes(at: "\n", omittingEmptySubsequences: false).map { line in
            line.splitBytes(at: "\t", omittingEmptySubsequences: false).map { String($0).sanitized }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }
}
