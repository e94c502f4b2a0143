import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct BookmarkActionsController: Sendable {
    /// Fits a form with two thousand ids and a percent-encoded tag, in bytes.
    private static let bulkLimit = 131_072
    /// Limits the batches of "mark all as seen" in one request.
    private static let maximumBatches = 20

    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarkService { services.bookmarks }

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
                typed: form["fullName"] ?? "", at: services.accounts.hosts.standard.webURL)
            let (done, bookmark) = try await bookmarks.add(name, for: user.userId)
            return try await answer(
                request, ReturnURL(bookmarks: form[ReturnURL.field]), .added(done, bookmark.fullName),
                about: .name(name),
                user)
        } catch  where form["from"] == "bookmarks" {
            let refused = try FormError(error, form, keeping: ["fullName"], about: "fullName")
            return refused.answer(
                try await BookmarksController(site: site, services: services).renderedPage(
                    request, user, adding: refused.form, detail: { _ in .none }
                ).response)
        }
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(bookmarks: try request.form()[ReturnURL.field])
        let notice = try await services.bookmarkRefresher.retry(for: user.userId).notice
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try RepositoryName(bookmarked: request)
        let row = try await row(of: name, request, user)
        let done = try await bookmarks.remove(name, of: user.userId)
        return try await answer(
            request, ReturnURL(bookmarks: request.form()[ReturnURL.field]), .removed(done), about: row, user)
    }

    private func editor(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let back = ReturnURL(bookmarks: request.query[ReturnURL.field]).address
        return .response(site.html(try editPage(reads, request, user, back: back)))
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
            let page = try await site.html {
                try editPage(
                    $0,
                    request, user, back: ReturnURL(bookmarks: form[ReturnURL.field]).address,
                    refused: refused.form
                )
            }
            return refused.answer(page)
        }
    }

    private func editPage(
        _ reads: Reads, _ request: Request, _ user: User, back: String, refused: FormState = .empty
    ) throws -> BookmarkEditView {
        let name = try RepositoryName(bookmarked: request)
        guard let bookmark = try bookmarks.bookmark(reads, named: name, of: user.userId) else {
            throw RoostError.notFound("This repository is not bookmarked.")
        }
        return BookmarkEditView(
            layout: try site.layout(reads, for: user, request, currentEntry: "/bookmarks"),
            repository: bookmark.shownName, editor: BookmarkEditor(bookmark, back: back, refused: refused))
    }

    private func bulk(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let back = ReturnURL(bookmarks: form[ReturnURL.field])
        if let seen = form["seen"] {
            let count = seen == "all" ? try await markAllSeen(user) : try await markSeen([seen], user)
            return try await answer(
                request, back, .seen(count), about: BookmarkID(seen).map(ChangedRow.bookmark), user)
        }
        let action = try BookmarkService.BulkAction(form)
        let ids = form.all("ids").compactMap { BookmarkID($0) }
        guard !ids.isEmpty else { return try await answer(request, back, .nothingChosen, user) }
        let done = try await bookmarks.change(ids, action, of: user.userId)
        return try await answer(request, back, .changed(done, action), user)
    }

    private func markSeen(_ ids: [String], _ user: User) async throws -> Int {
        try await bookmarks.change(ids.compactMap { BookmarkID($0) }, .markSeen, of: user.userId).count
    }

    /// Works in batches of one full page, because thousands of bookmarks may have changed.
    private func markAllSeen(_ user: User) async throws -> Int {
        var count = 0
        for _ in 0..<Self.maximumBatches {
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
        guard let id = UndoID(form["undo"] ?? request.query["undo"] ?? "") else {
            throw RoostError.undoExpired
        }
        let done = try await bookmarks.undo(id, for: user.userId)
        let back = ReturnURL(bookmarks: form[ReturnURL.field] ?? request.query[ReturnURL.field])
        return try await answer(request, back, .undone(done), user)
    }
}

extension BookmarkActionsController {
    private enum ChangedRow {
        /// The row in the list that the user is looking at.
        case name(RepositoryName)
        case bookmark(BookmarkID)
    }

    /// Finds the row that the action changes; nil unless a script asks for changed parts.
    private func row(of name: RepositoryName, _ request: Request, _ user: User) async throws -> ChangedRow? {
        guard request.wantsChangedParts else { return nil }
        guard ReturnURL(bookmarks: try request.form()[ReturnURL.field]).isBookmarks else {
            return .name(name)
        }
        return try await bookmarks.bookmark(named: name, of: user.userId).map { .bookmark($0.id) }
    }

    /// Returns the changed parts to a script; redirects other browsers to the page, which shows the notice.
    private func answer(
        _ request: Request, _ back: ReturnURL, _ outcome: BookmarkNotice, about row: ChangedRow? = nil,
        _ user: User
    ) async throws -> HandlerResult {
        let notice = outcome.view(back: back.address)
        let total = request.wantsChangedParts ? try await bookmarks.count(of: user.userId) : 0
        // Adding by name, the first bookmark and the last one change the whole page.
        let changesWholePage = back.isBookmarks && (total <= outcome.count || outcome.isAdded)
        guard request.wantsChangedParts, !changesWholePage else {
            return site.redirect(to: back.address, showing: notice, to: user)
        }
        let tab = RepositoryTab(tab: .bookmarks, isCurrent: back.isBookmarks, bookmarks: total)
        var parts = [site.part(tab, for: request)]
        var removedKey: String?
        switch row {
        case .bookmark(let id) where back.isBookmarks:
            let query = BookmarksQuery(carried: back.query)
            let pages = BookmarksController(site: site, services: services)
            if let row = try await pages.row(of: id, query, user) {
                parts.append(site.part(row, for: request))
            } else {
                removedKey = Bookmark.key(of: id)
            }
        case .name(let name) where !back.isBookmarks:
            let lists = RepositoryListPresenter(
                site: site, services: services,
                user: user)
            if let row = try await lists.row(of: name, RepositoriesQuery(carried: back.query)) {
                parts.append(site.part(row, for: request))
            }
        default: break
        }
        return site.changed(notice, parts: parts, removed: removedKey, for: request)
    }
}

extension ReturnURL {
    fileprivate init(bookmarks text: String?) {
        self.init(text, else: "/bookmarks")
    }

    /// True if the page lists bookmarks, with or without a repository next to the list.
    fileprivate var isBookmarks: Bool {
        path == "/bookmarks" || (try? Query(parsing: query))?["in"] == "bookmarks"
    }
}

extension BookmarkService.BulkAction {
    /// Throws `RoostError.invalid` for an unknown button.
    init(_ form: Form) throws {
        let tag = form["tag"] ?? ""
        switch form["act"] {
        case "addTag": self = .addTag(tag)
        case "removeTag": self = .removeTag(tag)
        case "remove": self = .remove
        case "seen": self = .markSeen
        default:
            throw RoostError.invalid(
                field: "act", why: "Unknown action.")
        }
    }
}
