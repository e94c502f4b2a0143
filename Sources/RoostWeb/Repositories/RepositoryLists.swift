import Foundation
import RoostServices

/// From what is known of repositories to the lists that a page shows.
struct RepositoryLists {
    let site: Site
    let user: User

    /// What the lists hang on.
    var topics: [String] {
        [
            Topic.repositories, Topic.repositories(user.userId), Topic.bookmarks(user.userId),
            Topic.pictures,
        ]
    }

    func board(_ query: RepositoriesQuery, choices: RepositoryChoices, back: String? = nil) async throws
        -> RepositoriesBoardView
    {
        let listing = try await site.services.repositories.listing(
            query.list, pages: query.pages, for: user.userId)
        return try await site.services.heavyWork.run(for: user.userId, rows: listing.items.count) {
            let groups = try query.arrangement(choices).groups(of: listing.items)
            let text = groups.isEmpty ? "" : try self.text(of: groups, query, choices, now: listing.now)
            return RepositoriesBoardView(
                listing, rendered: text, shown: groups.reduce(0) { $0 + $1.items.count }, query: query,
                back: back)
        }
    }

    private func text(
        of groups: [RepositoryGroup<RepositoryItem>], _ query: RepositoriesQuery,
        _ choices: RepositoryChoices, now: Date
    ) throws -> String {
        let marked = site.services.bookmarks.marked(by: user.userId)
        let host = site.services.gitHub.hosts.standard
        let shown = try groups.map { group in
            let rows = group.items.map { item in
                RepositoryRow(
                    item,
                    avatar: site.services.pictures.address(of: item.repository.owner.avatarURL, from: host),
                    isKept: marked.contains(item.id), now: now, assets: site.assets)
            }
            return RepositoryGroupsView.Group(
                id: group.id, title: group.title, count: rows.count,
                isCollapsed: choices.collapsed.contains(group.id),
                rendered: try site.repositoryRows.text(of: rows, query: query.suffix) { row in
                    try Task.checkCancellation()
                    return site.templates.render(row)
                })
        }
        return site.templates.render(
            RepositoryGroupsView(groups: shown, isGrouped: choices.grouping != .none))
    }

    /// A fragment's tag: of what it shows, so that news of other repositories are none for it.
    func tag(_ fingerprint: Int) -> String {
        let boot = site.services.feed.cursor.prefix { $0 != "." }
        let number = String(UInt(bitPattern: fingerprint), radix: 36)
        return "\(boot)-\(number)-\(site.files.version.prefix(8))-\(user.userId)"
    }
}
