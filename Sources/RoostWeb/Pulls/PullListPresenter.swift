import Foundation
import GitHub

/// From an inbox to the lists that a page shows.
struct PullListPresenter {
    let site: WebContext
    let inbox: Inbox
    let query: InboxQuery
    let choices: PullChoices

    /// Throws `CancellationError`.
    func view() throws -> PullListsView {
        let filter = query.filter(choices)
        let prepared = InboxFilter.Prepared(filter)
        let knowledge = InboxLoadState(inbox.sources)
        var avatars = PullAvatars(site: site)
        var seen: Set<PullKey> = []
        let sections = try inbox.sections.compactMap { section -> PullSectionView? in
            let items = section.items
            var fitting = InboxFilter.order(of: items, by: choices.sort)
            if !filter.isEmpty {
                fitting = try fitting.filter { place in
                    try Task.checkCancellation()
                    return prepared.holds(items[place])
                }
            }
            let shown =
                section.kind == .own ? fitting : fitting.filter { seen.insert(items[$0].key).inserted }
            guard knowledge.shows(section) else { return nil }
            return PullSectionView(
                section, groups: try groups(of: items, at: shown, &avatars),
                above: fitting.count - shown.count,
                isFiltered: !filter.isEmpty, isKnown: knowledge == .known)
        }
        let offers = InboxFilter.offers(in: inbox)
        return PullListsView(
            sections: sections, hidden: inbox.hidden.map(HiddenPullRow.init),
            authors: offers.authors, labels: offers.labels)
    }

    /// The rows, under the headings of their repositories where they are grouped.
    private func groups(
        of items: [InboxItem], at places: [Int], _ avatars: inout PullAvatars
    ) throws -> [PullSectionView.Group] {
        guard choices.grouping == .repository else {
            return places.isEmpty ? [] : [PullSectionView.Group(try rows(of: items, at: places, &avatars))]
        }
        return try InboxFilter.grouped(places.map { items[$0] }).map { group in
            PullSectionView.Group(
                try rows(of: group.items, at: group.items.indices, &avatars),
                heading: PullGroupRow(name: group.name, count: group.items.count))
        }
    }

    private func rows(
        of items: [InboxItem], at places: some Sequence<Int>, _ avatars: inout PullAvatars
    ) throws -> [PullRow] {
        let back = query.address.isEmpty ? "" : query.path
        return try places.map { place in
            try Task.checkCancellation()
            let item = items[place]
            return PullRow(
                item, avatar: avatars.address(of: item.pull.authorAvatarURL, from: item.key.host),
                now: inbox.now, back: back)
        }
    }
}

/// The pictures of a page's authors. Many rows have the same author, so each is looked up once.
struct PullAvatars {
    private let site: WebContext
    /// By the picture's address at the host that names it.
    private var known: [String: (host: String, address: String?)] = [:]

    init(site: WebContext) {
        self.site = site
    }

    /// Roost's own address of the picture; nil until it is here.
    mutating func address(of url: String?, from hostName: String) -> String? {
        guard let url else { return nil }
        if let known = known[url], known.host == hostName { return known.address }
        let host = try? site.services.gitHub.hosts.host(named: hostName)
        let address = host.flatMap { site.services.pictures.address(of: url, from: $0) }
        known[url] = (hostName, address)
        return address
    }
}
