import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct BookmarksController: Sendable {
    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarkService { services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/bookmarks", topics: { topics($1) }, page),
            guarded.member(.get, "/bookmarks/rows", rows),
            guarded.tile(BookmarksTileView.kind, topics: { topics($0) }, tileView),
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        try await renderedPage(request, user) { _ in .none }
    }

    private func rows(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = BookmarksQuery(request.query)
        // Take the version before reading the bookmarks, so that a concurrent change causes another fetch.
        let tag = site.tag(of: topics(user), for: user)
        let (listing, choices, _) = try await list(query, user) { _ in }
        let version = "\(tag)-\(choices.versionTag)-\(query.address)"
        return try await services.heavyWork.run(for: user.userId, rows: listing.weight) {
            .response(site.fragment(try board(listing, query, choices), version: version, for: request))
        }
    }
}

extension BookmarksController {
    private func topics(_ user: User) -> [String] { [Topic.bookmarks(user.userId), Topic.pictures] }

    func renderedPage(
        _ request: Request, _ user: User, adding: FormState = .empty,
        detail: (Reads) throws -> RepositoryDetailView
    ) async throws -> RenderedPage {
        let query = BookmarksQuery(request.query)
        let (listing, choices, (layout, detail)) = try await list(query, user) { reads in
            (try site.layout(reads, for: user, request, currentEntry: "/bookmarks"), try detail(reads))
        }
        return try await services.heavyWork.run(for: user.userId, rows: listing.weight) {
            let view = BookmarksView(
                layout: layout,
                board: try board(listing, query, choices, back: detail.name == nil ? nil : detail.back),
                query: query, choices: choices, total: listing.total, detail: detail,
                adding: adding, web: services.accounts.hosts.standard.webURL)
            return site.rendered(view)
        }
    }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> BookmarksTileView {
        let latest = try bookmarks.changedLatest(reads, scope.rows, of: user.userId)
        return BookmarksTileView(
            rows: latest.items.map { (bookmark: $0, avatar: avatar(of: $0)) }, total: latest.total,
            changed: latest.changed, limit: scope.rows)
    }

    private func board(
        _ listing: BookmarkListing, _ query: BookmarksQuery, _ choices: RepositoryListPreferences,
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

    /// Returns nil if the list does not include the bookmark.
    func row(of id: BookmarkID, _ query: BookmarksQuery, _ user: User) async throws -> RepositoryRow? {
        let (listing, _, _) = try await list(query, user) { _ in }
        return listing.groups.lazy.flatMap(\.items).first { $0.id == id }.map { row($0, query) }
    }

    private func row(_ bookmark: Bookmark, _ query: BookmarksQuery, back: String? = nil) -> RepositoryRow {
        let address = "?in=bookmarks" + (query.address.isEmpty ? "" : "&\(query.address)")
        return RepositoryRow(
            bookmark, avatar: avatar(of: bookmark), query: address, back: back ?? query.path)
    }

    /// Reads a list, and with `other` what else the page shows, from one moment.
    private func list<Other>(
        _ query: BookmarksQuery, _ user: User, _ other: (Reads) throws -> Other
    ) async throws -> (BookmarkListing, RepositoryListPreferences, Other) {
        let rows = try await site.database.read { reads in
            let query = query.serviceQuery(over: try choices(reads, query, user))
            return try bookmarks.rowsRead(reads, by: query, for: user.userId)
        }
        return try await services.heavyWork.run(for: user.userId, rows: rows) {
            try await site.database.read { reads in
                let choices = try choices(reads, query, user)
                let query = query.serviceQuery(over: choices)
                return (try bookmarks.listing(reads, query, for: user.userId), choices, try other(reads))
            }
        }
    }

    private func choices(
        _ reads: Reads, _ query: BookmarksQuery, _ user: User
    ) throws -> RepositoryListPreferences {
        let stored = try services.repositoryPreferences.preferences(reads, of: user.userId, for: .bookmarks)
        return query.choices(over: stored)
    }

    private func avatar(of bookmark: Bookmark) -> String? {
        guard let url = bookmark.item?.repository.owner.avatarURL else { return nil }
        return services.pictures.address(of: url, from: services.accounts.hosts.standard)
    }
}

/// The bookmark data that the repositories' pages show.
extension BookmarksController {
    func topics(for user: User) -> [String] { [Topic.bookmarks(user.userId)] }

    func count(_ reads: Reads, of user: User) throws -> Int { try bookmarks.count(reads, of: user.userId) }

    func bookmarkedIDs(_ reads: Reads, among ids: [RepositoryID], of user: User) throws -> Set<RepositoryID> {
        try bookmarks.marked(reads, ids, by: user.userId)
    }

    func bookmark(_ reads: Reads, named name: RepositoryName, of user: User) throws -> Bookmark? {
        try bookmarks.bookmark(reads, named: name, of: user.userId)
    }
}

extension BookmarksQuery {
    /// Overrides the stored choices with those in the address.
    func choices(over stored: RepositoryListPreferences) -> RepositoryListPreferences {
        var choices = stored
        choices.grouping = grouping ?? stored.grouping
        choices.sort = sort ?? stored.sort
        return choices
    }
}

extension RepositoryListPreferences {
    /// Part of the fragment's version: differs between lists that look different.
    fileprivate var versionTag: String {
        "\(grouping.rawValue)-\(sort.rawValue)-\(collapsed.sorted().joined(separator: ",").hashValue)"
    }
}

extension BookmarkListing {
    /// The rendering cost in rows: 400 bytes of a note cost about as much as a row.
    fileprivate var weight: Int {
        groups.lazy.flatMap(\.items).reduce(0) { $0 + 1 + $1.note.utf8.count / 400 }
    }
}

extension RepositoryGroupsView.Entry {
    /// Links to a group; if its rows are not loaded yet, the address asks for enough pages.
    fileprivate init(
        _ entry: (id: String, title: String, count: Int), in listing: BookmarkListing,
        _ query: BookmarksQuery
    ) {
        let isLoaded = listing.groups.contains { $0.id == entry.id }
        let before = listing.index.prefix { $0.id != entry.id }.reduce(0) { $0 + $1.count }
        let pages = min(before / 100 + 1, BookmarksQuery.pageLimit)
        let address = query.changed { $0.pages = max($0.pages, pages) }.path
        self.init(
            id: entry.id, title: entry.title, count: entry.count,
            address: isLoaded ? nil : "\(address)#group-\(PathSegment(entry.id))")
    }
}
