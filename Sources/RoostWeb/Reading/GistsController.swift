import Accounts
import ArticleText
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// `/gists`: gists to read, to edit, to share and to take along.
struct GistsController: Sendable {
    static let path = "/gists"
    private static let pageSize = 40
    private static let textLimit = 3_500_000
    private static let markdownEnding = ".md"

    let site: WebContext
    private var gists: GistService { site.services.gists }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.page(Self.path, topics: { [Topic.reading($1.userId)] }, list),
            guarded.member(.get, Self.path + "/list", listFragment),
            guarded.member(.get, Self.path + "/new") { request, user in
                .response(try await newPage(request, user))
            },
            guarded.member(.post, Self.path + "/new", bodyLimit: Self.textLimit, make),
            guarded.member(.get, one, show),
            guarded.member(.get, one + "/text", text),
            guarded.member(.get, one + "/edit") { request, user in
                .response(try await editPage(request, user))
            },
            guarded.member(.post, one + "/edit", bodyLimit: Self.textLimit, edit),
            guarded.member(.post, one + "/delete", delete),
            guarded.member(.post, one + "/share", share),
            guarded.member(.post, one + "/unshare", unshare),
            guarded.member(.post, one + "/regenerate", regenerate),
        ]
    }

    // MARK: The list

    private func list(_ request: Request, _ user: User) async throws -> RenderedPage {
        let cursor = site.services.feed.cursor
        let list = try await listView(request, user)
        let shared = try await site.services.sharedItems.counts(of: user.userId).withMe
        let layout = try await site.layout(
            for: user, request, place: ReadingController.path, cursor: cursor)
        return site.rendered(
            GistsView(
                layout: layout, offlineOwner: site.offlineOwner(request, user), list: list, shared: shared))
    }

    private func listFragment(_ request: Request, _ user: User) async throws -> HandlerResult {
        let place = PercentEncoding.encode(request.query["cursor"] ?? "")
        let tag = "\(site.tag(of: [Topic.reading(user.userId)], for: user))-gists-\(place)"
        return .response(site.fragment(try await listView(request, user), version: tag, for: request))
    }

    private func listView(_ request: Request, _ user: User) async throws -> GistsListView {
        let cursor = request.query["cursor"].flatMap { $0.isEmpty ? nil : $0 }
        let page = try await gists.list(cursor: cursor, limit: Self.pageSize, of: user.userId)
        return GistsListView(page, cursor: cursor, now: site.services.clock.now())
    }

    // MARK: One gist

    private func show(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (number, isFile) = ReadingAddress.parts(of: request.parameters["id"], ending: Self.markdownEnding)
        let item = try await gists.gist(ReadingAddress.number(number, "gist"), for: user.userId)
        guard isFile else { return .response(try await page(of: item, request, user)) }
        let text = GistService.markdown(of: item.gist)
        var response = Response.content(Array(text.utf8), type: "text/markdown; charset=utf-8")
        response["Content-Disposition"] = ContentDisposition.of("gist-\(item.id).md")
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func text(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await gists.gist(ReadingAddress.gist(request), for: user.userId)
        let view = GistTextView(item, isOwn: item.owner == user.userId, now: site.services.clock.now())
        let version = "\(user.userId)-\(String(UInt(bitPattern: view.fingerprint), radix: 36))"
        return .response(site.fragment(view, version: "gist-\(version)", for: request))
    }

    private func page(
        of item: GistItem, _ request: Request, _ user: User, wanting length: GistLength? = nil,
        status: Int = 200
    ) async throws -> Response {
        let isOwn = item.owner == user.userId
        let people = isOwn ? try await site.services.sharedItems.people(for: user.userId) : []
        let usual = try await site.services.reading.settings(for: user.userId).gistLength
        // A copy on a device has no secret in it.
        let token = request.isForOffline ? nil : item.shareToken
        let link = token.map { site.link(to: SharedGistController.address(of: $0), for: request) }
        let layout = try await site.layout(for: user, request, place: ReadingController.path)
        let view = GistView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), item: item, isOwn: isOwn,
            link: isOwn ? link : nil, colleagues: ColleagueChoices(people), length: length ?? usual,
            asksToReplace: length != nil, now: site.services.clock.now())
        return site.html(view, status: status)
    }

    private func newPage(
        _ request: Request, _ user: User, form: FormState = .empty, length: GistLength? = nil,
        status: Int = 200
    ) async throws -> Response {
        let usual = try await site.services.reading.settings(for: user.userId).gistLength
        let layout = try await site.layout(for: user, request, place: ReadingController.path)
        return site.html(
            GistNewView(layout: layout, form: form, length: length ?? usual), status: status)
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
            var refused = try FormError(error, form, keeping: [])
            refused.form.typed = form.typed("title", "category", "text")
            return refused.answer(
                try await newPage(
                    request, user, form: refused.form, length: length, status: refused.status))
        }
    }

    private func editPage(
        _ request: Request, _ user: User, form: FormState = .empty, isConflict: Bool = false,
        status: Int = 200
    ) async throws -> Response {
        let item = try await own(request, user)
        let layout = try await site.layout(for: user, request, place: ReadingController.path)
        return site.html(
            GistEditView(layout: layout, item: item, form: form, isConflict: isConflict), status: status)
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
            var refused = try FormError(error, form, keeping: [])
            let isConflict = (error as? RoostError)?.isStaleEdit ?? false
            refused.form.typed = form.typed("title", "category", "content")
            if isConflict { (refused.form.fieldErrors, refused.form.error) = ([:], nil) }
            let page = try await editPage(
                request, user, form: refused.form, isConflict: isConflict, status: refused.status)
            return refused.answer(page)
        }
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        let undo = try await gists.delete(item.id, by: user.userId)
        let back = ReturnURL("/gists/\(item.id)", else: Self.path)
        let notice = ReadingActionsController.notice("The gist is deleted.", undo: undo, back: back)
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
            to: "/gists/\(item.id)", showing: NoticeView(text: "The secret link opens nothing any more."),
            to: user)
    }

    /// Asks first where the user has edited the gist.
    private func regenerate(_ request: Request, _ user: User) async throws -> HandlerResult {
        let item = try await own(request, user)
        let form = try request.form()
        let length = try GistLengthChoice.read(form["length"])
        guard let article = item.articleId else {
            throw RoostError.invalid(
                field: "article", why: "The article is deleted, or this gist was made of a pasted text.")
        }
        do {
            let made = try await gists.make(
                for: article, length: length, replacingEdited: form["replace"] == "yes", by: user.userId)
            return site.redirect(
                to: "/gists/\(made.id)", showing: NoticeView(text: "Made anew."), to: user)
        } catch RoostError.conflict(field: "gist", _) {
            return .response(
                try await page(of: item, request, user, wanting: length ?? .automatic, status: 409))
        }
    }

    /// The user's own: another's may be read, but is not his to change.
    private func own(_ request: Request, _ user: User) async throws -> GistItem {
        let item = try await gists.gist(ReadingAddress.gist(request), for: user.userId)
        guard item.owner == user.userId else { throw RoostError.notFound("There is no such gist.") }
        return item
    }
}
