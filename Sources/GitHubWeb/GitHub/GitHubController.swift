import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

struct GitHubController: Sendable {
    static let path = "/settings/github"
    /// Not "token": that field is already the CSRF token of every form.
    static let tokenField = "githubToken"

    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, Self.path, page),
            guarded.person(.get, Self.path + "/accounts", accounts),
            guarded.person(.post, Self.path + "/token", connect),
            guarded.person(.post, Self.path + "/{id}/disconnect", disconnect),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ person: Person) throws -> HandlerResult {
        .response(try view(reads, request, person))
    }

    private func accounts(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let topics = [Topic.github(person.user.userId), Topic.pictures]
        let view = accountsView(of: person.user)
        return .response(
            site.fragment(
                view, version: site.tag(of: topics, for: person.user), scope: .account, for: request))
    }

    private func connect(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let account = try await services.accounts.connect(
                token: form[Self.tokenField] ?? "", host: form["host"], for: person.user.userId,
                from: person.origin)
            return connected(account, of: person.user)
        } catch {
            let refused = try FormError(Self.withFormField(error), form, keeping: ["host"])
            return refused.answer(
                try await site.database.read { try view($0, request, person, form: refused.form) })
        }
    }

    private static func withFormField(_ error: any Error) -> any Error {
        switch error {
        case RoostError.invalid("token", let why): RoostError.invalid(field: tokenField, why: why)
        case RoostError.conflict("token", let why): RoostError.conflict(field: tokenField, why: why)
        default: error
        }
    }

    private func disconnect(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await remove(request.parameters["id"], of: person.user, from: person.origin)
        let notice = NoticeView(
            text:
                "Disconnected. Roost deleted the token; it stays valid until you revoke it on GitHub."
        )
        return site.redirect(to: Self.path, showing: notice, to: person.user)
    }
}

extension GitHubController {
    func connected(_ account: GitHubAccount, of user: User) -> HandlerResult {
        let notice = NoticeView(text: "\(account.login) at \(account.host) is connected.")
        return site.redirect(to: GitHubController.path, showing: notice, to: user)
    }

    /// Throws `RoostError.notFound` unless the account is the user's own.
    func remove(_ id: String, of user: User, from origin: ClientInfo) async throws {
        guard let id = GitHubAccountID(id),
            services.accounts.accounts(of: user.userId).contains(where: { $0.id == id })
        else { throw RoostError.notFound("There is no such GitHub account.") }
        try await services.accounts.disconnect(id, of: user.userId, from: origin)
    }

    func view(
        _ reads: Reads, _ request: Request, _ person: Person, form: FormState = .empty,
        notice: NoticeView? = nil
    ) throws -> Response {
        let layout = try site.layout(
            reads, for: person.user, request, currentEntry: SettingsTabs.path, scope: .account, notice: notice
        )
        let gitHub = services.accounts
        var response = site.html(
            GitHubView(
                layout: layout, isOwner: person.user.role == .owner,
                accounts: accountsView(of: person.user),
                hosts: gitHub.hosts.configured.map { .init(name: $0.name, webURL: $0.webURL) },
                callback: gitHub.offersWebFlow ? callback(for: request) : nil, form: form))
        // The sign-in form is redirected to GitHub; browsers check `form-action` against that address too.
        if gitHub.offersWebFlow, let policy = RequestFilter.policy(formsAlsoTo: gitHub.hosts.standard.webURL)
        {
            response[RequestFilter.policyHeader] = policy
        }
        return response
    }

    func accountsView(of user: User) -> GitHubAccountsView {
        let gitHub = services.accounts
        let now = site.clock.now()
        let rows = gitHub.accounts(of: user.userId).map { account in
            let session = gitHub.session(of: account.id)
            let host = session?.host ?? (try? gitHub.hosts.host(named: account.host))
            let picture = host.flatMap { services.pictures.address(of: account.user?.avatarURL, from: $0) }
            return GitHubAccountRow(account, picture: picture, budgets: session?.budgets ?? [:], now: now)
        }
        return GitHubAccountsView(
            rows: rows, signIn: gitHub.signIn(of: user.userId), offersDeviceFlow: gitHub.offersDeviceFlow,
            trusted: gitHub.hosts.standard.webURL, now: now)
    }

    /// Where GitHub sends the browser back to. Keeps the request's host name, because the session cookie belongs to it.
    func callback(for request: Request) -> String? {
        site.visitors.caller(of: request).origin.map { $0 + GitHubController.path + "/callback" }
    }
}
