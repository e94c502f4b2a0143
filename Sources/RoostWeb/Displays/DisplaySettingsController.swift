import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport

/// `/displays/ID`: one display's link, settings, screen and preview.
struct DisplaySettingsController: Sendable {
    let site: WebContext

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

    private var displays: DisplayService { site.services.displays }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        let form = DisplayForm(name: display.name, settings: display.settings)
        return .response(try await page(display, form, request, user))
    }

    private func page(
        _ display: Display, _ form: DisplayForm, _ request: Request, _ user: User,
        refused: (field: String?, why: String)? = nil
    ) async throws -> Response {
        let coins = try await DisplayContent.coins(
            of: user.userId, settings: display.settings, in: site.services)
        let view = DisplaySettingsView(
            layout: try await site.layout(for: user, request, place: "/displays"),
            row: DisplayRow(display, now: site.services.clock.now()),
            link: try await site.linkView(of: display, for: request), form: form,
            lists: try await DisplayContent.lists(of: user.userId, in: site.services), coins: coins,
            refused: refused)
        var response = site.html(view, status: refused == nil ? 200 : 422)
        response[RequestFilter.policyHeader] = RequestFilter.policyWithFrame
        return response
    }

    private func status(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        let view = DisplayStatusView(row: DisplayRow(display, now: site.services.clock.now()))
        let version = site.tag(of: [Topic.displays(user.userId)], for: user) + "-\(display.id)"
        return .response(site.fragment(view, version: version, for: request))
    }

    /// The wall as the display has it, or as the form in the query would have it; where that does not fit, as it has it.
    private func preview(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        var form = DisplayForm(name: display.name, settings: display.settings)
        if request.query["form"] == DisplayForm.wholeForm { form.take(request.query.pairs) }
        var settings = (try? form.settings()) ?? display.settings
        if let currency = settings.currency, (try? site.services.watchlist.known(currency)) == nil {
            settings.currency = display.settings.currency
        }
        let screen = try await WallController(site: site).screenView(display, settings, page: 1)
        let view = DisplayView(
            assets: site.assets, version: site.version, cursor: site.services.feed.cursor,
            address: "/displays/\(display.id)/preview", isPreview: true, screen: screen)
        var response = site.html(view, hasForms: false)
        RequestFilter.allowFraming(of: &response)
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        var form = DisplayForm(name: display.name, settings: display.settings)
        form.take(try request.form().pairs)
        do {
            let settings = try form.settings()
            try await check(settings.listId, of: display, user)
            _ = try settings.currency.map(site.services.watchlist.known)
            try await displays.change(
                display.id, of: user.userId, name: form["name"], settings: settings)
            return site.redirect(
                to: "/displays/\(display.id)", showing: NoticeView(text: "The settings were saved."), to: user
            )
        } catch RoostError.invalid(let field, let why) {
            return .response(try await page(display, form, request, user, refused: (field, why)))
        }
    }

    /// Throws unless the list is the user's own. One that was chosen before may be gone: the first is shown then.
    private func check(_ list: Int64?, of display: Display, _ user: User) async throws {
        guard let list, list != display.settings.listId else { return }
        let lists = try await DisplayContent.lists(of: user.userId, in: site.services)
        guard lists.contains(where: { $0.id == "\(list)" }) else {
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
            showing: NoticeView(text: "No screen shows this display any more. Its link is a new one."),
            to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let display = try await display(in: request, of: user)
        try await displays.remove(display.id, of: user.userId)
        return site.redirect(
            to: "/displays", showing: NoticeView(text: "The display was removed."), to: user)
    }

    private func display(in request: Request, of user: User) async throws -> Display {
        guard let id = DisplayID(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such display.")
        }
        return try await displays.display(id, of: user.userId)
    }
}
