import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// Bookmarks as JSON.
struct BookmarksAPI: Sendable {
    /// The most bookmarks in one answer.
    private static let pageSize = 100

    let site: WebContext
    private var bookmarks: BookmarkService { site.services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/api/v1/bookmarks/{owner}/{name}"
        return [
            guarded.member(.get, "/api/v1/bookmarks", list),
            guarded.member(.post, "/api/v1/bookmarks", add),
            guarded.member(.get, one, show),
            guarded.member(.patch, one, edit),
            guarded.member(.delete, one, remove),
        ]
    }

    private struct AddRequest: Decodable {
        let fullName: String
        let tags: [String]?
        let note: String?
    }

    private struct EditRequest: Decodable {
        let tags: [String]?
        let note: String?
    }

    /// The latest first.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let cursor = try request.query["cursor"].map(BookmarkCursor.init(parsing:))
        // The last one may have moved: look at its page, the one before and the two after it.
        let from = max(0, (cursor?.shown ?? 0) / Self.pageSize - 1)
        let listing = try await bookmarks.listing(.init(from: from, pages: 4), for: user.userId)
        let all = listing.groups.flatMap(\.items)
        let place = cursor.map { $0.place(in: all.map(\.id), from: from * Self.pageSize) }
        let start = place ?? 0
        let page = all.dropFirst(start).prefix(Self.pageSize)
        let isLast = start + page.count >= all.count && !listing.hasMorePages
        let next =
            isLast
            ? nil
            : page.last.map { BookmarkCursor(shown: from * Self.pageSize + start + page.count, last: $0.id) }
        return .response(API.json(API.List(page.map(BookmarkJSON.init), next: next?.description)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.json(AddRequest.self, field: "fullName")
        guard let name = RepositoryName(body.fullName) else {
            throw RoostError.invalid(
                field: "fullName", why: "A repository is named like apple/swift-nio: owner, slash, name.")
        }
        let (done, added) = try await bookmarks.add(name, for: user.userId)
        var bookmark = added
        if body.tags != nil || body.note != nil {
            _ = try await bookmarks.edit(added.name, tags: body.tags, note: body.note, of: user.userId)
            bookmark = try await find(added.name, user)
        }
        var response = API.json(BookmarkJSON(bookmark), status: done.count > 0 ? 201 : 200)
        response.headers.append(("Location", "/api/v1/bookmarks/\(bookmark.shownName.path)"))
        return .response(response)
    }

    private func show(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(API.json(BookmarkJSON(try await find(RepositoryName(bookmarked: request), user))))
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(bookmarked: request)
        let body = try request.json(EditRequest.self, field: "tags")
        _ = try await bookmarks.edit(name, tags: body.tags, note: body.note, of: user.userId)
        return .response(API.json(BookmarkJSON(try await find(name, user))))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        _ = try await bookmarks.remove(RepositoryName(bookmarked: request), of: user.userId)
        return .response(Response(status: 204))
    }

    private func find(_ name: RepositoryName, _ user: User) async throws -> Bookmark {
        guard let bookmark = try await bookmarks.bookmark(named: name, of: user.userId) else {
            throw RoostError.notFound("This repository is not among your bookmarks.")
        }
        return bookmark
    }
}

/// Where a list of bookmarks continues: after the one that was sent last, wherever it is now.
struct BookmarkCursor: Equatable, Sendable, CustomStringConvertible {
    /// How many were sent.
    let shown: Int
    let last: BookmarkID

    init(shown: Int, last: BookmarkID) {
        self.shown = shown
        self.last = last
    }

    /// Throws `RoostError.invalid(field: "cursor")` if Roost never made this cursor.
    init(parsing text: String) throws {
        let parts = text.splitBytes(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let shown = Int(parts[0]), let last = BookmarkID(parts[1]),
            (1...1_000_000).contains(shown), last > 0
        else {
            throw RoostError.invalid(field: "cursor", why: "Invalid cursor.")
        }
        self.init(shown: shown, last: last)
    }

    var description: String { "\(shown).\(last)" }

    /// Where the next page begins among these, even if bookmarks were added or removed before it; the old position if
    /// the last one itself was removed.
    ///
    /// - Parameter from: how many come before `ids`
    func place(in ids: [BookmarkID], from: Int = 0) -> Int {
        ids.firstIndex(of: last).map { $0 + 1 } ?? min(max(0, shown - from), ids.count)
    }
}
