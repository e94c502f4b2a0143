import Foundation
import RoostServices

/// From an inbox to the lists that a page shows.
struct PullLists {
    let site: Site
    let inbox: Inbox
    let query: InboxQuery
    let choices: PullChoices

    /// Throws `CancellationError`.
    func view() throws -> PullListsView {
        let filter = query.filter(choices)
        let prepared = InboxFilter.Prepared(filter)
        let knowledge = InboxKnowledge(inbox.sources)
        var seen: Set<PullKey> = []
        let sections = try inbox.sections.compactMap { section -> PullSectionView? in
            let held = try section.items.filter { item in
                try Task.checkCancellation()
                return prepared.holds(item)
            }
            let fitting = InboxFilter.sorted(held, by: choices.sort)
            let shown = section.kind == .own ? fitting : fitting.filter { !seen.contains($0.key) }
            if section.kind != .own { seen.formUnion(shown.map(\.key)) }
            guard knowledge.shows(section) else { return nil }
            return PullSectionView(
                section, groups: try groups(of: shown), above: fitting.count - shown.count,
                isFiltered: !filter.isEmpty, isKnown: knowledge == .known)
        }
        let offers = InboxFilter.offers(in: inbox)
        return PullListsView(
            sections: sections, hidden: inbox.hidden.map(HiddenPullRow.init),
            authors: offers.authors, labels: offers.labels)
    }

    /// The rows, under the heads of their repositories where they are grouped.
    private func groups(of items: [InboxItem]) throws -> [PullSectionView.Group] {
        guard choices.grouping == .repository else {
            return items.isEmpty ? [] : [PullSectionView.Group(try items.map(row))]
        }
        return try InboxFilter.grouped(items).map { group in
            PullSectionView.Group(
                try group.items.map(row), head: PullGroupRow(name: group.name, count: group.items.count))
        }
    }

    private func row(_ item: InboxItem) throws -> PullRow {
        try Task.checkCancellation()
        return PullRow(item, avatar: site.avatar(of: item), now: inbox.now)
    }
}

extension Site {
    /// Where the picture of a pull request's author lies here; nil until it does.
    func avatar(of item: InboxItem) -> String? {
        guard let url = item.pull.authorAvatarURL,
            let host = try? services.gitHub.hosts.host(named: item.key.host)
        else { return nil }
        return services.pictures.address(of: url, from: host)
    }
}
