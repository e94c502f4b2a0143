import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// Actions on bookmarks: add, remove, edit tags and note, change several at once, undo.
struct BookmarkActionsController: Sendable {
    /// A tag on each of two thousand chosen rows, percent-encoded.
    private static let bulkLimit = 131_072
    /// The most rounds of marking what changed as seen in one request.
    private static let rounds = 20

    let site: WebContext
    private var bookmarks: BookmarkService { site.services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.post, "/bookmarks", add),
            guarded.member(.post, "/bookmarks/bulk", bodyLimit: Self.bulkLimit, bulk),
            guarded.member(.post, "/bookmarks/undo", undo),
            guarded.member(.post, "/bookmarks/refresh", refresh),
            guarded.member(.post, "/bookmarks/{owner}/{name}/remove", remove),
            guarded.member(.get, "/bookmarks/{owner}/{name}/edit", editor),
            guarded.member(.post, "/bookmarks/{owner}/{name}/edit", edit),
        ]
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let name = try RepositoryName(
                typed: form["fullName"] ?? "", at: site.services.gitHub.hosts.standard.webURL)
            let (done, bookmark) = try await bookmarks.add(name, for: user.userId)
            return try await answer(
                request, ReturnURL(bookmarks: form[ReturnURL.field]), .added(done, bookmark.fullName),
                about: .name(name),
                user)
        } catch  where form["from"] == "bookmarks" {
            let failure = Failure(error)
            guard error is RoostError, failure.status < 500 || failure.status == 503 else { throw error }
            let form = FormState(
                typed: ["fullName": String((form["fullName"] ?? "").prefix(200))],
                fieldErrors: ["fullName": failure.message])
            return .response(
                try await BookmarksController(site: site).shown(
                    request, user, adding: form, status: failure.status
                ).response)
        }
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(bookmarks: try request.form()[ReturnURL.field])
        let notice = try await site.services.bookmarkRefresher.retry(for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(bookmarked: request)
        let row = try await row(of: name, request, user)
        let done = try await bookmarks.remove(name, of: user.userId)
        return try await answer(
            request, ReturnURL(bookmarks: request.form()[ReturnURL.field]), .removed(done), about: row, user)
    }

    private func editor(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(bookmarks: request.query[ReturnURL.field]).address
        return .response(try await editPage(request, user, back: back))
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let name = try RepositoryName(bookmarked: request)
            let row = try await row(of: name, request, user)
            let done = try await bookmarks.edit(
                name, tags: form["tags"].map(TypedTags.read),
                note: form["note"]?.replacingBytes(of: "\r\n", with: "\n"), of: user.userId)
            return try await answer(
                request, ReturnURL(bookmarks: form[ReturnURL.field]), .edited(done), about: row, user)
        } catch {
            let refused = try FormError(error, form, keeping: ["tags", "note"])
            let page = try await editPage(
                request, user, back: ReturnURL(bookmarks: form[ReturnURL.field]).address,
                refused: refused.form,
                status: refused.status
            )
            return refused.answer(page)
        }
    }

    private func editPage(
        _ request: Request, _ user: User, back: String, refused: FormState = .empty, status: Int = 200
    ) async throws -> Response {
        let name = try RepositoryName(bookmarked: request)
        guard let bookmark = try await bookmarks.bookmark(named: name, of: user.userId) else {
            throw RoostError.notFound("This repository is not among your bookmarks.")
        }
        let view = BookmarkEditView(
            layout: try await site.layout(for: user, request, place: "/repositories"),
            repository: bookmark.shownName, editor: BookmarkEditor(bookmark, back: back, refused: refused))
        return site.html(view, status: status)
    }

    private func bulk(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let back = ReturnURL(bookmarks: form[ReturnURL.field])
        if let seen = form["seen"] {
            let count = seen == "all" ? try await seeAll(user) : try await see([seen], user)
            return try await answer(
                request, back, .seen(count), about: BookmarkID(seen).map(ChangedRow.bookmark), user)
        }
        let act = try BookmarkService.BulkAction(form)
        let ids = form.all("ids").compactMap { BookmarkID($0) }
        guard !ids.isEmpty else { return try await answer(request, back, .nothingChosen, user) }
        let done = try await bookmarks.change(ids, act, of: user.userId)
        return try await answer(request, back, .changed(done, act), user)
    }

    private func see(_ ids: [String], _ user: User) async throws -> Int {
        try await bookmarks.change(ids.compactMap { BookmarkID($0) }, .markSeen, of: user.userId).count
    }

    /// Thousands may have changed while a user was away: marks as many at a time as a page shows at most.
    private func seeAll(_ user: User) async throws -> Int {
        var count = 0
        for _ in 0..<Self.rounds {
            let listing = try await bookmarks.listing(
                .init(isChangedOnly: true, pages: BookmarksQuery.pageLimit), for: user.userId)
            let ids = listing.groups.flatMap(\.items).map(\.id)
            guard !ids.isEmpty else { break }
            let done = try await bookmarks.change(ids, .markSeen, of: user.userId).count
            guard done > 0 else { break }
            count += done
        }
        return count
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = form["undo"] ?? request.query["undo"] ?? ""
        let done = try await bookmarks.undo(id, for: user.userId)
        let back = ReturnURL(bookmarks: form[ReturnURL.field] ?? request.query[ReturnURL.field])
        return try await answer(request, back, .undone(done), user)
    }
}

/// How actions are answered.
extension BookmarkActionsController {
    /// The row of a list that an action is about.
    private enum ChangedRow {
        /// Of whichever list the reader looks at.
        case name(RepositoryName)
        case bookmark(BookmarkID)
    }

    /// The row of a bookmark that a script is about to change; nil without one.
    private func row(of name: RepositoryName, _ request: Request, _ user: User) async throws -> ChangedRow? {
        guard request.wantsChangedParts else { return nil }
        guard ReturnURL(bookmarks: try request.form()[ReturnURL.field]).isBookmarks else {
            return .name(name)
        }
        return try await bookmarks.bookmark(named: name, of: user.userId).map { .bookmark($0.id) }
    }

    /// Answers a script with the changed parts; redirects a browser to the page, which shows the notice.
    private func answer(
        _ request: Request, _ back: ReturnURL, _ did: BookmarkNotice, about row: ChangedRow? = nil,
        _ user: User
    ) async throws -> HandlerResult {
        let notice = did.view(back: back.address)
        let total = request.wantsChangedParts ? try await bookmarks.count(of: user.userId) : 0
        // The page changes as a whole with the first bookmark, the last one, and one that was added by name.
        let isWhole = back.isBookmarks && (total <= did.count || did.isAdded)
        guard request.wantsChangedParts, !isWhole else {
            return site.redirect(to: back.address, showing: notice, to: user)
        }
        let tab = RepositoryTab(tab: .bookmarks, isCurrent: back.isBookmarks, bookmarks: total)
        var parts = [site.part(tab, for: request)]
        var gone: String?
        switch row {
        case .bookmark(let id) where back.isBookmarks:
            let query = BookmarksQuery(carried: back.query)
            let pages = BookmarksController(site: site)
            if let row = try await pages.row(of: id, query, user) {
                parts.append(site.part(row, for: request))
            } else {
                gone = Bookmark.key(of: id)
            }
        case .name(let name) where !back.isBookmarks:
            let lists = RepositoryListPresenter(
                site: site, saved: BookmarksController(site: site), user: user)
            if let row = try await lists.row(of: name, RepositoriesQuery(carried: back.query)) {
                parts.append(site.part(row, for: request))
            }
        default: break
        }
        return site.changed(notice, parts: parts, gone: gone, for: request)
    }
}

extension ReturnURL {
    /// Where a form about bookmarks leads back to.
    fileprivate init(bookmarks text: String?) {
        self.init(text, else: "/bookmarks")
    }

    /// The page's list is the bookmarks, with or without a repository beside it.
    fileprivate var isBookmarks: Bool {
        path == "/bookmarks" || (try? Query(parsing: query))?["in"] == "bookmarks"
    }
}

extension BookmarkService.BulkAction {
    /// Reads the pressed button and the typed tag. Throws `RoostError.invalid`.
    init(_ form: Form) throws {
        let tag = form["tag"] ?? ""
        switch form["act"] {
        case "addTag": self = .addTag(tag)
        case "removeTag": self = .removeTag(tag)
        case "remove": self = .remove
        case "seen": self = .markSeen
        default:
            throw RoostError.invalid(
                field: "act", why: "Bookmarks are tagged, untagged, marked as seen or removed.")
        }
    }
}
