import Accounts
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// `/reading/save`: the small window of the bookmarklet, and what a phone's share menu opens. Nothing is saved before a
/// click.
struct SaveController: Sendable {
    static let path = "/reading/save"
    /// What the bookmarklet sends at most: five million letters, of three bytes each. More than five megabytes are refused
    /// in words.
    private static let bodyLimit = 16_000_000
    private static let maximumHTML = 5 << 20
    /// The page's opener, on another site, may send it one message; no other page has an opener. So that the opener does
    /// not learn whether someone is signed in, a visitor gets a page with the same header, script and message.
    private static let openerPolicy = ("Cross-Origin-Opener-Policy", "unsafe-none")
    private static let sources: Set = ["bookmarklet", "share"]
    private static let fields = ["url", "title", "category", "tags", "autoCreateGist"]

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, Self.path, window),
            guarded.member(.post, Self.path, bodyLimit: Self.bodyLimit, save),
            guarded.member(.get, "/reading/share", share),
        ]
    }

    private func window(_ request: Request) async throws -> HandlerResult {
        guard let user = site.visitor(of: request).user else { return try signIn(request) }
        if let number = request.query["saved"] {
            let id = try ReadingAddress.number(number, "article")
            let item = try await site.services.reading.item(id, for: user.userId)
            let message = request.query["known"] == "1" ? SavedArticle.known : SavedArticle.saved
            return .response(
                response(
                    request, .empty, source: "bookmarklet",
                    saved: .init(message: message, path: "/reading/\(id)", title: item.article.title)))
        }
        let source = request.query["from"] == "share" ? "share" : "bookmarklet"
        return withOpener(
            response(request, FormState(typed: request.query.typed(Self.fields)), source: source))
    }

    /// The same window for a visitor, with a link to the sign-in in place of the form.
    private func signIn(_ request: Request) throws -> HandlerResult {
        guard request.query["saved"] == nil, request.isNavigation else {
            throw RoostError.unknownVisitor("Only a user of this Roost may see this.")
        }
        let layout = GuestLayoutView(assets: site.assets, theme: request.theme, formToken: nil)
        let next = "/login?next=\(PercentEncoding.encode(request.target))"
        let view = SaveView(layout: layout, form: .empty, source: "bookmarklet", signInAddress: next)
        return withOpener(site.html(view, hasForms: false))
    }

    /// Phones put the address into any of the three fields (Web Share Target, section 4).
    private func share(_ request: Request, _ user: User) async throws -> HandlerResult {
        let texts = ["url", "text", "title"].map { request.query[$0] ?? "" }
        let found = texts.lazy.flatMap { LinkFinder.places(in: $0) }.first { !$0.isPath }?.address
        let title = texts[2].isBlank || found == texts[2] ? nil : texts[2]
        var form = FormState(typed: ["url": found ?? texts[0]])
        form.typed["title"] = title.map { String($0.unicodeScalars.prefix(500)).sanitized }
        if found == nil {
            form.fieldErrors["url"] = "What was shared has no web address in it. Type or paste it here."
        }
        let text = texts[1].isBlank || texts[1] == found ? nil : String(texts[1].unicodeScalars.prefix(500))
        return .response(response(request, form, source: "share", text: text?.sanitized))
    }

    private func save(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard form["from"] != "list" else { return try await saveFromList(request, form, user) }
        let source = form["from"].flatMap { Self.sources.contains($0) ? $0 : nil } ?? "bookmarklet"
        do {
            let html = form["html"].flatMap { $0.isBlank ? nil : Array($0.utf8) }
            if let html, html.count > Self.maximumHTML {
                throw RoostError.invalid(
                    field: "url", why: "The page is larger than 5 MB. Save its address from the reading list."
                )
            }
            func given(_ name: String) -> String? { form[name].flatMap { $0.isBlank ? nil : $0 } }
            let article = NewArticle(
                url: form["url"] ?? "", title: given("title").map(Self.title), category: given("category"),
                tags: TypedTags.read(form["tags"] ?? ""), autoCreateGist: form["autoCreateGist"] == "yes",
                html: html, source: source)
            let saved = try await site.services.reading.save(article, by: user.userId)
            // A save that was made offline: its window is closed.
            if request.wantsChangedParts {
                return site.changed(NoticeView(text: saved.message), for: request)
            }
            let known = saved.isNew ? "" : "&known=1"
            return .response(.redirect(to: "\(Self.path)?saved=\(saved.item.id)\(known)"))
        } catch {
            var refused = try FormError(error, form, keeping: [])
            refused.form.typed = Self.fields.reduce(into: [:]) { $0[$1] = form[$1] }
            return refused.answer(response(request, refused.form, source: source, status: refused.status))
        }
    }

    /// Pages have longer titles than anybody would type.
    private static func title(_ text: String) -> String {
        String(Substring(text.unicodeScalars.prefix(ArticleRules.maximumTitleLength)))
    }

    /// From the field above the list, to which it leads back.
    private func saveFromList(_ request: Request, _ form: Form, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(reading: form)
        do {
            let saved = try await site.services.reading.save(
                NewArticle(url: form["url"] ?? ""), by: user.userId)
            let notice = NoticeView(text: saved.message)
            guard request.wantsChangedParts else {
                return site.redirect(to: back.address, showing: notice, to: user)
            }
            let emptied = site.part(SaveFormView(back: back.address), for: request)
            return site.changed(notice, parts: [emptied], for: request)
        } catch {
            var refused = try FormError(error, form, keeping: [])
            refused.form.typed = form.typed("url")
            if request.wantsChangedParts {
                let form = site.part(SaveFormView(refused.form, back: back.address), for: request)
                return refused.answer(
                    site.changedParts(parts: [form], status: refused.status, for: request))
            }
            let page = try await ReadingController(site: site).shown(
                request, user, query: ReadingQuery(carried: back.query), saving: refused.form,
                status: refused.status)
            return refused.answer(page.response)
        }
    }

    private func response(
        _ request: Request, _ form: FormState, source: String, text: String? = nil,
        saved: SaveView.Saved? = nil, status: Int = 200
    ) -> Response {
        let layout = GuestLayoutView(
            assets: site.assets, theme: request.theme,
            formToken: site.formToken(for: request, scope: .reader))
        return site.html(
            SaveView(layout: layout, form: form, source: source, sharedText: text, saved: saved),
            status: status, hasForms: saved == nil)
    }

    private func withOpener(_ response: Response) -> HandlerResult {
        var response = response
        response[Self.openerPolicy.0] = Self.openerPolicy.1
        return .response(response)
    }
}

extension Query {
    /// What an address puts into a form.
    fileprivate func typed(_ names: [String]) -> [String: String] {
        names.reduce(into: [:]) { typed, name in
            typed[name] = self[name].map { String($0.unicodeScalars.prefix(8_192)).sanitized }
        }
    }
}
