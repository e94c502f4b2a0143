import RoostSimulator

/// A page that the demo's visitor has saved before he comes, and what he has done with it since.
struct DemoArticle: Sendable {
    enum Gist: Sendable, Equatable {
        case none
        /// As Roost makes it.
        case made
        /// Likewise, and then rewritten.
        case edited(String)
    }

    /// On the simulated sites.
    let address: String
    let minutesAgo: Int
    var tags: [String] = []
    var category: String?
    var isArchived = false
    var isFavorite = false
    /// From 0 to 1.
    var progress = 0.0
    var gist = Gist.none
    /// Passages as they stand in the text, each with a note, which may be empty.
    var highlights: [(quote: String, note: String)] = []
    /// User names of the colleagues whom it is shared with.
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

    func archived() -> DemoArticle { with { ($0.isArchived, $0.progress) = (true, 1) } }
    func favorite() -> DemoArticle { with { $0.isFavorite = true } }
    func read(to progress: Double) -> DemoArticle { with { $0.progress = progress } }
    func summed(up gist: Gist = .made) -> DemoArticle { with { $0.gist = gist } }
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
