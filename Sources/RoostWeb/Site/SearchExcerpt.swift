package import HTMLTemplates
package import TextFormats

package struct SearchExcerpt: HTMLText, Sendable {
    private let pieces: [SearchSnippet.Piece]
    private let isCutBefore, isCutAfter: Bool

    /// - Parameter isCut: whether the text continues before and after the pieces
    package init(_ pieces: [SearchSnippet.Piece], isCut: (before: Bool, after: Bool) = (false, false)) {
        self.pieces = pieces
        (isCutBefore, isCutAfter) = isCut
    }

    package func write(into html: inout HTMLBuffer) {
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
