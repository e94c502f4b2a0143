import HTMLTemplates
import RoostServices

/// The part of a message that was found, with the words that were looked for marked.
struct SearchExcerpt: HTMLText, Sendable {
    private let pieces: [ChatSearchHit.Piece]
    private let isCutBefore, isCutAfter: Bool

    init(_ hit: ChatSearchHit) {
        let file = hit.file.map { [ChatSearchHit.Piece(text: $0.name, isMatch: false)] }
        pieces = hit.snippet.isEmpty ? file ?? [] : hit.snippet
        isCutBefore = hit.isCutBefore
        isCutAfter = hit.isCutAfter
    }

    init(_ pieces: [ChatSearchHit.Piece]) {
        self.pieces = pieces
        isCutBefore = false
        isCutAfter = true
    }

    func write(into html: inout HTMLBuffer) {
        if isCutBefore { html.text("… ") }
        for piece in pieces {
            if piece.isMatch {
                html.literal("<mark>")
                html.text(piece.text)
                html.literal("</mark>")
            } else {
                html.text(piece.text)
            }
        }
        if isCutAfter { html.text(" …") }
    }
}
