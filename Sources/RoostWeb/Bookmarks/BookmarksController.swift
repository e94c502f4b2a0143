import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport

/// A user's bookmarks as a page and as fragments.
struct BookmarksController: Sendable {
    let site: WebContext
    private var bookmarks: BookmarkService { site.services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/bookmarks", topics: { topics($1) }, page),
            guarded.member(.get, "/bookmarks/rows", rows),
            guarded.member(.get, "/bookmarks/tile", tile),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        try await shown(request, user)
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = BookmarksQuery(request.query)
        let choices = try await query.choices(
            over: site.services.repositoryChoices.choices(of: user.userId, for: .bookmarks))
        // The version is taken before the bookmarks are read, so that a change meanwhile is fetched again.
        let tag = "\(site.tag(of: topics(user), for: user))-\(choices.mark)-\(query.address)"
        let listing = try await listing(query.serviceQuery(over: choices), user)
        return try await site.services.heavyWork.run(for: user.userId, rows: listing.weight) {
            .response(
                site.fragment(try board(listing, query, choices), version: tag, for: request))
        }
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }
}

/// How the views are filled.
extension BookmarksController {
    private func topics(_ user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    /// - Parameters:
    ///   - detail: of the repository that is shown next to the list
    ///   - adding: a repository's name that was typed and refused
    func shown(
        _ request: Request, _ user: User, detail: RepositoryDetailView = .none,
        adding: FormState = .empty, status: Int = 200
    ) async throws -> RenderedPage {
        // The layout's cursor is taken before the bookmarks are read, so that a change meanwhile is noticed.
        let layout = try await site.layout(for: user, request, place: "/repositories")
        let query = BookmarksQuery(request.query)
        let choices = try await query.choices(
            over: site.services.repositoryChoices.choices(of: user.userId, for: .bookmarks))
        let listing = try await listing(query.serviceQuery(over: choices), user)
        return try await site.services.heavyWork.run(for: user.userId, rows: listing.weight) {
            let view = BookmarksView(
                layout: layout,
                board: try board(listing, query, choices, back: detail.name == nil ? nil : detail.back),
                query: query, choices: choices, total: listing.total, detail: detail,
                adding: adding, web: site.services.gitHub.hosts.standard.webURL)
            return site.rendered(view, status: status)
        }
    }

    func tileView(_ user: User) async throws -> BookmarksTileView {
        let latest = try await bookmarks.latest(BookmarksTileView.limit, of: user.userId)
        return BookmarksTileView(
            rows: latest.items.map { (bookmark: $0, avatar: avatar(of: $0)) }, total: latest.total,
            changed: latest.changed)
    }

    private func board(
        _ listing: BookmarkListing, _ query: BookmarksQuery, _ choices: RepositoryChoices,
        back: String? = nil
    ) throws -> BookmarkBoardView {
        let groups = try listing.groups.map { group in
            let rows = try group.items.map { bookmark in
                try Task.checkCancellation()
                return row(bookmark, query, back: back)
            }
            return RepositoryGroupsView.Group(
                id: group.id, title: group.title,
                count: listing.index.first { $0.id == group.id }?.count ?? group.items.count,
                isCollapsed: choices.collapsed.contains(group.id), rows: rows)
        }
        let view = RepositoryGroupsView(
            groups: groups, index: listing.index.map { .init($0, in: listing, query) },
            isGrouped: choices.grouping != .none)
        return BookmarkBoardView(listing, query: query, groups: view, back: back)
    }

    /// One bookmark's row as the list shows it; nil if it does not.
    func row(of id: BookmarkID, _ query: BookmarksQuery, _ user: User) async throws -> RepositoryRow? {
        let choices = try await query.choices(
            over: site.services.repositoryChoices.choices(of: user.userId, for: .bookmarks))
        let listing = try await listing(query.serviceQuery(over: choices), user)
        return listing.groups.lazy.flatMap(\.items).first { $0.id == id }.map { row($0, query) }
    }

    private func row(_ bookmark: Bookmark, _ query: BookmarksQuery, back: String? = nil) -> RepositoryRow {
        let address = "?in=bookmarks" + (query.address.isEmpty ? "" : "&\(query.address)")
        return RepositoryRow(
            bookmark, avatar: avatar(of: bookmark), query: address, back: back ?? query.path)
    }

    private func listing(
        _ serviceQuery: BookmarkListing.Query, _ user: User
    ) async throws -> BookmarkListing {
        try await bookmarks.listing(serviceQuery, for: user.userId)
    }

    private func avatar(of bookmark: Bookmark) -> String? {
        guard let url = bookmark.item?.repository.owner.avatarURL else { return nil }
        return site.services.pictures.address(of: url, from: site.services.gitHub.hosts.standard)
    }
}

extension BookmarksController: SavedRepositories {
    func topics(for user: User) -> [String] { [Topic.bookmarks(user.userId)] }

    func count(of user: User) async throws -> Int { try await bookmarks.count(of: user.userId) }

    func saved(among ids: [RepositoryID], of user: User) async throws -> Set<RepositoryID> {
        try await bookmarks.marked(ids, by: user.userId)
    }

    func saved(_ name: RepositoryName, of user: User) async throws -> SavedRepository? {
        try await bookmarks.bookmark(named: name, of: user.userId).map { SavedRepository(item: $0.item) }
    }

    func page(_ request: Request, _ user: User, beside detail: RepositoryDetailView) async throws -> Response
    {
        try await shown(request, user, detail: detail).response
    }
}

extension BookmarksQuery {
    /// The stored choices, overridden by the address.
    func choices(over stored: RepositoryChoices) -> RepositoryChoices {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        return choices
    }
}

extension RepositoryChoices {
    /// Distinguishes lists that look different.
    fileprivate var mark: String {
        "\(grouping.rawValue)-\(sort.rawValue)-\(collapsed.sorted().joined(separator: ",").hashValue)"
    }
}

extension BookmarkListing {
    /// The cost of rendering, in rows: a note of hundreds of letters costs as much as a row.
    fileprivate var weight: Int {
        groups.lazy.flatMap(\.items).reduce(0) { $0 + 1 + $1.note.utf8.count / 400 }
    }
}

extension RepositoryGroupsView.Entry {
    /// Links to a group whose rows are not loaded with the pages that load them.
    fileprivate init(
        _ entry: (id: String, title: String, count: Int), in listing: BookmarkListing,
        _ query: BookmarksQuery
    ) {
        let isHere = listing.groups.contains { $0.id == entry.id }
        let before = listing.index.prefix { $0.id != entry.id }.reduce(0) { $0 + $1.count }
        let pages = min(before / 100 + 1, BookmarksQuery.pageLimit)
        let address = query.changed { $0.pages = max($0.pages, pages) }.path
        self.init(
            id: entry.id, title: entry.title, count: entry.count,
            address: isHere ? nil : "\(address)#group-\(PathSegment(entry.id))")
    }
}
