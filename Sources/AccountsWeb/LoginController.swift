import HTTPServer
import RoostWeb

struct LoginController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/login", page),
            guarded.form("/login", signIn),
            guarded.person(.post, "/logout", scope: .reader, signOut),
            guarded.person(.post, "/logout/everywhere", signOutEverywhere),
        ]
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        let next = request.query["next"].map { ReturnURL($0, else: "/").address }
        // Skips the form for users who are already signed in.
        if site.visitors.visitor(of: request).user != nil { return .response(.redirect(to: next ?? "/")) }
        if site.identity.invitations.setupCode != nil { return .response(.redirect(to: "/setup")) }
        let layout = GuestLayout(site, request)
        let view = LoginView(layout: layout.view, next: next, reason: reason(of: request))
        return .response(layout.html(view, site))
    }

    private func reason(of request: Request) -> LoginView.Reason {
        if request.query["out"] != nil { return .signedOut }
        if request.query["reset"] != nil { return .passwordChanged }
        if request.query["deleted"] != nil { return .deleted }
        return request.query["next"] == nil ? .none : .needed
    }

    private func signIn(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let next = form["next"].map { ReturnURL($0, else: "/").address }
        do {
            let newSession = try await site.identity.sessions.signIn(
                form["username"] ?? "", password: form["password"] ?? "",
                replacing: site.visitors.sessionSecret(of: request), from: site.visitors.origin(of: request))
            return site.visitors.signedInRedirect(newSession, to: next ?? "/", request)
        } catch {
            let refused = try FormError(error, form, keeping: ["username"])
            let layout = GuestLayout(site, request)
            let view = LoginView(layout: layout.view, next: next, form: refused.form)
            return refused.answer(layout.html(view, site))
        }
    }

    private func signOut(_ request: Request, _ person: Person) async throws -> HandlerResult {
        if let secret = person.secret {
            try await site.identity.sessions.signOut(person.user, secret: secret, from: person.origin)
        }
        return signedOutRedirect(request, "out=1")
    }

    private func signOutEverywhere(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.identity.sessions.endAll(of: person.user, by: person.user, from: person.origin)
        return signedOutRedirect(request, "out=1")
    }

    private func signedOutRedirect(_ request: Request, _ query: String) -> HandlerResult {
        var response = Response.redirect(to: "/login?" + query)
        site.visitors.endSession(in: &response, for: request)
        return .response(response)
    }
}
