import Accounts
import Foundation
import GitHub
import RoostSupport
import RoostWeb

struct RepositoryListPresenter {
    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarksController { BookmarksController(site: site, services: services) }
    let user: User

    var topics: [String] {
        [Topic.repositories, Topic.repositories(user.userId), Topic.pictures] + bookmarks.topics(for: user)
    }

    struct Content {
        let listing: RepositoryListing
        let bookmarkedIDs: Set<RepositoryID>
        let choices: RepositoryListPreferences
    }

    func content(_ reads: Reads, _ query: RepositoriesQuery) throws -> Content {
        let listing = try services.repositories.listing(
            reads, query.list, pages: query.pages, for: user.userId)
        return Content(
            listing: listing,
            bookmarkedIDs: try bookmarks.bookmarkedIDs(reads, among: listing.items.map(\.id), of: user),
            choices: query.choices(
                over: try services.repositoryPreferences.preferences(reads, of: user.userId, for: .browse)))
    }

    func board(_ content: Content, _ query: RepositoriesQuery, back: String? = nil) async throws
        -> RepositoriesBoardView
    {
        let listing = content.listing
        return try await services.heavyWork.run(for: user.userId, rows: listing.items.count) {
            RepositoriesBoardView(
                listing, groups: try groups(of: listing, content.bookmarkedIDs, query, content.choices),
                query: query,
                back: back)
        }
    }

    /// Returns nil if the list does not include the repository.
    func row(of name: RepositoryName, _ query: RepositoriesQuery) async throws -> RepositoryRow? {
        let found = try await site.database.read { try content($0, query) }
        guard let item = found.listing.items.first(where: { RepositoryName($0.fullName) == name }) else {
            return nil
        }
        return row(item, found.bookmarkedIDs, query, now: found.listing.now)
    }

    private func row(
        _ item: RepositoryItem, _ bookmarkedIDs: Set<RepositoryID>, _ query: RepositoriesQuery, now: Date
    ) -> RepositoryRow {
        let avatar = services.pictures.address(
            of: item.repository.owner.avatarURL, from: services.accounts.hosts.standard)
        return RepositoryRow(
            item, avatar: avatar, isBookmarked: bookmarkedIDs.contains(item.id), now: now,
            query: query.suffix)
    }

    private func groups(
        of listing: RepositoryListing, _ bookmarkedIDs: Set<RepositoryID>, _ query: RepositoriesQuery,
        _ choices: RepositoryListPreferences
    ) throws -> RepositoryGroupsView {
        let groups = try query.arrangement(choices).groups(of: listing.items).map { group in
            let rows = try group.items.map { item in
                try Task.checkCancellation()
                return row(item, bookmarkedIDs, query, now: listing.now)
            }
            return RepositoryGroupsView.Group(
                id: group.id, title: group.title, count: rows.count,
                isCollapsed: choices.collapsed.contains(group.id), rows: rows)
        }
        return RepositoryGroupsView(groups: groups, isGrouped: choices.grouping != .none)
    }

    /// A fragment's version covers only what it shows, so changes of other repositories do not affect it.
    func tag(_ fingerprint: Int) -> String {
        let number = String(UInt(bitPattern: fingerprint), radix: 36)
        return "\(site.feed.boot)-\(number)-\(site.assets.files.version.prefix(8))-\(user.userId)"
    }
}
