import Accounts
import ArticleText
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct GistsController: Sendable {
    static let path = "/gists"
    private static let pageSize = 40
    private static let textLimit = 3_500_000
    private static let markdownEnding = ".md"

    let site: WebContext
    let services: ReadingServices
    private var gists: GistService { services.gists }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.page(Self.path, topics: { [Topic.reading($1.userId)] }, list),
            guarded.fragment(
                Self.path + "/list", topics: { [Topic.reading($1.userId)] },
                variant: { "-gists-\(PercentEncoding.encode($0.query["cursor"] ?? ""))" }
            ) { try listView($0, $1, $2) },
            guarded.member(.get, Self.path + "/new") { .response(site.html(try newPage($0, $1, $2))) },
            guarded.member(.post, Self.path + "/new", bodyLimit: Self.textLimit, make),
            guarded.member(.get, one, show),
            guarded.member(.get, one + "/text", text),
            guarded.member(.get, one + "/edit") { .response(site.html(try editPage($0, $1, $2))) },
            guarded.member(.post, one + "/edit", bodyLimit: Self.textLimit, edit),
            guarded.member(.post, one + "/delete", delete),
            guarded.member(.post, one + "/share", share),
            guarded.member(.post, one + "/unshare", unshare),
            guarded.member(.post, one + "/regenerate", regenerate),
        ]
    }

    // MARK: The list

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> GistsView {
        let list = try listView(reads, request, user)
        let shared = try services.sharedItems.counts(reads, of: user.userId).withMe
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return GistsView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, shared: shared)
    }

    private func listView(_ reads: Reads, _ request: Request, _ user: User) throws -> GistsListView {
        let position = try request.cursor(ArticlePosition.self)
        let page = try gists.list(reads, after: position, limit: Self.pageSize, of: user.userId)
        return GistsListView(
            page, cursor: try position.map { try Cursor.text($0) },
            next: try page.next.map { try Cursor.text($0) }, now: site.clock.now())
    }

    // MARK: One gist

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let (number, isFile) = ReadingAddress.parts(of: request.parameters["id"], ending: Self.markdownEnding)
        let item = try gists.gist(reads, ReadingAddress.number(number, "gist"), for: user.userId)
        guard isFile else { return .response(site.html(try page(reads, of: item, request, user))) }
        let text = GistService.markdown(of: item.gist)
        var response = Response.content(Array(text.utf8), type: "text/markdown; charset=utf-8")
        response["Content-Disposition"] = ContentDisposition.of("gist-\(item.id).md")
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func text(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let item = try gists.gist(reads, ReadingAddress.gist(request), for: user.userId)
        let view = GistTextView(item, isOwn: item.owner == user.userId, now: site.clock.now())
        let version = "\(user.userId)-\(String(UInt(bitPattern: view.fingerprint), radix: 36))"
        return .response(site.fragment(view, version: "gist-\(version)", for: request))
    }

    private func page(
        _ reads: Reads, of item: GistItem, _ request: Request, _ user: User,
        length: GistLength? = nil, asksToReplace: Bool = false
    ) throws -> GistView {
        let isOwn = item.owner == user.userId
        let people = isOwn ? try services.sharedItems.people(reads, for: user.userId) : []
        let defaultLength = try services.articles.preferences(reads, of: user.userId).gistLength
        // Offline copies contain no secret link and no unfinished text.
        let item = request.isForOffline ? item.withoutModel : item
        let token = request.isForOffline ? nil : item.shareToken
        let link = token.map { site.link(to: SharedGistController.address(of: $0), for: request) }
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return GistView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), item: item, isOwn: isOwn,
            link: isOwn ? link : nil, colleagues: ColleagueChoices(people),
            length: length ?? defaultLength, asksToReplace: asksToReplace,
            now: site.clock.now())
    }

    private func newPage(
        _ reads: Reads, _ request: Request, _ user: User, form: FormState = .empty, length: GistLength? = nil
    ) throws -> GistNewView {
        let defaultLength = try services.articles.preferences(reads, of: user.userId).gistLength
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return GistNewView(layout: layout, form: form, length: length ?? defaultLength)
    }

    private func make(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let length = try GistLengthChoice.read(form["length"])
        do {
            let item = try await gists.makeOfText(
                title: form["title"] ?? "", text: ReadingAddress.lines(form["text"]),
                category: form["category"].flatMap { $0.isBlank ? nil : $0 }, length: length,
                by: user.userId)
            return .response(.redirect(to: "/gists/\(item.id)"))
        } catch {
            let refused = try FormError(error, form, keeping: ["title", "category", "text"], limit: .max)
            return refused.answer(
                try await site.html { try newPage($0, request, user, form: refused.form, length: length) })
        }
    }

    private func editPage(
        _ reads: Reads, _ request: Request, _ user: User, form: FormState = .empty, isConflict: Bool = false
    ) throws -> GistEditView {
        let item = try own(reads, request, user)
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return GistEditView(layout: layout, item: item, form: form, isConflict: isConflict)
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        let form = try request.form()
        do {
            _ = try await gists.edit(
                item.id, title: form["title"], content: form["content"].map(ReadingAddress.lines),
                category: form["category"], ifUpdatedAt: ReadingAddress.updatedAt(form["updatedAt"]),
                by: user.userId)
            return site.redirect(to: "/gists/\(item.id)", showing: NoticeView(text: "Saved."), to: user)
        } catch {
            var refused = try FormError(error, form, keeping: ["title", "category", "content"], limit: .max)
            let isConflict = (error as? RoostError)?.isStaleEdit ?? false
            if isConflict { (refused.form.fieldErrors, refused.form.error) = ([:], nil) }
            let page = try await site.html {
                try editPage($0, request, user, form: refused.form, isConflict: isConflict)
            }
            return refused.answer(page)
        }
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        let undo = try await gists.delete(item.id, by: user.userId)
        let back = ReturnURL("/gists/\(item.id)", else: Self.path)
        let notice = ReadingActionsController.notice("Gist deleted.", undo: undo, back: back)
        return site.redirect(to: Self.path, showing: notice, to: user)
    }

    private func share(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        _ = try await gists.share(item.id, by: user.userId)
        return .response(.redirect(to: "/gists/\(item.id)#link-title"))
    }

    private func unshare(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        try await gists.unshare(item.id, by: user.userId)
        return site.redirect(
            to: "/gists/\(item.id)", showing: NoticeView(text: "Secret link revoked."),
            to: user)
    }

    /// Asks for confirmation if the user has edited the gist.
    private func regenerate(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        let form = try request.form()
        let length = try GistLengthChoice.read(form["length"])
        guard let article = item.articleId else {
            throw RoostError.invalid(
                field: "article", why: "The article was deleted, or this gist was made from pasted text.")
        }
        do {
            let regenerated = try await gists.make(
                for: article, length: length, replacingEdited: form["replace"] == "yes", by: user.userId)
            return site.redirect(
                to: "/gists/\(regenerated.id)", showing: NoticeView(text: "Gist regenerated."), to: user)
        } catch RoostError.conflict(field: "gist", _) {
            return .response(
                site.html(
                    try await site.database.read {
                        try page($0, of: item, request, user, length: length, asksToReplace: true)
                    }, status: 409))
        }
    }

    /// Throws `RoostError.notFound` unless the gist is the user's own, even if they may read it.
    private func own(_ request: Request, _ user: User) async throws -> GistItem {
        try await site.database.read { try own($0, request, user) }
    }

    private func own(_ reads: Reads, _ request: Request, _ user: User) throws -> GistItem {
        let item = try gists.gist(reads, ReadingAddress.gist(request), for: user.userId)
        guard item.owner == user.userId else { throw RoostError.notFound("There is no such gist.") }
        return item
    }
}
