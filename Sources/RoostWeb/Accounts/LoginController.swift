import HTTPServer

/// Signing in and out.
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
        // Who is signed in need not be asked again.
        if site.visitor(of: request).user != nil { return .response(.redirect(to: next ?? "/")) }
        if site.services.invitations.setupCode != nil { return .response(.redirect(to: "/setup")) }
        let layout = GuestLayout(site, request)
        let view = LoginView(layout: layout.view, next: next, occasion: occasion(of: request))
        return .response(layout.html(view, site))
    }

    private func occasion(of request: Request) -> LoginView.Occasion {
        if request.query["out"] != nil { return .signedOut }
        if request.query["reset"] != nil { return .passwordChanged }
        if request.query["deleted"] != nil { return .deleted }
        return request.query["next"] == nil ? .none : .needed
    }

    private func signIn(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let next = form["next"].map { ReturnURL($0, else: "/").address }
        do {
            let begun = try await site.services.sessions.signIn(
                form["username"] ?? "", password: form["password"] ?? "",
                replacing: site.sessionSecret(of: request), from: site.origin(of: request))
            return site.welcome(begun, to: next ?? "/", request)
        } catch {
            let refused = try FormError(error, form, keeping: ["username"])
            let layout = GuestLayout(site, request)
            let view = LoginView(layout: layout.view, next: next, form: refused.form)
            return refused.answer(layout.html(view, site, status: refused.status))
        }
    }

    private func signOut(_ request: Request, _ person: Person) async throws -> HandlerResult {
        if let secret = person.secret {
            try await site.services.sessions.signOut(person.user, secret: secret, from: person.origin)
        }
        return goodbye(request, "out=1")
    }

    private func signOutEverywhere(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.services.sessions.endAll(of: person.user, by: person.user, from: person.origin)
        return goodbye(request, "out=1")
    }

    private func goodbye(_ request: Request, _ query: String) -> HandlerResult {
        var response = Response.redirect(to: "/login?" + query)
        site.endSession(in: &response, for: request)
        return .response(response)
    }
}
