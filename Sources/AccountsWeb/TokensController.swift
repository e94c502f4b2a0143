import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

struct TokensController: Sendable {
    let site: WebContext
    private let newSecrets = FlashStore<NewSecret>(lifetime: NewSecret.lifetime)

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, "/settings/tokens", page),
            guarded.person(.get, "/settings/tokens/list", list),
            guarded.person(.post, "/settings/tokens", make),
            guarded.person(.post, "/settings/tokens/{id}/revoke", revoke),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let newSecret = newSecrets.consume("new", of: request, for: person.user.userId)
        var response = try pageResponse(
            reads, request, person, newToken: newSecret.map { NewTokenView(name: $0.name, secret: $0.text) })
        if newSecret != nil { response["Cache-Control"] = "no-store" }
        return .response(response)
    }

    private func list(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        let tag = site.tag(of: [Topic.account(person.user.userId)], for: person.user)
        let view = try listView(reads, person.user)
        return .response(site.fragment(view, version: tag, scope: .account, for: request))
    }

    private func make(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let tokenRequest = try tokenRequest(form)
            let created = try await site.identity.tokens.make(
                tokenRequest, for: person.user, by: person.user, from: person.origin)
            let ticket = newSecrets.add(
                .init(name: tokenRequest.name, text: created.token), for: person.user.userId)
            return .response(.redirect(to: "/settings/tokens?new=\(ticket)"))
        } catch {
            var refused = try FormError(error, form, keeping: ["name", "scope", "days"])
            refused.form.typed[TokensView.areasField] = form.all("area").joined(separator: " ")
            let state = refused.form
            return refused.answer(
                try await site.database.read { try pageResponse($0, request, person, form: state) })
        }
    }

    private func tokenRequest(_ form: Form) throws -> TokenService.TokenRequest {
        guard let name = form["name"], !name.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw RoostError.invalid(field: "name", why: "Name the token after the program that will use it.")
        }
        guard let days = Int(form["days"] ?? "") else {
            throw RoostError.invalid(
                field: "days", why: "A token expires after a number of days; 0 means never.")
        }
        if form["scope"] == TokensView.areasField {
            let areas = site.features.tokenAreas
            return try TokenService.TokenRequest(
                name: name, limitedTo: form.all("area"), known: areas.map(\.key),
                actingIn: areas.filter(\.hasActs).map(\.key), days: days == 0 ? nil : days)
        }
        guard let scope = APIToken.Scope(rawValue: form["scope"] ?? "") else {
            throw RoostError.invalid(field: "scope", why: "Choose what the token may do.")
        }
        return try TokenService.TokenRequest(name: name, scope: scope, days: days == 0 ? nil : days)
    }

    private func revoke(_ request: Request, _ person: Person) async throws -> HandlerResult {
        guard let id = Int64(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such token.")
        }
        try await site.identity.tokens.revoke(
            id, of: person.user.userId, by: person.user, from: person.origin)
        return site.redirect(
            to: "/settings/tokens", showing: NoticeView(text: "Token revoked."), to: person.user)
    }

    private func pageResponse(
        _ reads: Reads, _ request: Request, _ person: Person, newToken: NewTokenView? = nil,
        form: FormState = .empty
    ) throws -> Response {
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .account)
        return site.html(
            TokensView(
                layout: layout, isOwner: person.user.role == .owner, list: try listView(reads, person.user),
                newToken: newToken, form: form, areas: site.features.tokenAreas))
    }

    private func listView(_ reads: Reads, _ user: User) throws -> TokensListView {
        let now = site.clock.now()
        let tokens = try site.identity.tokens.tokens(reads, of: user.userId)
        return TokensListView(
            rows: tokens.reversed().map { token in
                TokenRow(
                    id: "\(token.id)", name: token.name.isEmpty ? "Token \(token.id)" : token.name,
                    scope: token.scope, areas: token.areas, createdAt: token.createdAt,
                    expiresAt: token.expiresAt,
                    lastUsedAt: token.lastUsedAt, now: now)
            })
    }
}
