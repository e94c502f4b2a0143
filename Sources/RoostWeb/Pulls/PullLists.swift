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

    func make() -> Made {
        let filter = PullFilter(query, choices)
        let fresh = RowBatch(site: site, now: inbox.now)
        var seen: Set<PullKey> = []
        let sections = inbox.sections.compactMap { section -> PullSectionView? in
            let fitting = filter.items(of: section.items)
            let shown = section.kind == .own ? fitting : fitting.filter { !seen.contains($0.key) }
            if section.kind != .own { seen.formUnion(shown.map(\.key)) }
            guard section.kind == .turn || section.kind == .own || !section.items.isEmpty else { return nil }
            return PullSectionView(
                section, rendered: text(of: shown, fresh), shown: shown.count,
                above: fitting.count - shown.count, isFiltered: isFiltered)
        }
        let view = PullListsView(
            sections: inbox.sources.isEmpty ? [] : sections, hidden: inbox.hidden.map(HiddenPullRow.init))
        return Made(text: site.templates.render(view), until: fresh.until)
    }

    /// The rows, by the repositories that they already stand by where they are grouped.
    private func text(of items: [InboxItem], _ batch: RowBatch) -> String {
        guard choices.grouping == .repository else { return batch.text(of: items[...]) }
        let groups = items.chunked { $0.pull.repositoryFullName }
        return groups.map { group in
            let name = group.first?.pull.repositoryFullName ?? ""
            return site.templates.render(PullGroupRow(name: name, count: group.count))
                + batch.text(of: group)
        }.joined()
    }

    private var isFiltered: Bool {
        query.isFiltering || choices.drafts != .shown || choices.hidesBots
    }
}

extension Array {
    /// Runs of neighbours that share a name.
    fileprivate func chunked(by name: (Element) -> String) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = 0
        for place in indices.dropFirst() where name(self[place]) != name(self[place - 1]) {
            chunks.append(self[start..<place])
            start = place
        }
        return isEmpty ? [] : chunks + [self[start...]]
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

    func text(of items: ArraySlice<InboxItem>) -> String {
        var text = ""
        text.reserveCapacity(items.count * 3_000)
        for item in items {
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
