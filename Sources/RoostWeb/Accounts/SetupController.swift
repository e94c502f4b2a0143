import Accounts
import HTTPServer

/// `/setup`: the first owner, by the code that Roost printed when it started.
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
        guard site.services.invitations.setupCode != nil else { return .response(.redirect(to: "/")) }
        let layout = GuestLayout(site, request)
        let typed = request.query["code"].map { ["code": $0] } ?? [:]
        return .response(layout.html(SetupView(layout: layout.view, form: FormState(typed: typed)), site))
    }

    private func setUp(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let origin = site.origin(of: request)
        do {
            let user = try await site.services.invitations.setUp(
                code: form["code"] ?? "", Profile(form), password: form["password"] ?? "", from: origin)
            let begun = try await site.services.invitations.welcome(
                user, replacing: site.sessionSecret(of: request), from: origin)
            return site.welcome(begun, to: "/", request)
        } catch {
            let refused = try FormError(error, form, keeping: Self.fields)
            let layout = GuestLayout(site, request)
            return refused.answer(
                layout.html(SetupView(layout: layout.view, form: refused.form), site, status: refused.status))
        }
    }
}

extension Profile {
    /// Of the fields username, email and displayName.
    init(_ form: Form) throws {
        try self.init(
            username: form["username"] ?? "", email: form["email"], displayName: form["displayName"])
    }
}
