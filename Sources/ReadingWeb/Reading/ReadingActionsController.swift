import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct ReadingActionsController: Sendable {
    /// In bytes; enough for thousands of ids.
    private static let bulkLimit = 262_144
    private static let manyLimit = 1_000_000

    let site: WebContext
    let services: ReadingServices
    private var reading: ReadingService { services.articles }

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
                try await change(request, user, .init(state: .unread), "Moved to unread.")
            },
            guarded.member(.post, one + "/favorite") { request, user in
                try await change(request, user, .init(isFavorite: true), "Star added.")
            },
            guarded.member(.post, one + "/unfavorite") { request, user in
                try await change(request, user, .init(isFavorite: false), "Star removed.")
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
            return .response(
                try await site.html { reads in
                    SaveManyView(
                        layout: try site.layout(
                            reads, for: user, request, currentEntry: ReadingController.path),
                        lines: lines, text: text)
                })
        } catch {
            // Keep the whole text, however long, so that the user does not lose it.
            let refused = try FormError(error, form, keeping: ["lines"], limit: .max)
            return refused.answer(
                try await site.html {
                    try ReadingController(site: site, services: services).view(
                        $0, request, user, many: refused.form)
                })
        }
    }

    // MARK: One article

    private func change(
        _ request: Request, _ user: User, _ change: BulkArticleChange, _ message: String
    ) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let done = try await reading.editMany(.ids([id]), change: change, by: user.userId)
        return try await answer(request, user, id, message, undo: done.undo)
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let undo = try await reading.delete(id, by: user.userId)
        var back = ReturnURL(reading: try request.form())
        // The article's own page is gone.
        if back.path != ReadingController.path { back = ReturnURL(nil, else: ReadingController.path) }
        let notice = Self.notice("Article deleted. Its gist, if any, stays.", undo: undo, back: back)
        guard request.wantsChangedParts, back.query == ReturnURL(reading: try request.form()).query else {
            return site.redirect(to: back.address, showing: notice, to: user)
        }
        return site.changed(notice, removed: "\(id)", for: request)
    }

    private func fetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        try await reading.fetchAgain(id, by: user.userId)
        return try await answer(request, user, id, "Fetching the page again.")
    }

    /// Chooses between the current text and a newly fetched one.
    private func chooseText(_ request: Request, _ user: User, isUsed: Bool) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        let seen = try ReadingAddress.time(try request.form()["fetchedAt"], field: "fetchedAt")
        do {
            let undo =
                try await isUsed
                ? reading.useNewText(id, ifFetchedAt: seen, by: user.userId)
                : reading.keepText(id, ifFetchedAt: seen, by: user.userId)
            let message = isUsed ? "Now using the new text." : "Old text kept."
            return try await answer(request, user, id, message, undo: undo)
        } catch RoostError.conflict(_, let why) {
            return try await answer(request, user, id, why, isProblem: true)
        }
    }

    private func gist(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let length = try GistLengthChoice.read(try request.form()["length"])
        do {
            _ = try await services.gists.make(for: id, length: length, by: user.userId)
        } catch RoostError.conflict(_, let why) {
            return try await answer(request, user, id, why, isProblem: true)
        } catch RoostError.invalid(_, let why) {
            return try await answer(request, user, id, why, isProblem: true)
        }
        return try await answer(request, user, id, "Gist made.")
    }

    /// Stores the reading progress that a script reports. Nothing on the page changes.
    private func progress(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        guard let progress = (try request.form()["progress"]).flatMap(Double.init), progress >= 0,
            progress <= 1
        else { throw RoostError.invalid(field: "progress", why: "“progress” must be a number from 0 to 1.") }
        try await reading.edit(id, change: ArticleChange(progress: progress), by: user.userId)
        return .response(Response(status: 204))
    }

    private func tags(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.article(request)
        _ = try await reading.item(id, for: user.userId)
        let tags = TypedTags.read(try request.form()["tags"] ?? "")
        try await reading.edit(id, change: ArticleChange(tags: tags), by: user.userId)
        return try await answer(request, user, id, "Tags saved.")
    }

    // MARK: Many articles

    private func bulk(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let back = ReturnURL(reading: form)
        let all = form["all"].map { ReadingQuery(carried: $0) }
        let ids = form.all("id").compactMap { ArticleID($0) }
        guard all != nil || !ids.isEmpty else {
            let notice = NoticeView(
                text: "Select some articles first.", isProblem: true)
            return site.answer(request, page: back.address, showing: notice, to: user)
        }
        if form["change"] == "epub" {
            let query =
                all.map { "all=\(PercentEncoding.encode($0.address))" }
                ?? ids.map { "id=\($0)" }.joined(separator: "&")
            return .response(.redirect(to: "/reading/selection.epub?\(query)"))
        }
        let selection = all.map { ArticleSelection.filter($0.filter) } ?? .ids(ids)
        let done: (count: Int, undo: UndoID?)
        let participle: String
        do {
            let (change, word) = try Self.bulkChange(form)
            done = try await reading.editMany(selection, change: change, by: user.userId)
            participle = word
        } catch RoostError.invalid(let field, let why) where ["category", "tag", "tags"].contains(field) {
            return try await refuse(request, user, form, RoostError.invalid(field: field, why: why), ids)
        }
        let count = done.count == 1 ? "1 article" : "\(NumberText.grouped(done.count)) articles"
        let text = done.count == 0 ? "Nothing to change." : "\(count) \(participle)."
        return site.answer(
            request, page: back.address, showing: Self.notice(text, undo: done.undo, back: back), to: user)
    }

    /// Shows the reason at its field, with the same articles selected.
    private func refuse(
        _ request: Request, _ user: User, _ form: Form, _ error: RoostError, _ ids: [ArticleID]
    ) async throws -> HandlerResult {
        let refused = try FormError(error, form, keeping: ["category", "tag"])
        let bulk = BulkFormView.Refused(form: refused.form, ids: Set(ids))
        let query = ReadingQuery(carried: ReturnURL(reading: form).query)
        let pages = ReadingController(site: site, services: services)
        if request.wantsChangedParts {
            let list = try await site.database.read { try pages.listView($0, query, user, bulk: bulk) }
            return refused.answer(
                site.changedParts(parts: [site.part(list.bulk, for: request)], for: request))
        }
        return refused.answer(
            try await site.html { try pages.view($0, request, user, query: query, bulk: bulk) })
    }

    /// Returns the change, and its past participle for the notice.
    private static func bulkChange(_ form: Form) throws -> (BulkArticleChange, String) {
        func requiredText(_ name: String, _ why: String) throws -> String {
            guard let text = form[name], !text.isBlank else {
                throw RoostError.invalid(field: name, why: why)
            }
            return text
        }
        switch form["change"] {
        case "archive": return (.init(state: .archived), "archived")
        case "unarchive": return (.init(state: .unread), "moved to unread")
        case "favorite": return (.init(isFavorite: true), "starred")
        case "unfavorite": return (.init(isFavorite: false), "unstarred")
        case "category":
            let name = try requiredText("category", "Type the category first.")
            return (.init(category: name), "moved to “\(name.sanitized)”")
        case "addTag":
            let tags = TypedTags.read(try requiredText("tag", "Type the tag first."))
            return (.init(addTags: tags), "tagged")
        case "removeTag":
            let tags = TypedTags.read(try requiredText("tag", "Type the tag first."))
            return (.init(removeTags: tags), "untagged")
        case "delete": return (.init(delete: true), "deleted")
        default:
            throw RoostError.invalid(
                field: "change", why: "Choose to archive, star, tag, move or delete the articles.")
        }
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let id = UndoID(request.parameters["undo"]) else { throw RoostError.undoExpired }
        try await reading.undo(id, by: user.userId)
        let back = ReturnURL(request.query[ReturnURL.field], else: ReadingController.path)
        return site.answer(request, page: back.address, showing: NoticeView(text: "Undone."), to: user)
    }

    // MARK: Appearance

    private func preferences(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        var preferences = try await site.database.read { try reading.preferences($0, of: user.userId) }
        if let text = form["textSize"] {
            guard let size = Int(text), ReadingPreferences.textSizes.contains(size) else {
                throw RoostError.invalid(field: "textSize", why: "The text size must be 1 to 7.")
            }
            preferences.textSize = size
        }
        if let text = form["width"] {
            guard let width = ReadingPreferences.Width(rawValue: text) else {
                throw RoostError.invalid(field: "width", why: "Choose “narrow”, “normal” or “wide”.")
            }
            preferences.width = width
        }
        if let text = form["font"] {
            guard let font = ReadingPreferences.Font(rawValue: text) else {
                throw RoostError.invalid(field: "font", why: "Choose “serif” or “sans”.")
            }
            preferences.font = font
        }
        if let length = try GistLengthChoice.read(form["gistLength"]) { preferences.gistLength = length }
        try await reading.setPreferences(preferences, of: user.userId)
        let back = ReturnURL(reading: form)
        return site.answer(request, page: back.address, showing: NoticeView(text: "Saved."), to: user)
    }
}

extension ReadingActionsController {
    static func notice(_ text: String, undo: UndoID?, back: ReturnURL) -> NoticeView {
        NoticeView(
            text: text,
            undo: undo.map {
                "/reading/undo/\($0)?back=\(PercentEncoding.encode(back.address))"
            })
    }

    /// Returns the changed row to a script of the list. A script of an article's page gets only the notice and then
    /// fetches the article again. Other browsers are redirected.
    private func answer(
        _ request: Request, _ user: User, _ id: ArticleID, _ message: String,
        undo: UndoID? = nil, isProblem: Bool = false
    ) async throws -> HandlerResult {
        let back = ReturnURL(reading: try request.form())
        var notice = Self.notice(message, undo: undo, back: back)
        if isProblem { notice = NoticeView(text: message, isProblem: true) }
        guard request.wantsChangedParts, back.path == ReadingController.path else {
            return site.answer(request, page: back.address, showing: notice, to: user)
        }
        let query = ReadingQuery(carried: back.query)
        let item = try await reading.item(id, for: user.userId)
        guard query.shows(item) else { return site.changed(notice, removed: "\(id)", for: request) }
        // The search excerpt and the reason for a suggestion come from list queries, so a single row cannot show them.
        guard query.text.isBlank, query.list != .suggested else { return site.changed(notice, for: request) }
        let row = ArticleRow(item, now: site.clock.now())
        return site.changed(notice, parts: [site.part(row, for: request)], for: request)
    }
}

extension ReadingQuery {
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
    init(reading form: Form) {
        self.init(form[ReturnURL.field], else: ReadingController.path)
    }
}
