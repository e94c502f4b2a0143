import HTTPServer
import RoostServices

/// Makes routes that know who asks: the audience of each is checked here and nowhere else.
struct RouteGuard: Sendable {
    /// A handler that knows its visitor.
    typealias Handling = @Sendable (Request, User) async throws -> Answer
    /// An answer that lies ready, or nil.
    typealias Ready = @Sendable (Request, User) -> PreparedResponse?

    let site: Site

    /// A page or an API route for users; `ready` answers it at once where that is possible.
    func member(
        _ method: HTTPServer.Method, _ pattern: String, bodyLimit: Int = 65_536, ready: Ready? = nil,
        _ handle: @escaping Handling
    ) -> Route {
        let slow: @Sendable (Request) async throws -> Answer = { request in
            try await handle(request, try await user(of: request))
        }
        guard let ready else { return Route(method, pattern, bodyLimit: bodyLimit, .async(slow)) }
        return Route(
            method, pattern, bodyLimit: bodyLimit,
            .readyOr(
                { request in
                    guard request.headers["Authorization"] == nil, request.isFromThisMachine,
                        let user = site.services.accounts.knownLocalOwner
                    else { return nil }
                    return ready(request, user).map(Answer.prepared)
                }, slow))
    }

    /// The user who asks, or the refusal in words.
    func user(of request: Request) async throws -> User {
        let visitor = try await visitor(of: request)
        guard let user = visitor.user else {
            throw RoostError.unknownVisitor("Only a user of this Roost may see this.")
        }
        guard request.method.isSafe || visitor.mayWrite else {
            throw RoostError.notAllowed("This token may read, but not change anything.")
        }
        if case .local = visitor, !request.method.isSafe, Gate.isForeign(request) {
            throw RoostError.notAllowed("Another web site tried to send this. Nothing was changed.")
        }
        return user
    }

    func visitor(of request: Request) async throws -> Visitor {
        if let token = request.bearerToken {
            guard let (user, scope) = try await site.services.accounts.bearer(of: token) else {
                return .nobody
            }
            return .bearer(user, scope)
        }
        guard request.isFromThisMachine else { return .nobody }
        return .local(try await site.services.accounts.localOwner())
    }
}

extension HTTPServer.Method {
    /// RFC 9110, section 9.2.1: changes nothing.
    var isSafe: Bool { self == .get || self == .head || self == .options }
}
