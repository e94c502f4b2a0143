import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

/// GitHub accounts as JSON. Accepts tokens but never returns them.
struct GitHubAccountAPI: Sendable {
    private static let path = "/api/v1/github-accounts"
    private static let unknownAccount = RoostError.notFound("There is no such GitHub account.")

    let site: WebContext
    let services: GitHubServices
    private var gitHub: GitHubController { GitHubController(site: site, services: services) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .get, Self.path, query: Request.paging,
                api: .lists(AccountJSON.self, "Your connected GitHub accounts."), list),
            guarded.member(
                .post, Self.path, scope: .account,
                api: .makes(AccountJSON.self, "Connects an account.").taking(
                    ConnectRequest.self,
                    [
                        "token": .text(1...GitHubToken.maximumLength),
                        "host": .text(atMost: WebOrigin.maximumLength),
                    ]), connect),
            guarded.member(
                .delete, Self.path, query: ["host", "login"], scope: .account,
                api: .does("Disconnects the matching accounts, or all."), disconnectAll),
            guarded.member(.get, Self.path + "/{id}", api: .answers(AccountJSON.self, "One account."), show),
            guarded.member(
                .delete, Self.path + "/{id}", scope: .account, api: .does("Disconnects one account."),
                disconnect),
        ]
    }

    private struct ConnectRequest: Decodable {
        let token: String
        let host: String?
    }

    private struct AccountJSON: Codable {
        let id, host, login: String
        let name, avatarURL: String?
        let state: AuthenticationState
        let scopes, missingScopes: [String]
        let isFineGrained: Bool
        let connectedAt: String
        let error: UpstreamErrorJSON?

        init(_ account: GitHubAccount) {
            id = "\(account.id)"
            host = account.host
            login = account.login
            name = account.user?.name
            avatarURL = account.user?.avatarURL
            state = account.state
            scopes = account.scopes.sorted()
            missingScopes = account.missingScopes
            isFineGrained = account.isFineGrained
            connectedAt = ISO8601.seconds(account.connectedAt)
            error = account.error.map { UpstreamErrorJSON($0, source: "GitHub") }
        }
    }

    private func list(_ request: Request, _ user: User) async throws -> HandlerResult {
        let accounts = services.accounts.accounts(of: user.userId)
        let page = try request.items(of: accounts) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(AccountJSON.init), next: page.next)))
    }

    private func connect(_ request: Request, _ user: User) async throws -> HandlerResult {
        let requested = try request.body(ConnectRequest.self)
        let account = try await services.accounts.connect(
            token: requested.token, host: requested.host, for: user.userId,
            from: site.visitors.origin(of: request))
        var response = API.json(AccountJSON(account), status: 201)
        response["Location"] = "\(Self.path)/\(account.id)"
        return .response(response)
    }

    private func show(_ request: Request, _ user: User) async throws -> HandlerResult {
        let account = services.accounts.accounts(of: user.userId)
            .first { "\($0.id)" == request.parameters["id"] }
        guard let account else { throw Self.unknownAccount }
        return .response(API.json(AccountJSON(account)))
    }

    private func disconnect(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await gitHub.remove(
            request.parameters["id"], of: user, from: site.visitors.origin(of: request))
        return .response(Response(status: 204))
    }

    /// Disconnects the accounts that match `?host=` and `?login=`, or all accounts without these parameters.
    private func disconnectAll(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (host, login) = (request.query["host"]?.lowercased(), request.query["login"]?.lowercased())
        let found = services.accounts.accounts(of: user.userId).filter { account in
            (host == nil || account.host == host) && (login == nil || account.login.lowercased() == login)
        }
        guard !found.isEmpty || (host == nil && login == nil) else {
            throw Self.unknownAccount
        }
        for account in found {
            try await services.accounts.disconnect(
                account.id, of: user.userId, from: site.visitors.origin(of: request))
        }
        return .response(Response(status: 204))
    }
}
