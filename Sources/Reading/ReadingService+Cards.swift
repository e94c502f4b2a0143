package import RoostSupport

/// Cards for links to articles and gists in the viewer's own list or shared with them.
extension ReadingService: LinkCards {
    package func topics(of user: UserID) -> [String] { [Topic.reading(user)] }

    package func recognizes(_ link: WebLink) -> Bool { Self.target(of: link) != nil }

    /// Any page may be in the viewer's list.
    package func mayKnow(_ link: WebLink) -> Bool { link.host != nil }

    package func cards(_ reads: Reads, for links: [WebLink], user: UserID) throws -> [WebLink: LinkCard] {
        var cards: [WebLink: LinkCard] = [:]
        for link in links {
            switch Self.target(of: link) {
            case .article(let id):
                if let item = try reads.article(id, of: user) { cards[link] = LinkCard(item) }
            case .gist(let id):
                if let gist = try? reads.visibleGist(id, to: user) {
                    cards[link] = LinkCard(gist)
                }
            case nil:
                guard link.host != nil, let address = try? ArticleAddress(link.address),
                    let id = try reads.articleID(at: address.normalized, of: user),
                    let item = try reads.article(id, of: user)
                else { continue }
                cards[link] = LinkCard(item)
            }
        }
        return cards
    }

    private enum Target {
        case article(ArticleID)
        case gist(GistID)
    }

    /// Matches "/reading/7" and "/gists/7" on Roost itself.
    private static func target(of link: WebLink) -> Target? {
        guard link.host == nil, link.path.count == 2, let id = Int64(link.path[1]), id > 0 else { return nil }
        return switch link.path[0] {
        case "reading": .article(id)
        case "gists": .gist(id)
        default: nil
        }
    }
}

extension LinkCard {
    fileprivate init(_ item: ArticleItem) {
        var facts: [Fact] = []
        if let minutes = item.minutes {
            facts.append(.text(minutes == 1 ? "1 minute" : "\(minutes) minutes"))
        }
        switch item.fetchState {
        case .failed: facts.append(.text("Not fetched"))
        case .waiting: facts.append(.text("Being fetched"))
        case .link(let type): if type != "text/html" { facts.append(.text(type)) }
        case .fetched: break
        }
        if item.state == .archived { facts.append(.text("Archived")) }
        self.init(
            kind: "Article", title: item.title,
            subtitle: [item.author, item.site].compactMap(\.self).joined(separator: ", "), facts: facts,
            address: "/reading/\(item.id)")
    }

    fileprivate init(_ gist: GistItem) {
        let first = gist.content.splitBytes(at: "\n").first.map { String($0) }
        self.init(
            kind: "Gist", title: gist.title,
            subtitle: ArticleRules.shortened(first, maximumLength: 160) ?? "",
            facts: [.updated(gist.updatedAt)], address: "/gists/\(gist.id)")
    }
}
