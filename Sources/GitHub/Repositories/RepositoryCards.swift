import RoostSupport

struct RepositoryCards: LinkCards {
    let queues: RepositoryRequestQueues
    let catalog: RepositoryCatalog
    let host: GitHubHost

    func topics(of user: UserID) -> [String] { [Topic.bookmarks(user)] }

    package func recognizes(_ link: WebLink) -> Bool { name(in: link) != nil }

    package func cards(_ reads: Reads, for links: [WebLink], user: UserID) throws -> [WebLink: LinkCard] {
        let named = links.compactMap { link in name(in: link).map { (link, $0) } }
        guard !named.isEmpty else { return [:] }
        let viewer = queues.queue(for: user).viewer
        let items = try catalog.items(reads, named: Array(Set(named.map(\.1))), for: viewer)
        return named.reduce(into: [:]) { cards, entry in
            cards[entry.0] = items[entry.1].map { LinkCard($0) }
        }
    }

    /// Parses "https://github.com/owner/name" and Roost's own "/repositories/owner/name".
    private func name(in link: WebLink) -> RepositoryName? {
        var path = link.path[...]
        if let host = link.host {
            guard host == self.host.name || host == "www." + self.host.name || host == ownAuthority else {
                return nil
            }
        } else {
            guard path.popFirst() == "repositories" else { return nil }
        }
        guard path.count == 2, let owner = path.first, let last = path.last else { return nil }
        let name = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        return RepositoryName(owner: owner, name: name)
    }

    /// The authority of the operator's URL, which may be a substitute for github.com.
    private var ownAuthority: String? { WebLink(host.webURL)?.host }
}

extension LinkCard {
    fileprivate init(_ item: RepositoryItem) {
        var facts: [Fact] = []
        if item.repository.isPrivate { facts.append(.text("Private")) }
        if item.repository.fork { facts.append(.text("Fork")) }
        if let detail = item.detail {
            if detail.archived { facts.append(.text("Archived")) }
            facts.append(.count(detail.stars, detail.stars == 1 ? "star" : "stars"))
            if let language = detail.language { facts.append(.text(language)) }
            facts.append(.updated(detail.pushedAt))
        }
        self.init(
            kind: "Repository", title: item.fullName, subtitle: item.about ?? "", facts: facts,
            address: "/repositories/\(item.fullName)")
    }
}
