package import Accounts
package import RoostSupport

package enum Visitor: Sendable {
    case anonymous
    /// Anyone who opens the demo on the machine that it runs on.
    case local(User)
    /// A signed-in browser; `secret` is the value of its cookie.
    case session(Session, User, secret: String)
    case bearer(User, APIToken)
    /// A token of this user that may read only `/metrics` and `/healthz`. All other routes treat it as no user.
    case metrics(User)

    package var user: User? {
        switch self {
        case .anonymous, .metrics: nil
        case .local(let user), .session(_, let user, _), .bearer(let user, _): user
        }
    }

    /// Distinguishes the sessions of one user, because a page contains the form token of its browser.
    package var reader: String {
        switch self {
        case .anonymous: "anonymous"
        case .local: "local"
        case .session(let session, _, _): "session \(session.id)"
        case .bearer(_, let token): "token \(token.id)"
        case .metrics: "metrics"
        }
    }

    /// True for owners and their tokens, except those that are limited to areas.
    var mayMonitor: Bool {
        switch self {
        case .anonymous: false
        case .bearer(_, let token) where token.isLimited: false
        case .local(let user), .session(_, let user, _), .bearer(let user, _), .metrics(let user):
            user.role == .owner
        }
    }

    /// True for a token, which no other site's page can make a browser send.
    var isBearer: Bool {
        switch self {
        case .bearer, .metrics: true
        case .anonymous, .local, .session: false
        }
    }
}

package enum Audience: Sendable, CaseIterable {
    case everyone
    /// The holder of a secret link.
    case link
    /// A user of Roost, in a browser or with a token.
    case member
    /// A user of Roost in a browser; tokens cannot manage accounts.
    case person
    case owner
    /// An owner, in a browser or with a token.
    case ownerOrToken
    /// The same, or a token that may only read the metrics.
    case monitor
}

package struct Person: Sendable {
    package let user: User
    /// Nil in the demo.
    package let session: Session?
    /// The value of the session's cookie.
    package let secret: String?
    package let origin: ClientInfo
}
