import Accounts
import HTTPServer
import RoostWeb

/// `/setup`: creates the first owner with the code that Roost printed when it started.
struct SetupController: Sendable {
    static let fields = ["code", "username", "displayName", "email"]

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/setup", page),
            guarded.form("/setup", setUp),
        ]
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        guard site.identity.invitations.setupCode != nil else { return .response(.redirect(to: "/")) }
        let layout = GuestLayout(site, request)
        let typed = request.query["code"].map { ["code": $0] } ?? [:]
        return .response(layout.html(SetupView(layout: layout.view, form: FormState(typed: typed)), site))
    }

    private func setUp(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let origin = site.visitors.origin(of: request)
        do {
            let user = try await site.identity.invitations.setUp(
                code: form["code"] ?? "", Profile(form), password: form["password"] ?? "", from: origin)
            let newSession = try await site.identity.invitations.beginSession(
                for: user, replacing: site.visitors.sessionSecret(of: request), from: origin)
            return site.visitors.signedInRedirect(newSession, to: "/", request)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            let layout = GuestLayout(site, request)
            return refused.answer(layout.html(SetupView(layout: layout.view, form: refused.form), site))
        }
    }
}

extension Profile {
    init(_ form: Form) throws {
        try self.init(
            username: form["username"] ?? "", email: form["email"], displayName: form["displayName"])
    }
}
