import Accounts
import HTTPServer
import RoostSupport

/// Who asks, as the request proves it.
enum Visitor: Sendable {
    case nobody
    /// Anybody who opens the demo on the machine that it runs on.
    case local(User)
    /// A browser that is signed in; `secret` is its cookie.
    case session(Session, User, secret: String)
    case bearer(User, APIToken)
    /// A token of this user that reads `/metrics` and `/healthz`, and for every other route is no user.
    case metrics(User)

    var user: User? {
        switch self {
        case .nobody, .metrics: nil
        case .local(let user), .session(_, let user, _), .bearer(let user, _): user
        }
    }

    /// Distinguishes the sessions of one user: a page holds the form token of its browser.
    var reader: String {
        switch self {
        case .nobody: "nobody"
        case .local: "local"
        case .session(let session, _, _): "session \(session.id)"
        case .bearer(_, let token): "token \(token.id)"
        case .metrics: "metrics"
        }
    }

    /// True for owners and their tokens, whatever the scope.
    var mayMonitor: Bool {
        switch self {
        case .nobody: false
        case .local(let user), .session(_, let user, _), .bearer(let user, _), .metrics(let user):
            user.role == .owner
        }
    }

    /// Shows a token, which no other site's page can make a browser send.
    var isBearer: Bool {
        switch self {
        case .bearer, .metrics: true
        case .nobody, .local, .session: false
        }
    }

    /// True when the visitor may change things.
    var mayWrite: Bool {
        switch self {
        case .nobody, .metrics: false
        case .local, .session: true
        case .bearer(_, let token): token.scope == .write
        }
    }
}

/// Who may use a route; every route names it.
enum Audience: Sendable, CaseIterable {
    /// Anybody, without a session.
    case everyone
    /// The holder of a secret link.
    case link
    /// A user of Roost, in a browser or with a token.
    case member
    /// A user of Roost in a browser: tokens do not look after accounts.
    case person
    /// An owner in a browser.
    case owner
    /// An owner in a browser, or an owner's token: for monitoring.
    case monitor
}

/// A user in a browser, with what account pages need to know of the request.
struct Person: Sendable {
    let user: User
    /// Nil in the demo.
    let session: Session?
    /// The session's cookie.
    let secret: String?
    let origin: ClientInfo
}

extension WebContext {
    /// The visitor of a request, without waiting for the disk.
    func visitor(of request: Request) -> Visitor {
        if let token = request.bearerToken {
            guard let (user, token) = services.tokens.bearer(of: token) else { return .nobody }
            return token.scope == .metrics ? .metrics(user) : .bearer(user, token)
        }
        let caller = forwarding.caller(of: request)
        if let secret = request.cookies[SiteCookie.session.name(isSecure: caller.isSecure)],
            let (session, user) = services.sessions.find(secret: secret, from: caller.address)
        {
            return .session(session, user, secret: secret)
        }
        if opensToThisMachine, caller.isOnThisMachine, let user = services.accounts.firstOwner {
            return .local(user)
        }
        return .nobody
    }

    /// Where a request comes from, for the throttle, the sessions list and the audit log.
    func origin(of request: Request) -> ClientInfo {
        let caller = forwarding.caller(of: request)
        return ClientInfo(
            address: caller.address, device: DeviceName.of(userAgent: request.headers["User-Agent"] ?? ""),
            isOnThisMachine: caller.isOnThisMachine,
            deviceSecrets: DeviceCookie(of: request, isSecure: caller.isSecure).secrets,
            linkCode: request.cookies[SiteCookie.link.name(isSecure: caller.isSecure)])
    }
}
