import HTTPServer
import RoostServices

/// `/reset/CODE`: a new password, by the link that an owner handed over.
struct ResetController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/reset/{code}", page),
            guarded.form("/reset/{code}", reset),
        ]
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        .response(try await shown(request, form: .empty, status: 200))
    }

    private func reset(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let begun = try await site.services.resets.reset(
                code: request.parameters["code"], password: form["password"] ?? "",
                replacing: site.sessionSecret(of: request), from: site.origin(of: request))
            // There it says what is still open to whoever had the old password.
            return site.welcome(begun, to: "/settings/security?changed=1", request)
        } catch RoostError.notFound {
            return try await page(request)
        } catch {
            let refused = try FormError(error, form, keeping: [])
            return refused.answer(try await shown(request, form: refused.form, status: refused.status))
        }
    }

    /// The form, or in words why the link is of no use any more.
    private func shown(_ request: Request, form: FormState, status: Int) async throws -> Response {
        let code = request.parameters["code"]
        let layout = GuestLayout(site, request)
        do {
            let user = try await site.services.resets.user(of: code, from: site.origin(of: request))
            let view = ResetView(layout: layout.view, code: code, username: user.username, form: form)
            return layout.html(view, site, status: status)
        } catch RoostError.notFound(let why) {
            return layout.html(
                ClosedLinkView(layout: layout.view, kind: .reset, reason: why), site, status: 404,
                hasForms: false)
        }
    }
}
