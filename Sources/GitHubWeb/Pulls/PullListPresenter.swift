import Foundation
import GitHub
import RoostWeb

struct PullListPresenter {
    let services: GitHubServices
    let inbox: Inbox
    let query: InboxQuery
    let choices: PullPreferences

    /// Throws `CancellationError`.
    func view() throws -> PullListsView {
        let filter = query.filter(choices)
        let prepared = InboxFilter.Prepared(filter)
        let loadState = InboxLoadState(inbox.sources)
        var avatars = PullAvatars(services)
        var seen: Set<PullKey> = []
        let sections = try inbox.sections.compactMap { section -> PullSectionView? in
            let items = section.items
            var matching = InboxFilter.order(of: items, by: choices.sort)
            if !filter.isEmpty {
                matching = try matching.filter { index in
                    try Task.checkCancellation()
                    return prepared.matches(items[index])
                }
            }
            let shown =
                section.kind == .own ? matching : matching.filter { seen.insert(items[$0].key).inserted }
            guard loadState.shows(section) else { return nil }
            return PullSectionView(
                section, groups: try groups(of: items, at: shown, &avatars),
                above: matching.count - shown.count,
                isFiltered: !filter.isEmpty, isLoaded: loadState == .loaded,
                isCollapsed: choices.collapsed.contains(section.id))
        }
        let offers = InboxFilter.offers(in: inbox)
        return PullListsView(
            sections: sections, hidden: inbox.hidden.map(HiddenPullRow.init),
            authors: offers.authors, labels: offers.labels)
    }

    private func groups(
        of items: [InboxItem], at indices: [Int], _ avatars: inout PullAvatars
    ) throws -> [PullSectionView.Group] {
        guard choices.grouping == .repository else {
            return indices.isEmpty ? [] : [PullSectionView.Group(try rows(of: items, at: indices, &avatars))]
        }
        return try InboxFilter.grouped(indices.map { items[$0] }).map { group in
            PullSectionView.Group(
                try rows(of: group.items, at: group.items.indices, &avatars),
                heading: PullGroupRow(name: group.name, count: group.items.count))
        }
    }

    private func rows(
        of items: [InboxItem], at indices: some Sequence<Int>, _ avatars: inout PullAvatars
    ) throws -> [PullRow] {
        let back = query.address.isEmpty ? "" : query.path
        return try indices.map { index in
            try Task.checkCancellation()
            let item = items[index]
            return PullRow(
                item, inbox.choices,
                avatar: avatars.address(of: item.pull.authorAvatarURL, from: item.key.host),
                now: inbox.now, back: back)
        }
    }
}

/// The avatars of a page's authors. Caches lookups because many rows share an author.
struct PullAvatars {
    private let services: GitHubServices
    /// By the picture's original address.
    private var cache: [String: (host: String, address: String?)] = [:]

    init(_ services: GitHubServices) { self.services = services }

    /// Nil until the picture has been fetched.
    mutating func address(of url: String?, from hostName: String) -> String? {
        guard let url else { return nil }
        if let cached = cache[url], cached.host == hostName { return cached.address }
        let host = try? services.accounts.hosts.host(named: hostName)
        let address = host.flatMap { services.pictures.address(of: url, from: $0) }
        cache[url] = (hostName, address)
        return address
    }
}
