@testable import Accounts
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb

/// The sender of a request: a user with a session, a token, or a visitor.
struct Guest: Sendable {
    let user: User
    let headers: [(String, String)]
    /// The session cookie's value, if there is a session.
    var secret: String?

    static let anonymous = Guest(
        user: User(userId: 0, username: "nobody", role: .member, createdAt: nil), headers: [])

    /// Creates a user with a session.
    static func signUp(_ name: String, as role: User.Role, _ services: Services) async throws -> Guest {
        try await services.identity.accounts.add(
            Profile(username: name), role: role, password: TestServer.password)
        return try await signIn(name, services)
    }

    /// Starts another session of a user.
    static func signIn(_ name: String, _ services: Services) async throws -> Guest {
        let newSession = try await services.identity.sessions.signIn(
            name, password: TestServer.password, replacing: nil,
            from: ClientInfo(address: "127.0.0.1", isOnThisMachine: true))
        return Guest(user: newSession.user, secret: newSession.secret)
    }

    static func bearer(_ user: User, _ scope: APIToken.Scope, _ services: Services) async throws -> Guest {
        let token = try await services.token(for: user.username, scope: scope)
        return Guest(user: user, headers: [("Authorization", "Bearer \(token)")])
    }

    /// A token that is limited to these scopes.
    static func bearer(
        _ user: User, limitedTo scopes: [String], _ services: Services
    ) async throws -> Guest {
        let request = try TokenService.TokenRequest(
            limitedTo: scopes, known: ["chat", "reading", "watchlist", "account", "pulls"],
            actingIn: ["pulls"])
        let token = try await services.identity.tokens.make(request, for: user).token
        return Guest(user: user, headers: [("Authorization", "Bearer \(token)")])
    }

    init(user: User, secret: String) {
        self.init(user: user, headers: [("Cookie", "roost_session=\(secret)")])
        self.secret = secret
    }

    /// The headers for a request to this address, with the form token of the page that sends it.
    func headers(toward path: String) -> [(String, String)] {
        let isOwners = path.hasPrefix("/members") || path.hasPrefix("/api/v1/webhook-origins")
        let isAccount = [
            "/settings", "/logout/", "/login", "/reset", "/api/v1/github-accounts", "/api/v1/webhooks",
        ]
        .contains { path.hasPrefix($0) }
        let isAct = path.contains("/pulls/") && path.prefix { $0 != "?" }.hasSuffix("/acts")
        return headers + token(isOwners ? .owner : isAccount ? .account : isAct ? .acts : .reader)
    }

    /// The header with a form token, if this is a browser.
    func token(_ scope: FormToken.Scope) -> [(String, String)] {
        secret.map { [(FormToken.header, FormToken(secret: $0, scope: scope).masked)] } ?? []
    }

    private init(user: User, headers: [(String, String)]) {
        self.user = user
        self.headers = headers
    }
}

extension Services {
    func token(for name: String, scope: APIToken.Scope) async throws -> String {
        try await identity.tokens.make(
            TokenService.TokenRequest(scope: scope), for: identity.accounts.user(named: name)
        ).token
    }
}
