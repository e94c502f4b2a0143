package import Reading

/// `/shared-gists/TOKEN`: a gist for whoever has its secret link.
package struct SharedGistView: GuestPageView, Sendable {
    package let layout: GuestLayoutView
    private let gist: Gist

    package init(layout: GuestLayoutView, gist: Gist) {
        self.layout = layout
        self.gist = gist
    }

    package static let sample = SharedGistView(layout: .sample, gist: GistItem.samples[0].gist)

    var title: String { gist.title.sanitized }
    var sourceAddress: String? { gist.sourceUrl.flatMap(OriginalAddress.of) }
    var sourceName: String { gist.sourceUrl.map { OriginalAddress.name(of: $0).sanitized } ?? "" }
    var paragraphs: [String] { GistText.paragraphs(of: gist.content) }
}
