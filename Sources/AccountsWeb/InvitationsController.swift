import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

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

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(try pageResponse(reads, request, person))
    }

    private func list(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let tag = site.tag(of: [Topic.members], for: person.user)
        let view = InvitationsListView(rows: try rows(reads))
        return .response(site.fragment(view, version: tag, scope: .owner, for: request))
    }

    private func invite(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let created = try await site.identity.invitations.invite(
                note: form["note"] ?? "", days: Int(form["days"] ?? "") ?? 0,
                uses: Int(form["uses"] ?? "") ?? 0,
                by: person.user, from: person.origin)
            return .response(.redirect(to: "/members/invitations?new=\(created.id)"))
        } catch {
            let refused = try FormError(error, form, keeping: ["note", "days", "uses"])
            return refused.answer(
                try await site.database.read { try pageResponse($0, request, person, form: refused.form) })
        }
    }

    private func one(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let links = try site.identity.invitations.links(reads)
        guard let found = links.first(where: { "\($0.link.id)" == request.parameters["id"] }) else {
            throw RoostError.notFound("There is no such join link.")
        }
        guard found.link.state(at: site.clock.now()) == .open else {
            throw RoostError.notFound("This join link is no longer valid.")
        }
        guard let link = view(of: found, request) else {
            throw RoostError.unavailable(
                "This link’s code was encrypted with another key and can’t be shown. Anyone who has the link can still join with it."
            )
        }
        let view = InvitationView(
            layout: try site.layout(
                reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner),
            link: link,
            invitation: row(found, among: try site.identity.accounts.users(reads)))
        var response = site.html(view)
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func revoke(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such join link.")
        }
        try await site.identity.invitations.revoke(id, by: person.user, from: person.origin)
        let notice = NoticeView(text: "Join link revoked.")
        return site.redirect(to: "/members/invitations", showing: notice, to: person.user)
    }

    private func pageResponse(
        _ reads: Reads, _ request: Request, _ person: Person, form: FormState = .empty
    ) throws -> Response {
        let newLink = try site.identity.invitations.links(reads).first {
            "\($0.link.id)" == request.query["new"]
        }
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner)
        var response = site.html(
            InvitationsView(
                layout: layout,
                list: InvitationsListView(rows: try rows(reads)),
                newLink: newLink.flatMap { view(of: $0, request) }, form: form))
        if newLink != nil { response["Cache-Control"] = "no-store" }
        return response
    }

    private func view(of found: InvitationService.Listed, _ request: Request) -> SecretLinkView? {
        let now = site.clock.now()
        guard let code = found.code, found.link.state(at: now) == .open else { return nil }
        return .invitation(
            note: found.link.note, link: site.link(to: "/join/\(code)", for: request),
            expiresAt: found.link.expiresAt, now: now)
    }

    private func rows(_ reads: Reads) throws -> [InvitationRow] {
        let users = try site.identity.accounts.users(reads)
        let rows = try site.identity.invitations.links(reads).map { row($0, among: users) }
        return rows.filter(\.isOpen) + rows.filter { !$0.isOpen }
    }

    private func row(_ listed: InvitationService.Listed, among users: [User]) -> InvitationRow {
        let link = listed.link
        let joinedMembers = users.filter { $0.joinedWith == link.id }.map(\.name)
        let formerMembers = Array(repeating: "former member", count: max(0, link.uses - joinedMembers.count))
        return InvitationRow(
            id: "\(link.id)", note: link.note,
            creator: users.first { $0.userId == link.createdBy }?.name,
            createdAt: link.createdAt,
            expiresAt: link.expiresAt, revokedAt: link.revokedAt, uses: link.usesAllowed,
            joined: joinedMembers + formerMembers, isCodeUnreadable: listed.code == nil, now: site.clock.now()
        )
    }
}
