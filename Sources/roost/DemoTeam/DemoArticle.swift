import Reading
import RoostSimulator

/// A page that the visitor saved before the demo starts, and the changes they made to it since.
struct DemoArticle: Sendable {
    enum Gist: Sendable, Equatable {
        case none
        /// As generated.
        case generated
        /// Generated, then rewritten.
        case edited(String)
    }

    /// A URL on the simulated sites.
    let address: String
    let minutesAgo: Int
    var tags: [String] = []
    var category: String?
    var change = ArticleChange()
    var gist = Gist.none
    /// Exact quotes from the text, each with a note, which may be empty.
    var highlights: [(quote: String, note: String)] = []
    /// User names of the recipients.
    var sharedWith: [String] = []

    init(_ site: SimulatedSite, _ path: String, _ minutesAgo: Int) {
        self.init(site.address(of: path), minutesAgo)
    }

    init(_ address: String, _ minutesAgo: Int) {
        self.address = address
        self.minutesAgo = minutesAgo
    }

    func tagged(_ tags: String..., in category: String? = nil) -> DemoArticle {
        with { ($0.tags, $0.category) = (tags, category) }
    }

    func archived() -> DemoArticle { with { ($0.change.state, $0.change.progress) = (.archived, 1) } }
    func favorite() -> DemoArticle { with { $0.change.isFavorite = true } }
    func read(to progress: Double) -> DemoArticle { with { $0.change.progress = progress } }
    func withGist(_ gist: Gist = .generated) -> DemoArticle { with { $0.gist = gist } }
    func shared(with names: String...) -> DemoArticle { with { $0.sharedWith = names } }
    func highlighted(_ quote: String, _ note: String = "") -> DemoArticle {
        with { $0.highlights.append((quote, note)) }
    }

    private func with(_ change: (inout DemoArticle) -> Void) -> DemoArticle {
        var article = self
        change(&article)
        return article
    }
}
