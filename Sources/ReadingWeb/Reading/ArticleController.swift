import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct ArticleController: Sendable {
    private static let noteLimit = 262_144
    private static let epubEnding = ".epub"

    let site: WebContext
    let services: ReadingServices
    private var reading: ReadingService { services.articles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/{id}"
        return [
            guarded.page(one, topics: { topics($1) }, page),
            guarded.member(.get, one + "/reader", fragment),
            guarded.member(.get, one + "/gist-text", gistFragment),
            guarded.member(.get, "/reading/selection.epub", selection),
            guarded.member(.get, one + "/edit") { .response(site.html(try editPage($0, $1, $2))) },
            guarded.member(.post, one + "/edit", edit),
            guarded.member(.post, one + "/highlights", bodyLimit: Self.noteLimit, addHighlight),
            guarded.member(.post, one + "/highlights/{highlight}/edit", bodyLimit: Self.noteLimit, editNote),
            guarded.member(.post, one + "/highlights/{highlight}/delete", deleteHighlight),
        ]
    }

    private func topics(_ user: User) -> [String] {
        [Topic.reading(user.userId), Topic.gistDrafts(user.userId), Topic.pictures]
    }

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
        let stored = try await site.database.read { try content($0, id, user) }
        let view = try await textView(stored, user)
        let version =
            "\(pictures)-\(user.userId)-\(id)-\(String(UInt(bitPattern: view.fingerprint), radix: 36))"
        return .response(site.fragment(view, version: version, for: request))
    }

    private func gistFragment(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try reading.item(reads, ReadingAddress.article(request), for: user.userId).id
        let view = ArticleGistView(try services.gists.gist(reads, of: id, for: user.userId))
        let version = "\(user.userId)-\(id)-\(String(UInt(bitPattern: view.fingerprint), radix: 36))"
        return .response(site.fragment(view, version: "article-gist-\(version)", for: request))
    }

    private func shown(
        _ id: ArticleID, _ request: Request, _ user: User, refused: ArticleTextView.Refused = .init()
    ) async throws -> RenderedPage {
        let (stored, layout) = try await site.database.read { reads in
            (
                try content(reads, id, user),
                try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
            )
        }
        let text = try await textView(stored, user, refused: refused)
        return site.rendered(
            ArticleView(layout: layout, offlineOwner: site.offlineOwner(request, user), text: text))
    }

    private struct Content {
        let article: ReadingArticle
        let preferences: ReadingPreferences
        let people: [(id: UserID, name: String)]
        let newText: String?
    }

    private func content(_ reads: Reads, _ id: ArticleID, _ user: User) throws -> Content {
        let article = try reading.reading(reads, id, for: user.userId)
        return Content(
            article: article, preferences: try reading.preferences(reads, of: user.userId),
            people: try services.sharedItems.people(reads, for: user.userId),
            newText: article.item.newText == nil ? nil : try reading.newText(reads, of: id, for: user.userId))
    }

    private func textView(
        _ content: Content, _ user: User, refused: ArticleTextView.Refused = .init()
    ) async throws -> ArticleTextView {
        let article = content.article
        // Rendering a long text costs as much as a page of rows.
        return try await services.heavyWork.run(
            for: user.userId,
            rows: 1
                + ((article.markup?.html.utf8.count ?? 0) + (article.comments?.html.utf8.count ?? 0)) / 2_000
        ) {
            ArticleTextView(
                article, preferences: content.preferences, colleagues: ColleagueChoices(content.people),
                link: article.item.url, newText: content.newText ?? "", refused: refused)
        }
    }

    // MARK: Downloads

    private func epub(_ ids: [ArticleID], _ user: User) async throws -> Response {
        let book = try await services.epubs.epub(of: ids, for: user.userId)
        var response = Response.content(book.bytes, type: EPUBWriter.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(book.fileName)
        response["Cache-Control"] = "no-store"
        return response
    }

    /// Takes `?id=1&id=2`, or `?all=` with a list's query. Keeps the order of the list.
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
        _ reads: Reads, _ request: Request, _ user: User, form: FormState = .empty, isConflict: Bool = false
    ) throws -> ArticleEditView {
        let item = try reading.item(reads, ReadingAddress.article(request), for: user.userId)
        let categories = try reading.categories(reads, of: user.userId).map(\.name)
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return ArticleEditView(
            layout: layout, item: item, form: form, categories: categories, isConflict: isConflict)
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
            var refused = try FormError(error, form, keeping: ["title", "category", "tags"], limit: .max)
            let isConflict = (error as? RoostError)?.isStaleEdit ?? false
            if isConflict { (refused.form.fieldErrors, refused.form.error) = ([:], nil) }
            let page = try await site.html {
                try editPage($0, request, user, form: refused.form, isConflict: isConflict)
            }
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
            let refused = try FormError(error, form, keeping: ["quote", "note"], limit: .max)
            let page = try await shown(id, request, user, refused: .init(form: refused.form))
            return refused.answer(page.response)
        }
        return site.answer(
            request, page: "/reading/\(id)", showing: NoticeView(text: "Highlight added."), to: user)
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
                        "The note changed while you were editing: “\(highlight.note)”. Saving replaces it with yours."
                )
            }
            _ = try await reading.editHighlight(
                highlight.id, of: id, note: ReadingAddress.lines(form["note"]), ifUpdatedAt: seen,
                by: user.userId)
        } catch {
            let refused = try FormError(error, form, keeping: ["note"], limit: .max)
            let page = try await shown(
                id, request, user, refused: .init(highlight: highlight.id, form: refused.form))
            return refused.answer(page.response)
        }
        return site.answer(
            request, page: "/reading/\(id)", showing: NoticeView(text: "Note saved."), to: user)
    }

    private func deleteHighlight(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let highlight = try await highlight(of: id, request, user)
        let undo = try await reading.deleteHighlight(highlight.id, of: id, by: user.userId)
        let back = ReturnURL("/reading/\(id)", else: ReadingController.path)
        let notice = ReadingActionsController.notice("Highlight removed.", undo: undo, back: back)
        return site.answer(request, page: back.address, showing: notice, to: user)
    }

    private func highlight(of id: ArticleID, _ request: Request, _ user: User) async throws -> Highlight {
        let highlightID = request.parameters["highlight"]
        guard
            let found = try await reading.highlights(of: id, for: user.userId).first(where: {
                $0.id == highlightID
            })
        else { throw RoostError.notFound("There is no such highlight.") }
        return found
    }
}

extension NewHighlight {
    /// In UTF-16 units before and after a passage, stored to find it again.
    private static let context = 32

    /// Reads offsets and quote, or only a quote from a form without scripts, which means its first occurrence. Throws
    /// `RoostError.invalid(field: "quote")`.
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
            throw RoostError.invalid(field: "quote", why: "Paste a passage from the text into the field.")
        }
        guard let text = article.markup.map(MarkupText.init), let range = text.range(quoting: quote) else {
            throw RoostError.invalid(
                field: "quote", why: "This passage isn’t in the text. Copy it exactly.")
        }
        func passage(_ range: Range<Int>) -> String { String(decoding: text.units[range], as: UTF16.self) }
        let (start, end) = (range.lowerBound, range.upperBound)
        self.init(
            start: start, end: end, quote: passage(range),
            before: passage(max(0, start - Self.context)..<start),
            after: passage(end..<min(text.units.count, end + Self.context)), note: note)
    }
}
