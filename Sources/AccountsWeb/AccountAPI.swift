import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

struct AccountAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(
                .post, "/api/v1/users",
                api: .answers(UserResponse.self, "Creates an account with a join code.").taking(
                    CreateUserRequest.self,
                    [
                        "username": .text(Profile.possibleName),
                        "email": .text(atMost: Profile.maximumEmail),
                        "displayName": .text(atMost: Profile.possibleName.upperBound),
                        "password": .text(PasswordRules.minimumLength...PasswordRules.maximumLength),
                    ]
                ).status(201), join),
            guarded.member(
                .get, "/api/v1/users", query: Request.paging,
                api: .lists(PersonJSON.self, "Everyone on this Roost."), people),
            guarded.everyone(
                .post, "/api/v1/sessions",
                api: .answers(UserResponse.self, "Signs in.").taking(SignInRequest.self).status(201), signIn),
            guarded.person(
                .delete, "/api/v1/sessions/current", scope: .reader, api: .does("Signs out."), signOut),
            guarded.member(
                .get, "/api/v1/me", api: .answers(UserJSON.self, "The user of the token or session."), me),
        ]
    }

    /// The mission's `CreateUserRequest`, with the code that allows the new user in.
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

    private struct UserResponse: Codable {
        let userId: JSONUserID
        let username: String
        let email: API.Nullable<String>
        let message: String
        /// Programs that keep the session cookie send this as `X-Roost-Token` with each write.
        var token: String?

        init(_ user: User) {
            userId = JSONUserID(user.userId)
            username = user.username
            email = API.Nullable(user.email)
            message = user.message
        }
    }

    /// Creates a member with a join code, or the first owner with the setup code.
    private func join(_ request: Request) async throws -> HandlerResult {
        // This needs no cookie, but another site's page must not sign its reader in. `signIn` checks the same.
        try site.visitors.refuseCrossSite(request)
        let newUser = try request.body(CreateUserRequest.self)
        let origin = site.visitors.origin(of: request)
        let profile = try Profile(
            username: newUser.username, email: newUser.email, displayName: newUser.displayName)
        let user = try await account(of: newUser, profile, origin)
        return .response(API.json(UserResponse(user), status: 201))
    }

    /// Reports errors of the code under its JSON field's name.
    private func account(of newUser: CreateUserRequest, _ profile: Profile, _ origin: ClientInfo)
        async throws
        -> User
    {
        let invitations = site.identity.invitations
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

    /// What everyone may know of everyone, for example to start a conversation.
    private struct PersonJSON: Codable {
        let userId: JSONUserID
        let username: String
        let displayName, avatarURL: String?

        init(_ user: User) {
            userId = JSONUserID(user.userId)
            username = user.username
            displayName = user.displayName
            avatarURL = AvatarAddress.of(user)
        }
    }

    private func people(_ request: Request, _ user: User) async throws -> HandlerResult {
        let page = try request.items(of: try await site.identity.accounts.users) { "\($0.userId)" }
        return .response(API.json(try Page(page.items.map(PersonJSON.init), next: page.next)))
    }

    private func signIn(_ request: Request) async throws -> HandlerResult {
        try site.visitors.refuseCrossSite(request)
        let credentials = try request.body(SignInRequest.self)
        let newSession = try await site.identity.sessions.signIn(
            credentials.username, password: credentials.password,
            replacing: site.visitors.sessionSecret(of: request),
            from: site.visitors.origin(of: request))
        var body = UserResponse(newSession.user)
        body.token = FormToken(secret: newSession.secret, scope: .account).masked
        var response = API.json(body, status: 201)
        site.visitors.setSession(newSession, in: &response, for: request)
        return .response(response)
    }

    private func signOut(_ request: Request, _ person: Person) async throws -> HandlerResult {
        if let secret = person.secret {
            try await site.identity.sessions.signOut(person.user, secret: secret, from: person.origin)
        }
        var response = Response(status: 204)
        site.visitors.endSession(in: &response, for: request)
        return .response(response)
    }

    private func me(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(API.json(UserJSON(user)))
    }
}

/// A user as JSON: the mission's fields. Empty optionals are omitted, except the e-mail address.
struct UserJSON: Codable {
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
        createdAt = user.createdAt.map(ISO8601.seconds)
        updatedAt = user.updatedAt.map(ISO8601.seconds)
    }
}
