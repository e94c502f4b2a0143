import Accounts
import HTTPServer
import RoostSupport

/// `/settings/tokens`: what one's programs show.
struct TokensController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, "/settings/tokens", page),
            guarded.person(.get, "/settings/tokens/list", list),
            guarded.person(.post, "/settings/tokens", make),
            guarded.person(.post, "/settings/tokens/{id}/revoke", revoke),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let made = site.newSecrets.take("new", of: request, for: person.user.userId)
        var response = try await shown(
            request, person, newToken: made.map { NewTokenView(name: $0.name, secret: $0.text) })
        if made != nil { response["Cache-Control"] = "no-store" }
        return .response(response)
    }

    private func list(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.account(person.user.userId)], for: person.user)
        let view = try await listView(person.user)
        return .response(site.fragment(view, version: tag, scope: .account, for: request))
    }

    private func make(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let tokenRequest = try Self.tokenRequest(form)
            let made = try await site.services.tokens.make(
                tokenRequest, for: person.user, by: person.user, from: person.origin)
            let ticket = site.newSecrets.add(
                .init(name: tokenRequest.name, text: made.token), for: person.user.userId)
            return .response(.redirect(to: "/settings/tokens?new=\(ticket)"))
        } catch {
            let refused = try FormError(error, form, keeping: ["name", "scope", "days"])
            return refused.answer(
                try await shown(request, person, form: refused.form, status: refused.status))
        }
    }

    private static func tokenRequest(_ form: Form) throws -> TokenService.TokenRequest {
        guard let name = form["name"], !name.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw RoostError.invalid(field: "name", why: "Name the token after the program that will use it.")
        }
        guard let scope = APIToken.Scope(rawValue: form["scope"] ?? "") else {
            throw RoostError.invalid(field: "scope", why: "Choose what the token may do.")
        }
        guard let days = Int(form["days"] ?? "") else {
            throw RoostError.invalid(field: "days", why: "A token ends after a number of days; 0 is never.")
        }
        return try TokenService.TokenRequest(name: name, scope: scope, days: days == 0 ? nil : days)
    }

    private func revoke(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such token.")
        }
        try await site.services.tokens.revoke(
            id, of: person.user.userId, by: person.user, from: person.origin)
        return site.redirect(
            to: "/settings/tokens", showing: NoticeView(text: "The token is revoked."), to: person.user)
    }

    private func shown(
        _ request: Request, _ person: Person, newToken: NewTokenView? = nil, form: FormState = .empty,
        status: Int = 200
    ) async throws -> Response {
        let layout = try await site.layout(for: person.user, request, place: nil, scope: .account)
        return site.html(
            TokensView(
                layout: layout, isOwner: person.user.role == .owner, list: try await listView(person.user),
                newToken: newToken, form: form),
            status: status)
    }

    private func listView(_ user: User) async throws -> TokensListView {
        let now = site.services.clock.now()
        let tokens = try await site.services.tokens.tokens(of: user.userId)
        return TokensListView(
            rows: tokens.reversed().map { token in
                TokenRow(
                    id: "\(token.id)", name: token.name.isEmpty ? "Token \(token.id)" : token.name,
                    scope: token.scope, createdAt: token.createdAt, expiresAt: token.expiresAt,
                    lastUsedAt: token.lastUsedAt, now: now)
            })
    }
}
