package import RoostSupport

/// Articles and gists that people link to: what the viewer has in his own list, or was shared with him.
extension ReadingService: LinkCards {
    package func recognizes(_ link: WebLink) -> Bool { Self.target(of: link) != nil }

    /// Any page may be an article of the viewer's.
    package func mayKnow(_ link: WebLink) -> Bool { link.host != nil }

    package func cards(for links: [WebLink], user: UserID) async throws -> [WebLink: LinkCard] {
        try await writer.read { reading in
            var cards: [WebLink: LinkCard] = [:]
            for link in links {
                switch Self.target(of: link) {
                case .article(let id):
                    if let item = try reading.record(id, of: user)?.item { cards[link] = LinkCard(item) }
                case .gist(let id):
                    if let gist = try? GistTransaction(reading).visible(id, to: user) {
                        cards[link] = LinkCard(gist)
                    }
                case nil:
                    guard link.host != nil, let address = try? ArticleAddress(link.address),
                        let id = try reading.article(at: address.normalized, of: user),
                        let item = try reading.record(id, of: user)?.item
                    else { continue }
                    cards[link] = LinkCard(item)
                }
            }
            return cards
        }
    }

    private enum Target {
        case article(ArticleID)
        case gist(GistID)
    }

    /// "/reading/7" and "/gists/7", of Roost's own pages.
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
            facts.append(.words(minutes == 1 ? "1 minute" : "\(minutes) minutes"))
        }
        switch item.fetchState {
        case .failed: facts.append(.words("Not fetched"))
        case .waiting: facts.append(.words("Being fetched"))
        case .link(let type): if type != "text/html" { facts.append(.words(type)) }
        case .fetched: break
        }
        if item.state == .archived { facts.append(.words("Archived")) }
        self.init(
            kind: "Article", title: item.article.title,
            subtitle: [item.author, item.site].compactMap(\.self).joined(separator: ", "), facts: facts,
            address: "/reading/\(item.id)")
    }

    fileprivate init(_ gist: GistRecord) {
        let first = gist.content.splitBytes(at: "\n").first.map { String($0) }
        self.init(
            kind: "Gist", title: gist.title,
            subtitle: ArticleRules.strangers(first, maximumLength: 160) ?? "",
            facts: [.updated(gist.updatedAt)], address: "/gists/\(gist.id)")
    }
}
