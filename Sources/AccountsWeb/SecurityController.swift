import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

struct SecurityController: Sendable {
    private static let lastOwner =
        "Roost needs an owner. Make someone else an owner first, on the Members page."

    let site: WebContext
    let userData: [UserData]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, "/settings/security", page),
            guarded.person(.get, "/settings/security/sessions", list),
            guarded.person(.post, "/settings/password", changePassword),
            guarded.person(.post, "/settings/sessions/{id}/end", end),
            guarded.person(.post, "/settings/sessions/end-others", endOtherSessions),
            guarded.person(.post, "/settings/delete", leave),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(site.html(try pageView(reads, request, person)))
    }

    private func tokens(of user: User) async throws -> Int {
        try await site.identity.tokens.tokens(of: user.userId).count
    }

    private func list(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let tag = site.tag(of: [Topic.account(person.user.userId)], for: person.user)
        let view = OwnSessionsView(rows: try rows(reads, person))
        return .response(
            site.fragment(view, version: "\(tag)-\(person.session?.id ?? 0)", scope: .account, for: request))
    }

    private func changePassword(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let before = try await tokens(of: person.user)
            let newSession = try await site.identity.sessions.changePassword(
                of: person.user, current: form["current"] ?? "", to: form["password"] ?? "",
                revokesTokens: TokenRevocationView.isChosen(in: form), from: person.origin)
            let left = try await tokens(of: person.user)
            let notice = NoticeView(
                text: "Password changed. You are signed out on all other devices."
                    + TokenRevocationView.notice(revoked: before - left, left: left))
            let page = site.flash.address("/settings/security", showing: notice, to: person.user)
            return site.visitors.signedInRedirect(newSession, to: page, request)
        } catch {
            let refused = try FormError(error, form, keeping: TokenRevocationView.fields)
            return refused.answer(
                try await site.html {
                    try pageView($0, request, person, passwordForm: refused.form)
                })
        }
    }

    private func end(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such session.")
        }
        try await site.identity.sessions.end(
            id, of: person.user.userId, by: person.user, from: person.origin)
        return ended(person)
    }

    private func endOtherSessions(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.identity.sessions.endAll(
            of: person.user, but: person.session?.id, by: person.user, from: person.origin)
        return ended(person)
    }

    private func ended(_ person: Person) -> HandlerResult {
        site.redirect(to: "/settings/security", showing: NoticeView(text: "Signed out."), to: person.user)
    }

    private func leave(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            try await site.identity.accounts.leave(
                person.user, password: form["password"] ?? "", from: person.origin)
            var response = Response.redirect(to: "/login?deleted=1")
            site.visitors.endSession(in: &response, for: request)
            return .response(response)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try pageView($0, request, person, deleteForm: refused.form)
                })
        }
    }

    private func pageView(
        _ reads: Reads, _ request: Request, _ person: Person, passwordForm: FormState = .empty,
        deleteForm: FormState = .empty
    ) throws -> SecurityView {
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .account)
        let isLast = try site.identity.accounts.isLastOwner(reads, person.user)
        return SecurityView(
            layout: layout, username: person.user.username, isOwner: person.user.role == .owner,
            sessions: OwnSessionsView(rows: try rows(reads, person)),
            accountData: AccountDataView(userData),
            passwordForm: passwordForm.offeringRevocation(
                of: try site.identity.tokens.tokens(reads, of: person.user.userId).count),
            deleteForm: deleteForm,
            deleteObstacle: isLast ? Self.lastOwner : nil)
    }

    private func rows(_ reads: Reads, _ person: Person) throws -> [SessionRow] {
        let now = site.clock.now()
        let sessions = try site.identity.sessions.sessions(reads, of: person.user.userId)
        return
            (sessions.filter { $0.id == person.session?.id } + sessions.filter { $0.id != person.session?.id })
            .map { SessionRow($0, isThis: $0.id == person.session?.id, now: now) }
    }
}

extension SessionRow {
    init(_ session: Session, person: PersonView? = nil, isThis: Bool, now: Date) {
        self.init(
            id: "\(session.id)", person: person, device: session.device, address: session.address,
            startedAt: session.createdAt, lastSeenAt: session.lastSeenAt, isThis: isThis, now: now)
    }
}
