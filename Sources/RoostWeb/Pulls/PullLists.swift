import Foundation
import RoostServices

/// From an inbox to the lists that a page shows.
struct PullLists {
    let site: Site
    let inbox: Inbox
    let query: InboxQuery
    let choices: PullChoices

    /// What was made, and until when its ages are true.
    struct Made: Sendable {
        let text: String
        let until: Date
    }

    /// Throws `CancellationError`.
    func make() throws -> Made {
        let filter = query.filter(choices)
        let prepared = InboxFilter.Prepared(filter)
        let knowledge = InboxKnowledge(inbox.sources)
        let fresh = RowBatch(site: site, now: inbox.now)
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
                section, rendered: try text(of: shown, fresh), shown: shown.count,
                above: fitting.count - shown.count, isFiltered: !filter.isEmpty, isKnown: knowledge == .known)
        }
        let offers = InboxFilter.offers(in: inbox)
        let view = PullListsView(
            sections: sections, hidden: inbox.hidden.map(HiddenPullRow.init),
            authors: offers.authors, labels: offers.labels)
        return Made(text: site.templates.render(view), until: fresh.until)
    }

    /// The rows, under the heads of their repositories where they are grouped.
    private func text(of items: [InboxItem], _ batch: RowBatch) throws -> String {
        guard choices.grouping == .repository else { return try batch.text(of: items) }
        return try InboxFilter.grouped(items).map { group in
            site.templates.render(PullGroupRow(name: group.name, count: group.items.count))
                + (try batch.text(of: group.items))
        }.joined()
    }
}

/// Rows as text, and the first moment at which one of their ages is no longer true.
private final class RowBatch {
    private let site: Site
    private let now: Date
    private var hosts: [String: GitHubHost] = [:]
    private(set) var until = Date.distantFuture

    init(site: Site, now: Date) {
        self.site = site
        self.now = now
    }

    func text(of items: [InboxItem]) throws -> String {
        var text = ""
        text.reserveCapacity(items.count * 3_000)
        for item in items {
            try Task.checkCancellation()
            let row = site.pullRows.row(item, avatar: avatar(of: item), now: now) { avatar in
                site.templates.render(PullRow(item, avatar: avatar, assets: site.assets, now: now))
            }
            text += row.text
            until = min(until, row.until)
        }
        return text
    }

    private func avatar(of item: InboxItem) -> String? {
        guard let url = item.pull.authorAvatarURL else { return nil }
        if let host = hosts[item.key.host] { return site.services.pictures.address(of: url, from: host) }
        guard let host = try? site.services.gitHub.hosts.host(named: item.key.host) else { return nil }
        hosts[item.key.host] = host
        return site.services.pictures.address(of: url, from: host)
    }
}
