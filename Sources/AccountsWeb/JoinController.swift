import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

struct JoinController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/join", codePage),
            guarded.everyone(.get, "/join/{code}", page),
            guarded.form("/join/{code}", join),
        ]
    }

    /// A form for a code, which redirects to the link's own address.
    private func codePage(_ request: Request) async throws -> HandlerResult {
        let layout = GuestLayout(site, request)
        guard let typed = request.query["code"], !typed.isEmpty else {
            return .response(layout.html(JoinCodeView(layout: layout.view), site))
        }
        if let code = LinkCode(typed) { return .response(.redirect(to: "/join/\(code)")) }
        let form = FormState(
            typed: ["code": typed],
            fieldErrors: ["code": "A code has 16 letters and digits, such as K7QM-2XRD-9FTB-W3HC."])
        return .response(layout.html(JoinCodeView(layout: layout.view, form: form), site, status: 422))
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        .response(try await site.database.read { try pageResponse($0, request) })
    }

    private func join(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        let origin = site.visitors.origin(of: request)
        do {
            let user = try await site.identity.invitations.join(
                code: request.parameters["code"], Profile(form), password: form["password"] ?? "",
                from: origin)
            let newSession = try await site.identity.invitations.beginSession(
                for: user, replacing: site.visitors.sessionSecret(of: request), from: origin)
            return site.visitors.signedInRedirect(newSession, to: "/", request)
        } catch RoostError.notFound {
            return try await page(request)
        } catch {
            let refused = try FormError(error, form, keeping: SetupController.fields)
            return refused.answer(
                try await site.database.read { try pageResponse($0, request, form: refused.form) })
        }
    }

    /// Shows the form, or why the link is closed.
    private func pageResponse(_ reads: Reads, _ request: Request, form: FormState = .empty) throws -> Response
    {
        let code = request.parameters["code"]
        let layout = GuestLayout(site, request)
        do {
            let link = try site.identity.invitations.openLink(
                reads, code, from: site.visitors.origin(of: request))
            var inviter: String?
            if let id = link.createdBy { inviter = try site.identity.accounts.user(reads, id)?.name }
            var response = layout.html(
                JoinView(layout: layout.view, code: code, inviter: inviter, form: form), site)
            site.visitors.rememberLink(code, in: &response, for: request)
            return response
        } catch RoostError.notFound(let why) {
            return layout.html(
                ClosedLinkView(layout: layout.view, kind: .join, reason: why), site, status: 404,
                hasForms: false)
        }
    }
}
