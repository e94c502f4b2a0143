import Accounts
import HTTPServer
import RoostSupport

/// `/join`: somebody with a join link makes an account.
struct JoinController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/join", codePage),
            guarded.everyone(.get, "/join/{code}", page),
            guarded.form("/join/{code}", join),
        ]
    }

    /// For a code that was told: the form leads to the link's own address.
    private func codePage(_ request: Request) async throws -> HandlerResult {
        let layout = GuestLayout(site, request)
        guard let typed = request.query["code"], !typed.isEmpty else {
            return .response(layout.html(JoinCodeView(layout: layout.view), site))
        }
        if let code = LinkCode(typed) { return .response(.redirect(to: "/join/\(code)")) }
        let form = FormState(
            typed: ["code": typed],
            fieldErrors: ["code": "A code has sixteen letters and figures, such as K7QM-2XRD-9FTB-W3HC."])
        return .response(layout.html(JoinCodeView(layout: layout.view, form: form), site, status: 422))
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        try await shown(request, form: .empty, status: 200)
    }

    private func join(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let origin = site.origin(of: request)
        do {
            let user = try await site.services.invitations.join(
                code: request.parameters["code"], Profile(form), password: form["password"] ?? "",
                from: origin)
            let begun = try await site.services.invitations.welcome(
                user, replacing: site.sessionSecret(of: request), from: origin)
            return site.welcome(begun, to: "/", request)
        } catch RoostError.notFound {
            return try await shown(request, form: .empty, status: 404)
        } catch {
            let refused = try FormError(error, form, keeping: SetupController.fields)
            guard
                case .response(let response) = try await shown(
                    request, form: refused.form, status: refused.status)
            else { throw error }
            return refused.answer(response)
        }
    }

    /// The form, or in words why the link lets nobody in any more.
    private func shown(_ request: Request, form: FormState, status: Int) async throws -> HandlerResult {
        let code = request.parameters["code"]
        let layout = GuestLayout(site, request)
        do {
            let link = try await site.services.invitations.openLink(code, from: site.origin(of: request))
            var maker: String?
            if let id = link.createdBy { maker = try await site.services.accounts.user(id)?.name }
            var response = layout.html(
                JoinView(layout: layout.view, code: code, inviter: maker, form: form), site, status: status)
            site.rememberLink(code, in: &response, for: request)
            return .response(response)
        } catch RoostError.notFound(let why) {
            return .response(
                layout.html(
                    ClosedLinkView(layout: layout.view, kind: .join, reason: why), site, status: 404,
                    hasForms: false))
        }
    }
}
