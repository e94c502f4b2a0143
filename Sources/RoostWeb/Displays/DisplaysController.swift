import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport

/// `/displays`: lists displays, makes them, and pairs screens that show a code.
struct DisplaysController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/displays", page),
            guarded.member(.get, "/displays/list", list),
            guarded.member(.get, "/displays/tile", tile),
            guarded.member(.post, "/displays", add),
            guarded.member(.post, "/displays/pair", pair),
        ]
    }

    func tileView(_ user: User) async throws -> DisplaysTileView {
        DisplaysTileView(rows: try await rows(of: user))
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        let layout = try await site.layout(for: user, request, place: "/displays")
        let rows = try await rows(of: user)
        let pairing = PairFormView(
            code: request.query["code"].map { String($0.prefix(16)) } ?? "", displays: Self.choices(rows))
        let view = DisplaysView(
            layout: layout, list: DisplaysListView(rows: rows), newLink: try await newLink(user, request),
            pairing: pairing)
        return .response(site.html(view))
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let view = DisplaysListView(rows: try await rows(of: user))
        let version = site.tag(of: [Topic.displays(user.userId)], for: user)
        return .response(site.fragment(view, version: version, for: request))
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let version = site.tag(of: [Topic.displays(user.userId)], for: user)
        return .response(site.fragment(try await tileView(user), version: version, for: request))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try request.form()["name"] ?? ""
        do {
            let made = try await site.services.displays.add(name, for: user.userId)
            return .response(.redirect(to: "/displays?new=\(made.display.id)"))
        } catch RoostError.invalid(_, let why) {
            let layout = try await site.layout(for: user, request, place: "/displays")
            let rows = try await rows(of: user)
            let view = DisplaysView(
                layout: layout, list: DisplaysListView(rows: rows),
                pairing: PairFormView(displays: Self.choices(rows)), typedName: name, error: why)
            return .response(site.html(view, status: 422))
        }
    }

    /// Makes the screen that shows a code a new display, or one that there is.
    private func pair(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let chosen = form["display"] ?? ""
        do {
            guard chosen.isEmpty || DisplayID(chosen) != nil else {
                throw RoostError.notFound("There is no such display.")
            }
            let display = try await site.services.displayPairings.claim(
                form["code"] ?? "",
                for: DisplayID(chosen).map { .existing($0) } ?? .new(name: form["name"] ?? ""),
                by: user.userId, from: site.forwarding.caller(of: request).address)
            return site.redirect(
                to: "/displays/\(display)", showing: NoticeView(text: "The screen was paired."), to: user)
        } catch {
            let fault = try FormError(error, form, keeping: ["code", "name", "display"])
            let wrong = fault.form.fieldErrors.first
            let layout = try await site.layout(for: user, request, place: "/displays")
            let rows = try await rows(of: user)
            let view = DisplaysView(
                layout: layout, list: DisplaysListView(rows: rows),
                pairing: PairFormView(
                    code: fault.form.typed["code"] ?? "", name: fault.form.typed["name"] ?? "",
                    displays: Self.choices(rows), chosen: chosen, error: wrong?.value ?? fault.form.error,
                    field: wrong?.key))
            return fault.answer(site.html(view, status: fault.status))
        }
    }

    /// The link of the new display that the address names.
    private func newLink(_ user: User, _ request: Request) async throws -> DisplayLinkView? {
        let displays = site.services.displays
        guard let id = request.query["new"].flatMap(DisplayID.init),
            let display = try await displays.displays(of: user.userId).first(where: { $0.id == id })
        else { return nil }
        return try await site.linkView(of: display, for: request)
    }

    private func rows(of user: User) async throws -> [DisplayRow] {
        let now = site.services.clock.now()
        return try await site.services.displays.displays(of: user.userId).map { DisplayRow($0, now: now) }
    }

    private static func choices(_ rows: [DisplayRow]) -> [(id: String, name: String)] {
        rows.map { ($0.id, $0.name) }
    }
}

extension WebContext {
    /// The display's link, for a screen on the LAN.
    func linkView(of display: Display, for request: Request) async throws -> DisplayLinkView {
        let token = try await services.displays.token(of: display.id, for: display.userId)
        return DisplayLinkView(
            displayId: "\(display.id)", displayName: display.name,
            reach: token.map { link(to: "/display/\($0)", for: request) })
    }
}
