import Accounts
import GitHub
import HTTPServer
import RoostSupport

/// `/settings/github`: one's GitHub accounts.
struct GitHubController: Sendable {
    static let path = "/settings/github"
    /// Of the field for a GitHub token: "token" is already what protects every form.
    static let tokenField = "githubToken"

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.person(.get, Self.path, page),
            guarded.person(.get, Self.path + "/accounts", accounts),
            guarded.person(.post, Self.path + "/token", connect),
            guarded.person(.post, Self.path + "/{id}/disconnect", disconnect),
        ]
    }

    private func page(_ request: Request, _ person: Person) async throws -> HandlerResult {
        .response(try await site.gitHubPage(request, person))
    }

    private func accounts(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let topics = [Topic.github(person.user.userId), Topic.pictures]
        let view = site.gitHubAccounts(of: person.user)
        return .response(
            site.fragment(
                view, version: site.tag(of: topics, for: person.user), scope: .account, for: request))
    }

    private func connect(_ request: Request, _ person: Person) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let account = try await site.services.gitHub.connect(
                token: form[Self.tokenField] ?? "", host: form["host"], for: person.user.userId,
                from: person.origin)
            return site.connectedGitHub(account, of: person.user)
        } catch {
            let refused = try FormError(Self.atItsField(error), form, keeping: ["host"])
            return refused.answer(
                try await site.gitHubPage(request, person, form: refused.form, status: refused.status))
        }
    }

    private static func atItsField(_ error: any Error) -> any Error {
        switch error {
        case RoostError.invalid("token", let why): RoostError.invalid(field: tokenField, why: why)
        case RoostError.conflict("token", let why): RoostError.conflict(field: tokenField, why: why)
        default: error
        }
    }

    private func disconnect(_ request: Request, _ person: Person) async throws -> HandlerResult {
        try await site.disconnectGitHub(request.parameters["id"], of: person.user, from: person.origin)
        let notice = NoticeView(
            text:
                "Disconnected. Roost has deleted the token; at GitHub it stays valid until you revoke it there."
        )
        return site.redirect(to: Self.path, showing: notice, to: person.user)
    }
}

extension WebContext {
    /// Leads to the accounts' page, which says that this one is connected.
    func connectedGitHub(_ account: GitHubAccount, of user: User) -> HandlerResult {
        let notice = NoticeView(text: "\(account.login) at \(account.host) is connected.")
        return redirect(to: GitHubController.path, showing: notice, to: user)
    }

    /// Drops one of a user's GitHub accounts; another's is not there.
    func disconnectGitHub(_ id: String, of user: User, from origin: ClientInfo) async throws {
        guard let id = GitHubAccountID(id),
            services.gitHub.accounts(of: user.userId).contains(where: { $0.id == id })
        else { throw RoostError.notFound("There is no such GitHub account.") }
        try await services.gitHub.disconnect(id, of: user.userId, from: origin)
    }

    /// - Parameter form: of the form that takes a token
    func gitHubPage(
        _ request: Request, _ person: Person, form: FormState = .empty, notice: NoticeView? = nil,
        status: Int = 200
    ) async throws -> Response {
        let layout = try await layout(
            for: person.user, request, place: nil, scope: .account, notice: notice)
        let gitHub = services.gitHub
        var response = html(
            GitHubView(
                layout: layout, isOwner: person.user.role == .owner,
                accounts: gitHubAccounts(of: person.user),
                hosts: gitHub.hosts.known.map { .init(name: $0.name, webURL: $0.webURL) },
                callback: gitHub.offersWebFlow ? gitHubCallback(for: request) : nil, form: form),
            status: status)
        // The form that signs in at GitHub is sent on to GitHub, which browsers count as the form's own target.
        if gitHub.offersWebFlow, let policy = RequestFilter.policy(formsAlsoTo: gitHub.hosts.standard.webURL)
        {
            response[RequestFilter.policyHeader] = policy
        }
        return response
    }

    func gitHubAccounts(of user: User) -> GitHubAccountsView {
        let gitHub = services.gitHub
        let now = services.clock.now()
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

    /// Where GitHub sends the browser back to: by the very name under which it has its session here.
    func gitHubCallback(for request: Request) -> String? {
        forwarding.caller(of: request).origin.map { $0 + GitHubController.path + "/callback" }
    }
}
