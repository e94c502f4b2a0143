import Accounts
import Foundation
import HTTPServer
import RoostSupport

/// `/settings/security`: one's password, sessions, and the end of one's account.
struct SecurityController: Sendable {
    private static let lastOwner =
        "You are the last owner: make somebody else an owner first, on the page Members."

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, "/settings/security", page),
            guarded.person(.get, "/settings/security/sessions", list),
            guarded.person(.post, "/settings/password", changePassword),
            guarded.person(.post, "/settings/sessions/{id}/end", end),
            guarded.person(.post, "/settings/sessions/end-others", endOthers),
            guarded.person(.post, "/settings/delete", leave),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        .response(try await shown(request, person))
    }

    private func tokens(of user: User) async throws -> Int {
        try await site.services.tokens.tokens(of: user.userId).count
    }

    private func list(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.account(person.user.userId)], for: person.user)
        let view = OwnSessionsView(rows: try await rows(person))
        return .response(
            site.fragment(view, version: "\(tag)-\(person.session?.id ?? 0)", scope: .account, for: request))
    }

    private func changePassword(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let before = try await tokens(of: person.user)
            let begun = try await site.services.sessions.changePassword(
                of: person.user, current: form["current"] ?? "", to: form["password"] ?? "",
                revokesTokens: TokenRevocationView.isChosen(in: form), from: person.origin)
            let left = try await tokens(of: person.user)
            let notice = NoticeView(
                text: "Your password is changed, and you are signed out on every other device."
                    + TokenRevocationView.notice(revoked: before - left, left: left))
            let page = site.flash.address("/settings/security", showing: notice, to: person.user)
            return site.welcome(begun, to: page, request)
        } catch {
            let refused = try FormError(error, form, keeping: TokenRevocationView.fields)
            return refused.answer(
                try await shown(request, person, passwordForm: refused.form, status: refused.status))
        }
    }

    private func end(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such session.")
        }
        try await site.services.sessions.end(
            id, of: person.user.userId, by: person.user, from: person.origin)
        return ended(person)
    }

    private func endOthers(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.services.sessions.endAll(
            of: person.user, but: person.session?.id, by: person.user, from: person.origin)
        return ended(person)
    }

    private func ended(_ person: Person) -> HandlerResult {
        site.redirect(to: "/settings/security", showing: NoticeView(text: "Signed out."), to: person.user)
    }

    private func leave(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            try await site.services.accounts.leave(
                person.user, password: form["password"] ?? "", from: person.origin)
            var response = Response.redirect(to: "/login?deleted=1")
            site.endSession(in: &response, for: request)
            return .response(response)
        } catch {
            let refused = try FormError(error, form, keeping: [])
            return refused.answer(
                try await shown(request, person, deleteForm: refused.form, status: refused.status))
        }
    }

    private func shown(
        _ request: Request, _ person: Person, passwordForm: FormState = .empty,
        deleteForm: FormState = .empty,
        status: Int = 200
    ) async throws -> Response {
        let layout = try await site.layout(for: person.user, request, place: nil, scope: .account)
        let isLast = try await site.services.accounts.isLastOwner(person.user)
        return site.html(
            SecurityView(
                layout: layout, username: person.user.username, isOwner: person.user.role == .owner,
                sessions: OwnSessionsView(rows: try await rows(person)),
                accountData: AccountDataView(site.services.userData),
                passwordForm: passwordForm.offeringRevocation(of: try await tokens(of: person.user)),
                deleteForm: deleteForm,
                deleteObstacle: isLast ? Self.lastOwner : nil),
            status: status)
    }

    private func rows(_ person: Person) async throws -> [SessionRow] {
        let now = site.services.clock.now()
        let sessions = try await site.services.sessions.sessions(of: person.user.userId)
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
