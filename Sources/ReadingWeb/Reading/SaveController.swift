import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

/// `/reading/save`: the window of the bookmarklet and of a phone's share menu. Nothing is saved before a click.
struct SaveController: Sendable {
    static let path = "/reading/save"
    /// In bytes. The bookmarklet sends at most five million characters of three bytes each. HTML above `maximumHTML`
    /// gets a readable error.
    private static let bodyLimit = 16_000_000
    private static let maximumHTML = 5 << 20
    /// Lets the window receive one message from its opener on another site; no other page of Roost has an opener.
    /// Visitors without a session get the same header, script and message, so that the opener cannot tell whether
    /// someone is signed in.
    private static let openerPolicy = ("Cross-Origin-Opener-Policy", "unsafe-none")
    private static let sources: Set = ["bookmarklet", "share"]
    private static let fields = ["url", "title", "category", "tags", "autoCreateGist"]

    let site: WebContext
    let services: ReadingServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, Self.path, window),
            guarded.member(.post, Self.path, bodyLimit: Self.bodyLimit, save),
            guarded.member(.get, "/reading/share", share),
        ]
    }

    private func window(_ request: Request) async throws -> HandlerResult {
        guard let user = site.visitors.visitor(of: request).user else { return try signIn(request) }
        if let number = request.query["saved"] {
            let id = try ReadingAddress.number(number, "article")
            let item = try await services.articles.item(id, for: user.userId)
            let message = request.query["known"] == "1" ? SavedArticle.alreadySaved : SavedArticle.saved
            return .response(
                response(
                    request, .empty, source: "bookmarklet",
                    saved: .init(message: message, path: "/reading/\(id)", title: item.title)))
        }
        let source = request.query["from"] == "share" ? "share" : "bookmarklet"
        return withOpener(
            response(request, FormState(typed: request.query.typed(Self.fields)), source: source))
    }

    /// Shows the window to a visitor without a session, with a link to sign in instead of the form.
    private func signIn(_ request: Request) throws -> HandlerResult {
        guard request.query["saved"] == nil, request.isNavigation else {
            throw RoostError.unknownVisitor("Only a user of this Roost may see this.")
        }
        let layout = GuestLayoutView(assets: site.assets.address, theme: request.theme, formToken: nil)
        let next = "/login?next=\(PercentEncoding.encode(request.target))"
        let view = SaveView(layout: layout, form: .empty, source: "bookmarklet", signInAddress: next)
        return withOpener(site.html(view, hasForms: false))
    }

    /// Phones put the address in any of the three fields (Web Share Target, section 4).
    private func share(_ request: Request, _ user: User) async throws -> HandlerResult {
        let texts = ["url", "text", "title"].map { request.query[$0] ?? "" }
        let found = texts.lazy.flatMap { LinkFinder.matches(in: $0) }.first { !$0.isPath }?.address
        let title = texts[2].isBlank || found == texts[2] ? nil : texts[2]
        var form = FormState(typed: ["url": found ?? texts[0]])
        form.typed["title"] = title.map { String($0.unicodeScalars.prefix(500)).sanitized }
        if found == nil {
            form.fieldErrors["url"] = "The shared text contains no web address. Type or paste one here."
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
            let draft = try ArticleDraft(
                url: form["url"] ?? "", title: form["title"].map(Self.title), category: form["category"],
                tags: TypedTags.read(form["tags"] ?? ""), autoCreateGist: form["autoCreateGist"] == "yes",
                html: html, source: source)
            let saved = try await services.articles.save(draft, by: user.userId)
            // Sent later for an offline save, whose window is already closed.
            if request.wantsChangedParts {
                return site.changed(NoticeView(text: saved.message), for: request)
            }
            let existingFlag = saved.isNew ? "" : "&known=1"
            return .response(.redirect(to: "\(Self.path)?saved=\(saved.item.id)\(existingFlag)"))
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields, limit: .max)
            return refused.answer(response(request, refused.form, source: source))
        }
    }

    /// Shortens titles of pages, which can be longer than Roost allows.
    private static func title(_ text: String) -> String {
        String(Substring(text.unicodeScalars.prefix(ArticleRules.maximumTitleLength)))
    }

    private func saveFromList(_ request: Request, _ form: Form, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(reading: form)
        do {
            let saved = try await services.articles.save(
                ArticleDraft(url: form["url"] ?? ""), by: user.userId)
            let notice = NoticeView(text: saved.message)
            guard request.wantsChangedParts else {
                return site.redirect(to: back.address, showing: notice, to: user)
            }
            let emptyForm = site.part(SaveFormView(back: back.address), for: request)
            return site.changed(notice, parts: [emptyForm], for: request)
        } catch {
            let refused = try FormError(error, form, keeping: ["url"], limit: .max)
            if request.wantsChangedParts {
                let form = site.part(SaveFormView(refused.form, back: back.address), for: request)
                return refused.answer(site.changedParts(parts: [form], for: request))
            }
            return refused.answer(
                try await site.html {
                    try ReadingController(site: site, services: services).view(
                        $0, request, user, query: ReadingQuery(carried: back.query), saving: refused.form)
                })
        }
    }

    private func response(
        _ request: Request, _ form: FormState, source: String, text: String? = nil,
        saved: SaveView.Saved? = nil
    ) -> Response {
        let layout = GuestLayoutView(
            assets: site.assets.address, theme: request.theme,
            formToken: site.visitors.formToken(for: request, scope: .reader))
        return site.html(
            SaveView(layout: layout, form: form, source: source, sharedText: text, saved: saved),
            hasForms: saved == nil)
    }

    private func withOpener(_ response: Response) -> HandlerResult {
        var response = response
        response[Self.openerPolicy.0] = Self.openerPolicy.1
        return .response(response)
    }
}

extension Query {
    /// Returns these fields, cut to a safe length.
    fileprivate func typed(_ names: [String]) -> [String: String] {
        names.reduce(into: [:]) { typed, name in
            typed[name] = self[name].map { String($0.unicodeScalars.prefix(8_192)).sanitized }
        }
    }
}
