import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb

struct DisplaySettingsController: Sendable {
    let site: WebContext
    let services: MarketServices
    let pulls: any WallPulls

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/displays/{id}", page),
            guarded.member(.get, "/displays/{id}/status", status),
            guarded.member(.get, "/displays/{id}/preview", preview),
            guarded.member(.post, "/displays/{id}", change),
            guarded.member(.post, "/displays/{id}/link", renewLink),
            guarded.member(.post, "/displays/{id}/command", command),
            guarded.member(.post, "/displays/{id}/sign-out", signOut),
            guarded.member(.post, "/displays/{id}/remove", remove),
        ]
    }

    private var displays: DisplayService { services.displays }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let display = try display(reads, in: request, of: user)
        let form = DisplayForm(name: display.name, settings: display.settings)
        return .response(try page(reads, display, form, request, user))
    }

    private func page(
        _ reads: Reads, _ display: Display, _ form: DisplayForm, _ request: Request, _ user: User,
        refused: FormError? = nil
    ) throws -> Response {
        let coins = try DisplayContent.coins(
            reads, of: user.userId, settings: display.settings, in: services)
        let view = DisplaySettingsView(
            layout: try site.layout(reads, for: user, request, currentEntry: "/displays"),
            row: DisplayRow(display, now: site.clock.now()),
            link: try services.linkView(reads, of: display, on: site, for: request), form: form,
            lists: try DisplayContent.lists(reads, of: user.userId, in: services), coins: coins,
            refused: refused.map { ($0.field, $0.message) })
        var response = site.html(view)
        response[RequestFilter.policyHeader] = RequestFilter.policyWithFrame
        return response
    }

    private func status(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let tag = site.tag(of: [Topic.displays(user.userId)], for: user)
        let display = try display(reads, in: request, of: user)
        let view = DisplayStatusView(row: DisplayRow(display, now: site.clock.now()))
        return .response(site.fragment(view, version: "\(tag)-\(display.id)", for: request))
    }

    /// Previews unsaved settings; invalid ones fall back to the saved value.
    private func preview(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let display = try display(reads, in: request, of: user)
        var form = DisplayForm(name: display.name, settings: display.settings)
        if request.query["form"] == DisplayForm.wholeForm { form.update(from: request.query.pairs) }
        var settings = (try? form.settings()) ?? display.settings
        if let currency = settings.currency, (try? services.watchlist.supportedCurrency(currency)) == nil {
            settings.currency = display.settings.currency
        }
        let wall = WallController(site: site, services: services, pulls: pulls)
        var response = try wall.formats(of: display).use {
            let view = DisplayView(
                assets: site.assets.address, version: site.assets.version,
                cursor: site.feed.cursor(at: reads.feedPosition),
                address: "/displays/\(display.id)/preview", isPreview: true,
                screen: try wall.screenView(reads, display, settings, page: 1))
            return site.html(view, hasForms: false)
        }
        RequestFilter.allowFraming(of: &response)
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        var form = DisplayForm(name: display.name, settings: display.settings)
        form.update(from: try request.form().pairs)
        do {
            let settings = try form.settings()
            try await check(settings.listId, of: display, user)
            _ = try settings.currency.map(services.watchlist.supportedCurrency)
            try await displays.change(
                display.id, of: user.userId, name: form["name"], settings: settings)
            return site.redirect(
                to: "/displays/\(display.id)", showing: NoticeView(text: "Settings saved."), to: user
            )
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.database.read { try page($0, display, form, request, user, refused: refused) })
        }
    }

    /// Throws `RoostError.invalid` unless the list is the user's own. Accepts the saved list even if it was deleted.
    private func check(_ list: Int64?, of display: Display, _ user: User) async throws {
        guard let list, list != display.settings.listId else { return }
        let lists = try await site.database.read {
            try DisplayContent.lists($0, of: user.userId, in: services)
        }
        guard lists.contains(where: { $0.id == list }) else {
            throw RoostError.invalid(field: "list", why: "There is no such list.")
        }
    }

    private func renewLink(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        try await displays.renewLink(display.id, of: user.userId)
        return .response(.redirect(to: "/displays/\(display.id)"))
    }

    private func command(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        guard let kind = DisplayCommand.Kind(rawValue: try request.form()["kind"] ?? "") else {
            throw RoostError.invalid(field: "kind", why: "A screen can identify itself or reload.")
        }
        try await displays.send(kind, to: display.id, of: user.userId)
        let text =
            switch kind {
            case .identify: "The screen shows its name for ten seconds."
            case .reload: "The screen reloads."
            }
        return site.redirect(
            to: "/displays/\(display.id)", showing: NoticeView(text: text), to: user)
    }

    private func signOut(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        try await displays.signOut(display.id, of: user.userId)
        return site.redirect(
            to: "/displays/\(display.id)",
            showing: NoticeView(text: "All screens are signed out. The link was replaced."),
            to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        try await displays.remove(display.id, of: user.userId)
        return site.redirect(
            to: "/displays", showing: NoticeView(text: "The display was removed."), to: user)
    }

    private func display(in request: Request, of user: User) async throws -> Display {
        try await site.database.read { try display($0, in: request, of: user) }
    }

    private func display(_ reads: Reads, in request: Request, of user: User) throws -> Display {
        guard let id = DisplayID(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such display.")
        }
        return try displays.display(reads, id, of: user.userId)
    }
}
