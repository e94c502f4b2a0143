import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb

/// `/displays`: lists and creates displays, and pairs screens by code.
struct DisplaysController: Sendable {
    let site: WebContext
    let services: MarketServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/displays", page),
            guarded.fragment("/displays/list", topics: { [Topic.displays($1.userId)] }) {
                DisplaysListView(rows: try rows($0, of: $2))
            },
            guarded.tile(DisplaysTileView.kind, topics: { [Topic.displays($0.userId)] }, tileView),
            guarded.member(.post, "/displays", add),
            guarded.member(.post, "/displays/pair", pair),
        ]
    }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> DisplaysTileView {
        DisplaysTileView(all: try rows(reads, of: user), limit: scope.rows)
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/displays")
        let rows = try rows(reads, of: user)
        let pairing = PairFormView(
            code: request.query["code"].map { String($0.prefix(16)) } ?? "", displays: Self.choices(rows))
        let view = DisplaysView(
            layout: layout, list: DisplaysListView(rows: rows), newLink: try newLink(reads, user, request),
            pairing: pairing)
        return .response(site.html(view))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try request.form()["name"] ?? ""
        do {
            let created = try await services.displays.add(name, for: user.userId)
            return .response(.redirect(to: "/displays?new=\(created.display.id)"))
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { reads in
                    let rows = try rows(reads, of: user)
                    return DisplaysView(
                        layout: try site.layout(reads, for: user, request, currentEntry: "/displays"),
                        list: DisplaysListView(rows: rows),
                        pairing: PairFormView(displays: Self.choices(rows)), typedName: name,
                        error: refused.message)
                })
        }
    }

    /// Makes the screen with the typed code a new display, or assigns it to an existing one.
    private func pair(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let chosen = form["display"] ?? ""
        do {
            guard chosen.isEmpty || DisplayID(chosen) != nil else {
                throw RoostError.notFound("There is no such display.")
            }
            let display = try await services.displayPairings.claim(
                form["code"] ?? "",
                for: DisplayID(chosen).map { .existing($0) } ?? .new(name: form["name"] ?? ""),
                by: user.userId, from: site.visitors.caller(of: request).address)
            return site.redirect(
                to: "/displays/\(display)", showing: NoticeView(text: "The screen was paired."), to: user)
        } catch {
            let fault = try FormError(error, form, keeping: ["code", "name", "display"])
            return fault.answer(
                try await site.html { reads in
                    let rows = try rows(reads, of: user)
                    return DisplaysView(
                        layout: try site.layout(reads, for: user, request, currentEntry: "/displays"),
                        list: DisplaysListView(rows: rows),
                        pairing: PairFormView(
                            code: fault.form.typed["code"] ?? "", name: fault.form.typed["name"] ?? "",
                            displays: Self.choices(rows), chosen: chosen,
                            error: fault.message, field: fault.field))
                })
        }
    }

    private func newLink(_ reads: Reads, _ user: User, _ request: Request) throws -> DisplayLinkView? {
        let displays = services.displays
        guard let id = request.query["new"].flatMap(DisplayID.init),
            let display = try displays.displays(reads, of: user.userId).first(where: { $0.id == id })
        else { return nil }
        return try services.linkView(reads, of: display, on: site, for: request)
    }

    private func rows(_ reads: Reads, of user: User) throws -> [DisplayRow] {
        let now = site.clock.now()
        return try services.displays.displays(reads, of: user.userId).map { DisplayRow($0, now: now) }
    }

    private static func choices(_ rows: [DisplayRow]) -> [(id: String, name: String)] {
        rows.map { ($0.id, $0.name) }
    }
}

extension MarketServices {
    /// Returns the display's link with an address that screens on the LAN can reach.
    func linkView(_ reads: Reads, of display: Display, on site: WebContext, for request: Request) throws
        -> DisplayLinkView
    {
        let token = try displays.token(reads, of: display.id, for: display.userId)
        return DisplayLinkView(
            displayId: "\(display.id)", displayName: display.name,
            sharedLink: token.map { site.link(to: "/display/\($0)", for: request) })
    }
}
