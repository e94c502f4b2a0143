import Foundation
import RoostServices

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
            let fitting = try InboxFilter.order(of: items, by: choices.sort).filter { place in
                try Task.checkCancellation()
                return prepared.holds(items[place])
            }
            let shown =
                section.kind == .own ? fitting : fitting.filter { seen.insert(items[$0].key).inserted }
            guard knowledge.shows(section) else { return nil }
            return PullSectionView(
                section, groups: try groups(of: shown.map { items[$0] }, &avatars),
                above: fitting.count - shown.count,
                isFiltered: !filter.isEmpty, isKnown: knowledge == .known)
        }
        let offers = InboxFilter.offers(in: inbox)
        return PullListsView(
            sections: sections, hidden: inbox.hidden.map(HiddenPullRow.init),
            authors: offers.authors, labels: offers.labels)
    }

    /// The rows, under the heads of their repositories where they are grouped.
    private func groups(
        of items: [InboxItem], _ avatars: inout PullAvatars
    ) throws -> [PullSectionView.Group] {
        guard choices.grouping == .repository else {
            return items.isEmpty ? [] : [PullSectionView.Group(try rows(of: items, &avatars))]
        }
        return try InboxFilter.grouped(items).map { group in
            PullSectionView.Group(
                try rows(of: group.items, &avatars),
                head: PullGroupRow(name: group.name, count: group.items.count))
        }
    }

    private func rows(of items: [InboxItem], _ avatars: inout PullAvatars) throws -> [PullRow] {
        let back = query.address
        return try items.map { item in
            try Task.checkCancellation()
            return PullRow(item, avatar: avatars.address(for: item), now: inbox.now, back: back)
        }
    }
}

/// The pictures of a page's authors. Many rows have the same author, so each is looked up once.
struct PullAvatars {
    private struct Author: Hashable {
        let host, url: String
    }

    private let site: WebContext
    private var addresses: [Author: String?] = [:]

    init(site: WebContext) {
        self.site = site
    }

    /// Roost's own address of the picture; nil until it is here.
    mutating func address(for item: InboxItem) -> String? {
        guard let url = item.pull.authorAvatarURL else { return nil }
        let author = Author(host: item.key.host, url: url)
        if let known = addresses[author] { return known }
        let host = try? site.services.gitHub.hosts.host(named: author.host)
        let address = host.flatMap { site.services.pictures.address(of: url, from: $0) }
        addresses[author] = .some(address)
        return address
    }
}
