import Reading

/// `/shared-gists/TOKEN`: a gist for whoever has its secret link.
struct SharedGistView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    private let gist: Gist

    init(layout: GuestLayoutView, gist: Gist) {
        self.layout = layout
        self.gist = gist
    }

    var title: String { gist.title.sanitized }
    var sourceAddress: String? { gist.sourceUrl.flatMap(OriginalAddress.of) }
    var sourceName: String { gist.sourceUrl.map { OriginalAddress.name(of: $0).sanitized } ?? "" }
    var paragraphs: [String] { GistText.paragraphs(of: gist.content) }
}
