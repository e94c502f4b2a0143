import Accounts
import Foundation
import HTTPServer
import RoostSupport
import TextFormats

/// Accounts as JSON: signing up, in and out, and who one is.
struct AccountAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(.post, "/api/v1/users", join),
            guarded.everyone(.post, "/api/v1/sessions", signIn),
            guarded.person(.delete, "/api/v1/sessions/current", scope: .reader, signOut),
            guarded.member(.get, "/api/v1/me", me),
        ]
    }

    /// The mission's `CreateUserRequest`, and the code that lets somebody in.
    private struct CreateUserRequest: Decodable {
        let email: String?
        let password: String
        let username: String
        let displayName: String?
        let joinCode: String
    }

    private struct SignInRequest: Decodable {
        let username: String
        let password: String
    }

    private struct UserResponse: Encodable {
        let userId: JSONUserID
        let username: String
        let email: API.Nullable<String>
        let message: String
        /// What a program that keeps the session's cookie sends as `X-Roost-Token` with each write.
        var token: String?

        init(_ user: User) {
            userId = JSONUserID(user.userId)
            username = user.username
            email = API.Nullable(user.email)
            message = user.message
        }
    }

    /// A member by a join link or, on a Roost without owner, the owner by the setup code.
    private func join(_ request: Request) async throws -> HandlerResult {
        // No cookie gives this any authority, but nobody's page shall sign its reader in somewhere; so below.
        try site.refuseCrossSite(request)
        let newUser = try request.fields(CreateUserRequest.self)
        let origin = site.origin(of: request)
        let profile = try Profile(
            username: newUser.username, email: newUser.email, displayName: newUser.displayName)
        let user = try await account(of: newUser, profile, origin)
        return .response(API.json(UserResponse(user), status: 201))
    }

    /// What is wrong with the code is said of the field that JSON has for it.
    private func account(of newUser: CreateUserRequest, _ profile: Profile, _ origin: ClientInfo)
        async throws
        -> User
    {
        let invitations = site.services.invitations
        do {
            guard invitations.setupCode == nil else {
                return try await invitations.setUp(
                    code: newUser.joinCode, profile, password: newUser.password, from: origin)
            }
            return try await invitations.join(
                code: newUser.joinCode, profile, password: newUser.password, from: origin)
        } catch RoostError.notFound(let why), RoostError.invalid("code", let why) {
            throw RoostError.invalid(field: "joinCode", why: why)
        } catch RoostError.conflict("code", let why) {
            throw RoostError.conflict(field: "joinCode", why: why)
        }
    }

    private func signIn(_ request: Request) async throws -> HandlerResult {
        try site.refuseCrossSite(request)
        let credentials = try request.fields(SignInRequest.self)
        let begun = try await site.services.sessions.signIn(
            credentials.username, password: credentials.password,
            replacing: site.sessionSecret(of: request),
            from: site.origin(of: request))
        var body = UserResponse(begun.user)
        body.token = FormToken(secret: begun.secret, scope: .account).masked
        var response = API.json(body, status: 201)
        site.setSession(begun, in: &response, for: request)
        return .response(response)
    }

    private func signOut(_ request: Request, _ person: Person) async throws -> HandlerResult {
        if let secret = person.secret {
            try await site.services.sessions.signOut(person.user, secret: secret, from: person.origin)
        }
        var response = Response(status: 204)
        site.endSession(in: &response, for: request)
        return .response(response)
    }

    private func me(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(API.json(UserJSON(user)))
    }
}

/// A user as JSON: the model's fields, optionals left out where there is nothing, except the e-mail address.
struct UserJSON: Encodable {
    let userId: JSONUserID
    let username: String
    let email: API.Nullable<String>
    let displayName: String?
    let role: String
    let message: String
    let avatarURL: String?
    let createdAt: String?
    let updatedAt: String?

    init(_ user: User) {
        userId = JSONUserID(user.userId)
        username = user.username
        email = API.Nullable(user.email)
        displayName = user.displayName
        role = user.role.rawValue
        message = user.message
        avatarURL = AvatarAddress.of(user)
        createdAt = user.createdAt.map(ISO8601.milliseconds)
        updatedAt = user.updatedAt.map(ISO8601.milliseconds)
    }
}
