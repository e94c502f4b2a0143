import Foundation
import RoostServices

/// From what is known of repositories to the lists that a page shows.
struct RepositoryLists {
    let site: Site
    let saved: any SavedRepositories
    let user: User

    /// What the lists hang on.
    var topics: [String] {
        [Topic.repositories, Topic.repositories(user.userId), Topic.pictures] + saved.topics(for: user)
    }

    func board(_ query: RepositoriesQuery, choices: RepositoryChoices, back: String? = nil) async throws
        -> RepositoriesBoardView
    {
        let listing = try await site.services.repositories.listing(
            query.list, pages: query.pages, for: user.userId)
        let marked = try await saved.saved(among: listing.items.map(\.id), of: user)
        return try await site.services.heavyWork.run(for: user.userId, rows: listing.items.count) {
            RepositoriesBoardView(
                listing, groups: try groups(of: listing, marked, query, choices), query: query, back: back)
        }
    }

    private func groups(
        of listing: RepositoryListing, _ marked: Set<RepositoryID>, _ query: RepositoriesQuery,
        _ choices: RepositoryChoices
    ) throws -> RepositoryGroupsView {
        let host = site.services.gitHub.hosts.standard
        let groups = try query.arrangement(choices).groups(of: listing.items).map { group in
            let rows = try group.items.map { item in
                try Task.checkCancellation()
                return RepositoryRow(
                    item,
                    avatar: site.services.pictures.address(of: item.repository.owner.avatarURL, from: host),
                    isKept: marked.contains(item.id), now: listing.now, query: query.suffix)
            }
            return RepositoryGroupsView.Group(
                id: group.id, title: group.title, count: rows.count,
                isCollapsed: choices.collapsed.contains(group.id), rows: rows)
        }
        return RepositoryGroupsView(groups: groups, isGrouped: choices.grouping != .none)
    }

    /// A fragment's tag: of what it shows, so that news of other repositories are none for it.
    func tag(_ fingerprint: Int) -> String {
        let boot = site.services.feed.cursor.prefix { $0 != "." }
        let number = String(UInt(bitPattern: fingerprint), radix: 36)
        return "\(boot)-\(number)-\(site.files.version.prefix(8))-\(user.userId)"
    }
}
