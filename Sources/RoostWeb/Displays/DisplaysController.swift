import Foundation
import HTTPServer
import RoostServices

/// `/displays`: creates, changes and removes displays.
struct DisplaysController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/displays", page),
            guarded.member(.get, "/displays/list", list),
            guarded.member(.get, "/displays/tile", tile),
            guarded.member(.post, "/displays", add),
            guarded.member(.post, "/displays/{id}", change),
            guarded.member(.post, "/displays/{id}/link", renewLink),
            guarded.member(.post, "/displays/{id}/remove", remove),
        ]
    }

    func tileView(_ user: User) async throws -> DisplaysTileView {
        DisplaysTileView(rows: try await rows(of: user))
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        let newLink = try await newLink(user, request)
        let layout = try await site.layout(for: user, request, place: "/displays")
        let view = DisplaysView(
            layout: layout, list: DisplaysListView(rows: try await rows(of: user)), newLink: newLink)
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
            let view = DisplaysView(
                layout: layout, list: DisplaysListView(rows: try await rows(of: user)), typedName: name,
                error: why)
            return .response(site.html(view, status: 422))
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let id = try displayID(in: request)
        do {
            try await site.services.displays.change(
                id, of: user.userId, name: form["name"] ?? "",
                secondsPerPage: Int(form["secondsPerPage"] ?? "") ?? 0,
                redIsUp: form["redIsUp"] != nil)
            return .response(.redirect(to: "/displays"))
        } catch RoostError.invalid(_, let why) {
            let layout = try await site.layout(for: user, request, place: "/displays")
            let view = DisplaysView(
                layout: layout,
                list: DisplaysListView(rows: try await rows(of: user, refused: (id, why, form))))
            return .response(site.html(view, status: 422))
        }
    }

    private func renewLink(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try displayID(in: request)
        try await site.services.displays.renewLink(id, of: user.userId)
        return .response(.redirect(to: "/displays?new=\(id)"))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await site.services.displays.remove(displayID(in: request), of: user.userId)
        return site.redirect(
            to: "/displays", showing: NoticeView(text: "The display was removed."), to: user)
    }

    private func displayID(in request: Request) throws -> DisplayID {
        guard let id = DisplayID(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such display.")
        }
        return id
    }

    /// The link of the new display that the address names, for a screen on the LAN.
    private func newLink(_ user: User, _ request: Request) async throws -> NewLinkView? {
        let displays = site.services.displays
        guard let id = request.query["new"].flatMap(DisplayID.init),
            let secret = try await displays.freshSecret(of: id, for: user.userId),
            let display = try await displays.displays(of: user.userId).first(where: { $0.id == id })
        else { return nil }
        let link = site.link(to: "/display/\(secret)", for: request)
        return NewLinkView(displayName: display.name, reach: link)
    }

    private func rows(
        of user: User, refused: (id: DisplayID, why: String, form: Form)? = nil
    ) async throws -> [DisplayRow] {
        let now = site.services.clock.now()
        return try await site.services.displays.displays(of: user.userId).map { display in
            let refusal = refused?.id == display.id ? refused : nil
            return DisplayRow(
                id: "\(display.id)", name: refusal?.form["name"] ?? display.name,
                createdAt: display.createdAt,
                lastSeenAt: display.lastSeenAt, state: Self.state(display, now: now),
                secondsPerPage: refusal?.form["secondsPerPage"].flatMap(Int.init) ?? display.secondsPerPage,
                isRedUp: refusal.map { $0.form["redIsUp"] != nil } ?? display.redIsUp,
                error: refusal?.why, isOpen: refusal != nil, now: now)
        }
    }

    private static func state(_ display: Display, now: Date) -> DisplayRow.State {
        guard display.lastSeenAt != nil else { return .waiting }
        return display.isHere(at: now) ? .live : .silent
    }
}
