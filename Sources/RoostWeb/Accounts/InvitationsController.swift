import Accounts
import Foundation
import HTTPServer
import RoostSupport

/// `/members/invitations`: the links with which others join.
struct InvitationsController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.owner(.get, "/members/invitations", page),
            guarded.owner(.get, "/members/invitations/list", list),
            guarded.owner(.post, "/members/invitations", invite),
            guarded.owner(.get, "/members/invitations/{id}", one),
            guarded.owner(.post, "/members/invitations/{id}/revoke", revoke),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        .response(try await shown(request, person))
    }

    private func list(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.members], for: person.user)
        let view = InvitationsListView(rows: try await rows())
        return .response(site.fragment(view, version: tag, scope: .owner, for: request))
    }

    private func invite(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let made = try await site.services.invitations.invite(
                note: form["note"] ?? "", days: Int(form["days"] ?? "") ?? 0,
                uses: Int(form["uses"] ?? "") ?? 0,
                by: person.user, from: person.origin)
            return .response(.redirect(to: "/members/invitations?new=\(made.id)"))
        } catch {
            let refused = try FormError(error, form, keeping: ["note", "days", "uses"])
            return refused.answer(
                try await shown(request, person, form: refused.form, status: refused.status))
        }
    }

    private func one(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let links = try await site.services.invitations.links()
        guard let found = links.first(where: { "\($0.link.id)" == request.parameters["id"] }) else {
            throw RoostError.notFound("There is no such join link.")
        }
        guard found.link.state(at: site.services.clock.now()) == .open else {
            throw RoostError.notFound("This join link lets nobody in any more.")
        }
        guard let link = view(of: found, request) else {
            throw RoostError.unavailable(
                "The code of this link was sealed with another key than this Roost has now. Whoever has the link can still join with it."
            )
        }
        let view = InvitationView(
            layout: try await site.layout(for: person.user, request, place: nil, scope: .owner), link: link,
            invitation: row(found, among: try await site.services.accounts.users))
        var response = site.html(view)
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func revoke(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such join link.")
        }
        try await site.services.invitations.revoke(id, by: person.user, from: person.origin)
        let notice = NoticeView(text: "The link lets nobody in any more.")
        return site.redirect(to: "/members/invitations", showing: notice, to: person.user)
    }

    private func shown(
        _ request: Request, _ person: Person, form: FormState = .empty, status: Int = 200
    ) async throws -> Response {
        let new = try await site.services.invitations.links().first {
            "\($0.link.id)" == request.query["new"]
        }
        let layout = try await site.layout(for: person.user, request, place: nil, scope: .owner)
        var response = site.html(
            InvitationsView(
                layout: layout,
                list: InvitationsListView(rows: try await rows()),
                newLink: new.flatMap { view(of: $0, request) }, form: form),
            status: status)
        if new != nil { response["Cache-Control"] = "no-store" }
        return response
    }

    /// The link in full; nil for one that is closed or cannot be unsealed.
    private func view(of found: InvitationService.Listed, _ request: Request) -> SecretLinkView? {
        let now = site.services.clock.now()
        guard let code = found.code, found.link.state(at: now) == .open else { return nil }
        return .invitation(
            note: found.link.note, link: site.link(to: "/join/\(code)", for: request),
            expiresAt: found.link.expiresAt, now: now)
    }

    private func rows() async throws -> [InvitationRow] {
        let users = try await site.services.accounts.users
        let rows = try await site.services.invitations.links().map { row($0, among: users) }
        return rows.filter(\.isOpen) + rows.filter { !$0.isOpen }
    }

    private func row(_ listed: InvitationService.Listed, among users: [User]) -> InvitationRow {
        let link = listed.link
        let here = users.filter { $0.joinedWith == link.id }.map(\.name)
        let gone = Array(repeating: "former member", count: max(0, link.uses - here.count))
        return InvitationRow(
            id: "\(link.id)", note: link.note,
            maker: users.first { $0.userId == link.createdBy }?.name,
            createdAt: link.createdAt,
            expiresAt: link.expiresAt, revokedAt: link.revokedAt, uses: link.usesAllowed, joined: here + gone,
            isSealedAway: listed.code == nil, now: site.services.clock.now())
    }
}
