import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

struct ResetController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.get, "/reset/{code}", page),
            guarded.form("/reset/{code}", reset),
        ]
    }

    private func page(_ request: Request) async throws -> HandlerResult {
        var response = try await site.database.read { try pageResponse($0, request) }
        if response.status == 200 {
            site.visitors.rememberLink(request.parameters["code"], in: &response, for: request)
        }
        return .response(response)
    }

    private func reset(_ request: Request) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let user = try await site.identity.resets.user(
                of: request.parameters["code"], from: site.visitors.origin(of: request))
            let before = try await tokens(of: user)
            let newSession = try await site.identity.resets.reset(
                code: request.parameters["code"], password: form["password"] ?? "",
                revokesTokens: TokenRevocationView.isChosen(in: form),
                replacing: site.visitors.sessionSecret(of: request), from: site.visitors.origin(of: request))
            let left = try await tokens(of: user)
            let notice = NoticeView(
                text: "New password saved."
                    + TokenRevocationView.notice(revoked: before - left, left: left))
            let page = site.flash.address("/settings/security", showing: notice, to: user)
            return site.visitors.signedInRedirect(newSession, to: page, request)
        } catch RoostError.notFound {
            return try await page(request)
        } catch {
            let refused = try FormError(error, form, keeping: TokenRevocationView.fields)
            return refused.answer(
                try await site.database.read { try pageResponse($0, request, form: refused.form) })
        }
    }

    private func tokens(of user: User) async throws -> Int {
        try await site.identity.tokens.tokens(of: user.userId).count
    }

    /// Shows the form, or why the link is closed.
    private func pageResponse(_ reads: Reads, _ request: Request, form: FormState = .empty) throws -> Response
    {
        let code = request.parameters["code"]
        let layout = GuestLayout(site, request)
        do {
            let user = try site.identity.resets.user(reads, of: code, from: site.visitors.origin(of: request))
            let form = form.offeringRevocation(
                of: try site.identity.tokens.tokens(reads, of: user.userId).count)
            let view = ResetView(layout: layout.view, code: code, username: user.username, form: form)
            return layout.html(view, site)
        } catch RoostError.notFound(let why) {
            return layout.html(
                ClosedLinkView(layout: layout.view, kind: .reset, reason: why), site, status: 404,
                hasForms: false)
        }
    }
}
