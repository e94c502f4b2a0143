import Accounts
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// What readers do with articles of a list: archive, mark, delete, change several at once, take back.
struct ReadingActionsController: Sendable {
    /// The most articles that are chosen one by one.
    private static let bulkLimit = 262_144
    private static let manyLimit = 1_000_000

    let site: WebContext
    private var reading: ReadingService { site.services.reading }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/{id}"
        return [
            guarded.member(.post, "/reading/save-many", bodyLimit: Self.manyLimit, saveMany),
            guarded.member(.post, "/reading/bulk", bodyLimit: Self.bulkLimit, bulk),
            guarded.member(.post, "/reading/preferences", preferences),
            guarded.member(.post, "/reading/undo/{undo}", undo),
            guarded.member(.post, one + "/archive") { request, user in
                try await change(request, user, .init(state: .archived), "Archived.")
            },
            guarded.member(.post, one + "/unarchive") { request, user in
                try await change(request, user, .init(state: .unread), "Back among the unread.")
            },
            guarded.member(.post, one + "/favorite") { request, user in
                try await change(request, user, .init(isFavorite: true), "Marked as a favourite.")
            },
            guarded.member(.post, one + "/unfavorite") { request, user in
                try await change(request, user, .init(isFavorite: false), "No favourite any more.")
            },
            guarded.member(.post, one + "/delete", delete),
            guarded.member(.post, one + "/fetch", fetch),
            guarded.member(.post, one + "/new-text/use") { try await chooseText($0, $1, isUsed: true) },
            guarded.member(.post, one + "/new-text/keep-old") { try await chooseText($0, $1, isUsed: false) },
            guarded.member(.post, one + "/gist", gist),
            guarded.member(.post, one + "/progress", progress),
            guarded.member(.post, one + "/tags", tags),
        ]
    }

    // MARK: Saving many

    private func saveMany(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let text = ReadingAddress.lines(form["lines"])
        do {
            guard !text.isBlank else {
                throw RoostError.invalid(field: "lines", why: "Type or paste an address on each line.")
            }
            let lines = try await reading.saveMany(text, by: user.userId)
            let layout = try await site.layout(for: user, request, place: ReadingController.path)
            return .response(site.html(SaveManyView(layout: layout, lines: lines, text: text)))
        } catch let error as RoostError {
            let refused = try FormError(error, form, keeping: [])
            var state = refused.form
            // All of it, however long: somebody has put it together.
            state.typed["lines"] = text
            let page = try await ReadingController(site: site).shown(
                request, user, many: state, status: refused.status)
            return refused.answer(page.response)
        }
    }

    // MARK: One article

    private func change(
        _ request: Request, _ user: User, _ change: BulkArticleChange, _ words: String
    ) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let done = try await reading.editMany(.ids([id]), change: change, by: user.userId)
        return try await answer(request, user, id, words, undo: done.undo)
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let undo = try await reading.delete(id, by: user.userId)
        var back = ReturnURL(reading: try request.form())
        // The article's own page is gone.
        if back.path != ReadingController.path { back = ReturnURL(nil, else: ReadingController.path) }
        let notice = Self.notice("Deleted. Its gist stays, if it has one.", undo: undo, back: back)
        guard request.wantsChangedParts, back.query == ReturnURL(reading: try request.form()).query else {
            return site.redirect(to: back.address, showing: notice, to: user)
        }
        return site.changed(notice, gone: "\(id)", for: request)
    }

    private func fetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        try await reading.fetchAgain(id, by: user.userId)
        return try await answer(request, user, id, "The page is being fetched again.")
    }

    /// Between the text that is there and the one that a later fetch has brought.
    private func chooseText(_ request: Request, _ user: User, isUsed: Bool) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let seen = try ReadingAddress.time(try request.form()["fetchedAt"], field: "fetchedAt")
        do {
            let undo =
                try await isUsed
                ? reading.useNewText(id, ifFetchedAt: seen, by: user.userId)
                : reading.keepText(id, ifFetchedAt: seen, by: user.userId)
            let words = isUsed ? "The new text is used." : "The old text is kept."
            return try await answer(request, user, id, words, undo: undo)
        } catch RoostError.conflict(_, let why) {
            return try await answer(request, user, id, why, isTrouble: true)
        }
    }

    private func gist(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let length = try GistLengthChoice.read(try request.form()["length"])
        do {
            _ = try await site.services.gists.make(for: id, length: length, by: user.userId)
        } catch RoostError.conflict(_, let why) {
            return try await answer(request, user, id, why, isTrouble: true)
        } catch RoostError.invalid(_, let why) {
            return try await answer(request, user, id, why, isTrouble: true)
        }
        return try await answer(request, user, id, "The gist is made.")
    }

    /// A script says how far one has read; nothing of the page changes by it.
    private func progress(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        guard let progress = (try request.form()["progress"]).flatMap(Double.init), progress >= 0,
            progress <= 1
        else { throw RoostError.invalid(field: "progress", why: "“progress” is a number from 0 to 1.") }
        try await reading.edit(id, change: ArticleChange(progress: progress), by: user.userId)
        return .response(Response(status: 204))
    }

    private func tags(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let tags = TypedTags.read(try request.form()["tags"] ?? "")
        try await reading.edit(id, change: ArticleChange(tags: tags), by: user.userId)
        return try await answer(request, user, id, "The tags are saved.")
    }

    // MARK: Many articles

    private func bulk(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let back = ReturnURL(reading: form)
        let all = form["all"].map { ReadingQuery(carried: $0) }
        let ids = form.all("id").compactMap { ArticleID($0) }
        guard all != nil || !ids.isEmpty else {
            let notice = NoticeView(
                text: "Choose some articles first: tick the boxes beside them.", isTrouble: true)
            return site.answer(request, page: back.address, showing: notice, to: user)
        }
        if form["change"] == "epub" {
            let query =
                all.map { "all=\(PercentEncoding.encode($0.address))" }
                ?? ids.map { "id=\($0)" }.joined(separator: "&")
            return .response(.redirect(to: "/reading/selection.epub?\(query)"))
        }
        let selection = all.map { ArticleSelection.filter($0.filter) } ?? .ids(ids)
        let (change, words) = try Self.bulkChange(form)
        let done = try await reading.editMany(selection, change: change, by: user.userId)
        let count = done.count == 1 ? "1 article" : "\(NumberText.grouped(done.count)) articles"
        let text = done.count == 0 ? "Nothing was changed: all was like that already." : "\(count) \(words)."
        return site.answer(
            request, page: back.address, showing: Self.notice(text, undo: done.undo, back: back), to: user)
    }

    /// The pressed button, and what it has done with the articles.
    private static func bulkChange(_ form: Form) throws -> (BulkArticleChange, String) {
        func given(_ name: String, _ why: String) throws -> String {
            guard let text = form[name], !text.isBlank else {
                throw RoostError.invalid(field: name, why: why)
            }
            return text
        }
        switch form["change"] {
        case "archive": return (.init(state: .archived), "archived")
        case "unarchive": return (.init(state: .unread), "moved back among the unread")
        case "favorite": return (.init(isFavorite: true), "marked as favourites")
        case "unfavorite": return (.init(isFavorite: false), "marked as favourites no longer")
        case "category":
            let name = try given("category", "Type the category first.")
            return (.init(category: name), "moved to “\(name.sanitized)”")
        case "addTag":
            let tags = TypedTags.read(try given("tag", "Type the tag first."))
            return (.init(addTags: tags), "tagged")
        case "removeTag":
            let tags = TypedTags.read(try given("tag", "Type the tag first."))
            return (.init(removeTags: tags), "untagged")
        case "delete": return (.init(delete: true), "deleted")
        default:
            throw RoostError.invalid(
                field: "change", why: "Articles are archived, marked, tagged, moved or deleted.")
        }
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await reading.undo(request.parameters["undo"], by: user.userId)
        let back = ReturnURL(request.query[ReturnURL.field], else: ReadingController.path)
        return site.answer(request, page: back.address, showing: NoticeView(text: "As before."), to: user)
    }

    // MARK: How texts look

    private func preferences(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        var settings = try await reading.settings(for: user.userId)
        if let text = form["textSize"] {
            guard let size = Int(text), ReadingPreferences.textSizes.contains(size) else {
                throw RoostError.invalid(field: "textSize", why: "A text size is a number from 1 to 7.")
            }
            settings.textSize = size
        }
        if let text = form["width"] {
            guard let width = ReadingPreferences.Width(rawValue: text) else {
                throw RoostError.invalid(field: "width", why: "A width is “narrow”, “normal” or “wide”.")
            }
            settings.width = width
        }
        if let text = form["font"] {
            guard let font = ReadingPreferences.Font(rawValue: text) else {
                throw RoostError.invalid(field: "font", why: "Letters are “serif” or “sans”.")
            }
            settings.font = font
        }
        if let length = try GistLengthChoice.read(form["gistLength"]) { settings.gistLength = length }
        try await reading.setSettings(settings, for: user.userId)
        let back = ReturnURL(reading: form)
        return site.answer(request, page: back.address, showing: NoticeView(text: "Saved."), to: user)
    }
}

/// How actions are answered.
extension ReadingActionsController {
    static func notice(_ text: String, undo: ReadingService.UndoID?, back: ReturnURL) -> NoticeView {
        NoticeView(
            text: text,
            undo: undo.map {
                "/reading/undo/\(PathSegment($0))?back=\(PercentEncoding.encode(back.address))"
            })
    }

    /// Answers a script of the list with the changed row, one of an article's page with the notice alone, after which it
    /// fetches the article again; a browser is redirected to the page, which shows the notice.
    private func answer(
        _ request: Request, _ user: User, _ id: ArticleID, _ words: String,
        undo: ReadingService.UndoID? = nil, isTrouble: Bool = false
    ) async throws -> HandlerResult {
        let back = ReturnURL(reading: try request.form())
        var notice = Self.notice(words, undo: undo, back: back)
        if isTrouble { notice = NoticeView(text: words, isTrouble: true) }
        guard request.wantsChangedParts, back.path == ReadingController.path else {
            return site.answer(request, page: back.address, showing: notice, to: user)
        }
        let query = ReadingQuery(carried: back.query)
        let item = try await reading.item(id, for: user.userId)
        guard query.shows(item) else { return site.changed(notice, gone: "\(id)", for: request) }
        // What was found, and why it is suggested, only the whole list knows.
        guard query.text.isBlank, query.list != .suggested else { return site.changed(notice, for: request) }
        let row = ArticleRow(item, now: site.services.clock.now())
        return site.changed(notice, parts: [site.part(row, for: request)], for: request)
    }
}

extension ReadingQuery {
    /// Whether an article that was in the list is still in it after a mark, or a try to fetch it, has changed.
    fileprivate func shows(_ item: ArticleItem) -> Bool {
        switch list {
        case .unread, .suggested: item.state == .unread
        case .archived: item.state == .archived
        case .favorites: item.isFavorite
        case .failed: if case .failed = item.fetchState { true } else { false }
        case .all: true
        }
    }
}

extension ReturnURL {
    /// Where a form about articles leads back to.
    init(reading form: Form) {
        self.init(form[ReturnURL.field], else: ReadingController.path)
    }
}
