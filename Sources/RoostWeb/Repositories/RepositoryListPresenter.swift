import Accounts
import Foundation
import GitHub
import RoostSupport

/// From what is known of repositories to the lists that a page shows.
struct RepositoryListPresenter {
    let site: WebContext
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

    /// One row as it is on the list; nil where the list has no such repository.
    func row(of name: RepositoryName, _ query: RepositoriesQuery) async throws -> RepositoryRow? {
        let listing = try await site.services.repositories.listing(
            query.list, pages: query.pages, for: user.userId)
        guard let item = listing.items.first(where: { RepositoryName($0.fullName) == name }) else {
            return nil
        }
        let marked = try await saved.saved(among: [item.id], of: user)
        return row(item, marked, query, now: listing.now)
    }

    private func row(
        _ item: RepositoryItem, _ marked: Set<RepositoryID>, _ query: RepositoriesQuery, now: Date
    ) -> RepositoryRow {
        let avatar = site.services.pictures.address(
            of: item.repository.owner.avatarURL, from: site.services.gitHub.hosts.standard)
        return RepositoryRow(
            item, avatar: avatar, isBookmarked: marked.contains(item.id), now: now, query: query.suffix)
    }

    private func groups(
        of listing: RepositoryListing, _ marked: Set<RepositoryID>, _ query: RepositoriesQuery,
        _ choices: RepositoryChoices
    ) throws -> RepositoryGroupsView {
        let groups = try query.arrangement(choices).groups(of: listing.items).map { group in
            let rows = try group.items.map { item in
                try Task.checkCancellation()
                return row(item, marked, query, now: listing.now)
            }
            return RepositoryGroupsView.Group(
                id: group.id, title: group.title, count: rows.count,
                isCollapsed: choices.collapsed.contains(group.id), rows: rows)
        }
        return RepositoryGroupsView(groups: groups, isGrouped: choices.grouping != .none)
    }

    /// A fragment's tag: of what it shows, so that news of other repositories are none for it.
    func tag(_ fingerprint: Int) -> String {
        let number = String(UInt(bitPattern: fingerprint), radix: 36)
        return "\(site.services.feed.boot)-\(number)-\(site.files.version.prefix(8))-\(user.userId)"
    }
}
