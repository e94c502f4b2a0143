import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// `/reading/ID`: an article to read, to mark and to edit, and to take along.
struct ArticleController: Sendable {
    private static let noteLimit = 262_144
    private static let epubEnding = ".epub"

    let site: WebContext
    private var reading: ReadingService { site.services.reading }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/{id}"
        return [
            guarded.page(one, topics: { topics($1) }, page),
            guarded.member(.get, one + "/reader", fragment),
            guarded.member(.get, "/reading/selection.epub", selection),
            guarded.member(.get, one + "/edit") { request, user in
                .response(try await editPage(request, user))
            },
            guarded.member(.post, one + "/edit", edit),
            guarded.member(.post, one + "/highlights", bodyLimit: Self.noteLimit, addHighlight),
            guarded.member(.post, one + "/highlights/{highlight}/edit", bodyLimit: Self.noteLimit, editNote),
            guarded.member(.post, one + "/highlights/{highlight}/delete", deleteHighlight),
        ]
    }

    private func topics(_ user: User) -> [String] { [Topic.reading(user.userId), Topic.pictures] }

    // MARK: Reading

    private func page(_ request: Request, _ user: User) async throws -> RenderedPage {
        let (number, isEPUB) = ReadingAddress.parts(of: request.parameters["id"], ending: Self.epubEnding)
        let id = try ReadingAddress.number(number, "article")
        guard isEPUB else { return try await shown(id, request, user) }
        return RenderedPage(response: try await epub([id], user), isRepeatable: false)
    }

    private func fragment(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let pictures = site.tag(of: [Topic.pictures])
        let view = try await textView(id, request, user)
        let version =
            "\(pictures)-\(user.userId)-\(id)-\(String(UInt(bitPattern: view.fingerprint), radix: 36))"
        return .response(site.fragment(view, version: version, for: request))
    }

    private func shown(
        _ id: ArticleID, _ request: Request, _ user: User, refused: ArticleTextView.Refused = .init(),
        status: Int = 200
    ) async throws -> RenderedPage {
        // Taken before the article is read, so that a change meanwhile is noticed.
        let cursor = site.services.feed.cursor
        let text = try await textView(id, request, user, refused: refused)
        let layout = try await site.layout(
            for: user, request, place: ReadingController.path, cursor: cursor)
        return site.rendered(
            ArticleView(layout: layout, offlineOwner: site.offlineOwner(request, user), text: text),
            status: status)
    }

    private func textView(
        _ id: ArticleID, _ request: Request, _ user: User, refused: ArticleTextView.Refused = .init()
    ) async throws -> ArticleTextView {
        let article = try await reading.reading(id, for: user.userId)
        let preferences = try await reading.settings(for: user.userId)
        let people = try await site.services.sharedItems.people(for: user.userId)
        let newText =
            article.item.newText == nil ? nil : try await reading.newText(of: id, for: user.userId)
        // A long text costs as much as a page of rows.
        return try await site.services.heavyWork.run(
            for: user.userId, rows: 1 + (article.markup?.html.utf8.count ?? 0) / 2_000
        ) {
            ArticleTextView(
                article, preferences: preferences, colleagues: ColleagueChoices(people),
                link: article.item.article.url, newText: newText ?? "", refused: refused)
        }
    }

    // MARK: Taking along

    private func epub(_ ids: [ArticleID], _ user: User) async throws -> Response {
        let made = try await site.services.articleEPUBs.epub(of: ids, for: user.userId)
        var response = Response.content(made.bytes, type: EPUBWriter.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(made.fileName)
        response["Cache-Control"] = "no-store"
        return response
    }

    /// `?id=1&id=2`, or `?all=` with a list's query: in the order of the list.
    private func selection(_ request: Request, _ user: User) async throws -> HandlerResult {
        var ids = request.query.all("id").compactMap { ArticleID($0) }
        if let all = request.query["all"] {
            let page = try await reading.list(
                ReadingQuery(carried: all).filter, limit: EPUBWriter.maximumArticles, of: user.userId)
            ids = page.items.map(\.id)
        }
        return .response(try await epub(ids, user))
    }

    // MARK: Title, category and tags

    private func editPage(
        _ request: Request, _ user: User, form: FormState = .empty, isConflict: Bool = false,
        status: Int = 200
    ) async throws -> Response {
        let item = try await reading.item(ReadingAddress.article(request), for: user.userId)
        let categories = try await reading.categories(of: user.userId).map(\.name)
        let layout = try await site.layout(for: user, request, place: ReadingController.path)
        let view = ArticleEditView(
            layout: layout, item: item, form: form, categories: categories, isConflict: isConflict)
        return site.html(view, status: status)
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let form = try request.form()
        do {
            let change = ArticleChange(
                title: form["title"], category: form["category"], tags: form["tags"].map(TypedTags.read))
            try await reading.edit(
                id, change: change, ifUpdatedAt: ReadingAddress.updatedAt(form["updatedAt"]), by: user.userId)
            return site.redirect(
                to: "/reading/\(id)", showing: NoticeView(text: "Saved."), to: user)
        } catch {
            var refused = try FormError(error, form, keeping: [])
            let isConflict = (error as? RoostError)?.isStaleEdit ?? false
            refused.form.typed = form.typed("title", "category", "tags")
            if isConflict { (refused.form.fieldErrors, refused.form.error) = ([:], nil) }
            let page = try await editPage(
                request, user, form: refused.form, isConflict: isConflict, status: refused.status)
            return refused.answer(page)
        }
    }

    // MARK: Highlights

    private func addHighlight(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let article = try await reading.reading(id, for: user.userId)
        let form = try request.form()
        do {
            let highlight = try NewHighlight(form, in: article)
            _ = try await reading.addHighlight(highlight, to: id, by: user.userId)
        } catch {
            var refused = try FormError(error, form, keeping: [])
            refused.form.typed = form.typed("quote", "note")
            let page = try await shown(
                id, request, user, refused: .init(form: refused.form), status: refused.status)
            return refused.answer(page.response)
        }
        return site.answer(
            request, page: "/reading/\(id)", showing: NoticeView(text: "Highlighted."), to: user)
    }

    private func editNote(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let highlight = try await highlight(of: id, request, user)
        let form = try request.form()
        do {
            let seen = try ReadingAddress.updatedAt(form["updatedAt"])
            guard seen == nil || seen == highlight.updatedAt.inMilliseconds else {
                throw RoostError.conflict(
                    field: "note",
                    why:
                        "The note was changed meanwhile: “\(highlight.note)”. Saving now replaces it with yours."
                )
            }
            _ = try await reading.editHighlight(
                highlight.id, of: id, note: ReadingAddress.lines(form["note"]), ifUpdatedAt: seen,
                by: user.userId)
        } catch {
            var refused = try FormError(error, form, keeping: [])
            refused.form.typed = form.typed("note")
            let page = try await shown(
                id, request, user, refused: .init(highlight: highlight.id, form: refused.form),
                status: refused.status)
            return refused.answer(page.response)
        }
        return site.answer(
            request, page: "/reading/\(id)", showing: NoticeView(text: "The note is saved."), to: user)
    }

    private func deleteHighlight(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let highlight = try await highlight(of: id, request, user)
        let undo = try await reading.deleteHighlight(highlight.id, of: id, by: user.userId)
        let back = ReturnURL("/reading/\(id)", else: ReadingController.path)
        let notice = ReadingActionsController.notice("The highlight is removed.", undo: undo, back: back)
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func highlight(of id: ArticleID, _ request: Request, _ user: User) async throws -> Highlight {
        let wanted = request.parameters["highlight"]
        guard
            let found = try await reading.highlights(of: id, for: user.userId).first(where: {
                $0.id == wanted
            })
        else { throw RoostError.notFound("There is no such highlight.") }
        return found
    }
}

extension Form {
    /// What was typed into these fields, with plain line ends.
    func typed(_ names: String...) -> [String: String] {
        names.reduce(into: [:]) { typed, name in typed[name] = self[name].map(ReadingAddress.lines) }
    }
}

extension Date {
    /// As JSON and forms carry it.
    var inMilliseconds: Date { ISO8601.parse(ISO8601.milliseconds(self)) ?? self }
}

extension NewHighlight {
    /// What around a passage is stored with it, in characters.
    private static let context = 32

    /// Of a script's form, which has the offsets; of a form without scripts, which has a quotation alone: its first
    /// place in the text is meant. Throws `RoostError.invalid(field: "quote")`.
    init(_ form: Form, in article: ReadingArticle) throws {
        let quote = ReadingAddress.lines(form["quote"])
        let note = ReadingAddress.lines(form["note"])
        if let start = form["start"].flatMap({ Int($0) }), let end = form["end"].flatMap({ Int($0) }) {
            self.init(
                start: start, end: end, quote: quote, before: ReadingAddress.lines(form["before"]),
                after: ReadingAddress.lines(form["after"]), note: note)
            return
        }
        guard !quote.isBlank else {
            throw RoostError.invalid(field: "quote", why: "Copy a passage of the text into the field.")
        }
        guard let text = article.markup.map(MarkupText.init), let place = text.place(quoting: quote) else {
            throw RoostError.invalid(
                field: "quote", why: "This passage does not stand in the text: copy it as it is.")
        }
        func words(_ range: Range<Int>) -> String { String(decoding: text.units[range], as: UTF16.self) }
        let (start, end) = (place.lowerBound, place.upperBound)
        self.init(
            start: start, end: end, quote: words(place),
            before: words(max(0, start - Self.context)..<start),
            after: words(end..<min(text.units.count, end + Self.context)), note: note)
    }
}
