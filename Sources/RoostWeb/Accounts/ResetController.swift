import Accounts
import HTTPServer
import RoostSupport

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
        var response = try await shown(request, form: .empty, status: 200)
        if response.status == 200 {
            site.rememberLink(request.parameters["code"], in: &response, for: request)
        }
        return .response(response)
    }

    private func reset(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let user = try await site.services.resets.user(
                of: request.parameters["code"], from: site.origin(of: request))
            let before = try await tokens(of: user)
            let begun = try await site.services.resets.reset(
                code: request.parameters["code"], password: form["password"] ?? "",
                revokesTokens: TokenRevocationView.isChosen(in: form),
                replacing: site.sessionSecret(of: request), from: site.origin(of: request))
            let left = try await tokens(of: user)
            let notice = NoticeView(
                text: "Your new password is saved."
                    + TokenRevocationView.notice(revoked: before - left, left: left))
            let page = site.flash.address("/settings/security", showing: notice, to: user)
            return site.welcome(begun, to: page, request)
        } catch RoostError.notFound {
            return try await page(request)
        } catch {
            let refused = try FormError(error, form, keeping: TokenRevocationView.fields)
            return refused.answer(try await shown(request, form: refused.form, status: refused.status))
        }
    }

    private func tokens(of user: User) async throws -> Int {
        try await site.services.tokens.tokens(of: user.userId).count
    }

    /// The form, or in words why the link is of no use any more.
    private func shown(_ request: Request, form: FormState, status: Int) async throws -> Response {
        let code = request.parameters["code"]
        let layout = GuestLayout(site, request)
        do {
            let user = try await site.services.resets.user(of: code, from: site.origin(of: request))
            let form = form.offeringRevocation(of: try await tokens(of: user))
            let view = ResetView(layout: layout.view, code: code, username: user.username, form: form)
            return layout.html(view, site, status: status)
        } catch RoostError.notFound(let why) {
            return layout.html(
                ClosedLinkView(layout: layout.view, kind: .reset, reason: why), site, status: 404,
                hasForms: false)
        }
    }
}
