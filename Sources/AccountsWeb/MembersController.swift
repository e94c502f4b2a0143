import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

struct MembersController: Sendable {
    private static let obstacle = "Roost needs an owner. Make someone else an owner first."

    let site: WebContext
    let userData: [UserData]
    private let newSecrets = FlashStore<NewSecret>(lifetime: NewSecret.lifetime)

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.owner(.get, "/members", page),
            guarded.owner(.get, "/members/list", list),
            guarded.owner(.post, "/members/{id}/role", setRole),
            guarded.owner(.post, "/members/{id}/reset", makeResetLink),
            guarded.owner(.post, "/members/{id}/sign-out", signOut),
            guarded.owner(.post, "/members/{id}/remove", remove),
            guarded.owner(.get, "/members/sessions", sessions),
            guarded.owner(.post, "/members/sessions/{id}/end", endSession),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let newSecret = newSecrets.consume("link", of: request, for: person.user.userId)
        let now = site.clock.now()
        let link = newSecret.map {
            SecretLinkView.reset(
                name: $0.name, link: site.link(to: $0.text, for: request),
                expiresAt: now + ResetService.lifetime, now: now)
        }
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner)
        let members = MembersListView(rows: try rows(reads, person))
        var response = site.html(MembersView(layout: layout, list: members, resetLink: link))
        if newSecret != nil { response["Cache-Control"] = "no-store" }
        return .response(response)
    }

    private func list(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let tag = site.tag(of: [Topic.members], for: person.user)
        let view = MembersListView(rows: try rows(reads, person))
        return .response(site.fragment(view, version: tag, scope: .owner, for: request))
    }

    private func setRole(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let role = User.Role(rawValue: try request.form()["role"] ?? "") else {
            throw RoostError.invalid(field: "role", why: "A role is owner or member.")
        }
        try await site.identity.accounts.setRole(
            role, of: try await member(in: request).userId, by: person.user, from: person.origin)
        return done("Role changed.", person)
    }

    private func makeResetLink(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let user = try await member(in: request)
        let code = try await site.identity.resets.makeLink(
            for: user.userId, by: person.user, from: person.origin)
        let ticket = newSecrets.add(
            .init(name: user.name, text: "/reset/\(code)"), for: person.user.userId)
        return .response(.redirect(to: "/members?link=\(ticket)"))
    }

    private func signOut(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.identity.sessions.endAll(
            of: try await member(in: request), by: person.user, from: person.origin)
        return done("Signed out everywhere.", person)
    }

    private func remove(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.identity.accounts.remove(
            try await member(in: request).userId, by: person.user, from: person.origin)
        return done("Account removed.", person)
    }

    private func done(_ text: String, _ person: Person) -> HandlerResult {
        site.redirect(to: "/members", showing: NoticeView(text: text), to: person.user)
    }

    private func sessions(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let now = site.clock.now()
        let users = try site.identity.accounts.users(reads)
        let rows = try site.identity.sessions.sessions(reads).map { session in
            let user = users.first { $0.userId == session.userId }
            return SessionRow(
                session, person: user.map(site.person), isThis: session.id == person.session?.id, now: now)
        }
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .owner)
        return .response(site.html(AllSessionsView(layout: layout, rows: rows)))
    }

    private func endSession(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such session.")
        }
        try await site.identity.sessions.end(id, of: nil, by: person.user, from: person.origin)
        return site.redirect(
            to: "/members/sessions", showing: NoticeView(text: "Signed out."), to: person.user)
    }

    private func member(in request: Request) async throws -> User {
        guard let id = UserID(request.parameters["id"]),
            let user = try await site.identity.accounts.user(id), !user.isPlaceholder
        else { throw RoostError.notFound("There is no such user.") }
        return user
    }

    private func rows(_ reads: Reads, _ person: Person) throws -> [MemberRow] {
        let now = site.clock.now()
        let users = try site.identity.accounts.users(reads).filter { !$0.isPlaceholder }
        let sessions = try site.identity.sessions.sessions(reads)
        let owners = users.count { $0.role == .owner }
        let data = AccountDataView(userData)
        return users.map { user in
            MemberRow(
                id: "\(user.userId)", person: site.person(user), username: user.username, email: user.email,
                isOwner: user.role == .owner, isYou: user.userId == person.user.userId,
                joinedAt: user.createdAt ?? now,
                lastSeenAt: sessions.first { $0.userId == user.userId }?.lastSeenAt, accountData: data,
                obstacle: user.role == .owner && owners <= 1 ? Self.obstacle : nil, now: now)
        }
    }
}
