import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct BookmarksAPI: Sendable {
    private static let pageSize = 100

    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarkService { services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/api/v1/bookmarks/{owner}/{name}"
        return [
            guarded.member(
                .get, "/api/v1/bookmarks", query: Request.paging(Self.pageSize, atMost: Self.pageSize),
                api: .lists(BookmarkJSON.self, "Your bookmarks, the latest first."), list),
            guarded.member(
                .post, "/api/v1/bookmarks",
                api: .makes(BookmarkJSON.self, "Adds a bookmark.").taking(
                    AddRequest.self, Self.limits
                ).status(201, 200),
                add),
            guarded.member(.get, one, api: .answers(BookmarkJSON.self, "One bookmark.")) {
                reads, request, user in
                let name = try RepositoryName(bookmarked: request)
                guard let found = try bookmarks.bookmark(reads, named: name, of: user.userId) else {
                    throw Self.notBookmarked
                }
                return Self.answer(found)
            },
            guarded.member(
                .patch, one,
                api: .answers(BookmarkJSON.self, "Replaces the tags or the note.").taking(
                    EditRequest.self, Self.limits),
                edit),
            guarded.member(.delete, one, api: .does("Removes a bookmark."), remove),
        ]
    }

    private static let limits: KeyValuePairs<String, APILimit> = [
        "tags": .list(0...TagRules.maximumTags, of: .text(atMost: TagRules.maximumTagLength)),
        "note": .text(atMost: TagRules.maximumNoteLength),
    ]

    private struct AddRequest: Decodable {
        let fullName: String
        let tags: [String]?
        let note: String?
    }

    private struct EditRequest: Decodable {
        let tags: [String]?
        let note: String?
    }

    /// Lists the newest first.
    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (limit, position) = try request.page(
            BookmarkPosition.self, default: Self.pageSize, maximum: Self.pageSize)
        // The cursor's bookmark may have moved: search its page, the one before and the two after.
        let from = max(0, Int(position?.shown ?? 0) / Self.pageSize - 1)
        let listing = try await bookmarks.listing(.init(from: from, pages: 4), for: user.userId)
        let all = listing.groups.flatMap(\.items)
        let start = position.map { $0.startIndex(in: all.map(\.id), from: from * Self.pageSize) } ?? 0
        let page = all.dropFirst(start).prefix(limit)
        let isLast = start + page.count >= all.count && !listing.hasMorePages
        let next =
            isLast
            ? nil
            : page.last.map {
                BookmarkPosition(shown: UInt32(from * Self.pageSize + start + page.count), last: $0.id)
            }
        return .response(API.json(try Page(page.map(BookmarkJSON.init), next: next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        guard let name = RepositoryName(body.fullName) else {
            throw RoostError.invalid(
                field: "fullName", why: "Enter owner/name, such as apple/swift-nio.")
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

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(bookmarked: request)
        let body = try request.body(EditRequest.self)
        _ = try await bookmarks.edit(name, tags: body.tags, note: body.note, of: user.userId)
        return Self.answer(try await find(name, user))
    }

    private static func answer(_ bookmark: Bookmark) -> HandlerResult {
        let version = API.version(of: [bookmark.note] + bookmark.tags)
        return .response(API.json(BookmarkJSON(bookmark), version: version))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        _ = try await bookmarks.remove(RepositoryName(bookmarked: request), of: user.userId)
        return .response(Response(status: 204))
    }

    private static let notBookmarked = RoostError.notFound("This repository is not bookmarked.")

    private func find(_ name: RepositoryName, _ user: User) async throws -> Bookmark {
        guard let bookmark = try await bookmarks.bookmark(named: name, of: user.userId) else {
            throw Self.notBookmarked
        }
        return bookmark
    }
}

/// Continues a list after the last bookmark sent, even if that one has moved.
struct BookmarkPosition: Codable, Equatable, Sendable {
    /// In 32 bits, so that no sum with a forged one overflows.
    let shown: UInt32
    let last: BookmarkID

    /// Returns where the next page begins in `ids`, which `from` bookmarks precede. Uses the old position if the last
    /// bookmark was removed.
    func startIndex(in ids: [BookmarkID], from: Int = 0) -> Int {
        ids.firstIndex(of: last).map { $0 + 1 } ?? min(max(0, Int(shown) - from), ids.count)
    }
}
