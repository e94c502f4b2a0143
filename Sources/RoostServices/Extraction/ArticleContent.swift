import Foundation
import HTMLDocument

/// The chosen blocks as a text and as markup.
struct ArticleContent {
    let text: String
    let markup: CleanMarkup
    /// The first paragraph's beginning.
    let beginning: String?
    let firstImage: String?

    init(_ page: PageBlocks, chosen: [Bool], title: String?, addresses: PageAddresses) {
        text = Self.text(page, chosen)
        var writer = MarkupWriter(page, chosen: chosen, title: title, addresses: addresses)
        markup = writer.write()
        firstImage = writer.firstImage
        beginning = Self.beginning(page, chosen)
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
        return String(decoding: text, as: UTF8.self).sanitizedLines
    }

    /// The table row around a cell without blocks of its own, or -1.
    private static func row(of container: Int, in tree: PageTree) -> Int {
        let tag = tree.nodes[container].tag
        guard tag == .td || tag == .th else { return -1 }
        return tree.parent(container)
    }

    /// A text from elsewhere, as `text` is.
    static func cleaned(_ text: String) -> String { text.sanitizedLines }

    private static let maximumBeginning = 300

    private static func beginning(_ page: PageBlocks, _ chosen: [Bool]) -> String? {
        let first = page.blocks.indices.first { place in
            let block = page.blocks[place]
            return chosen[place] && block.words >= 12 && block.linkWords * 2 < block.words && !block.isCode
        }
        guard let first else { return nil }
        let line = PageText.oneLine(page.bytes(of: first)).sanitized
        guard line.utf8.count > maximumBeginning else { return line }
        var words = ""
        for word in line.words {
            guard words.utf8.count + word.utf8.count < maximumBeginning else { break }
            words += words.isEmpty ? String(word) : " \(word)"
        }
        return words.isEmpty ? nil : words + "…"
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
