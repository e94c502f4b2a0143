import Crypto
import Foundation
import HTTPServer
import RoostSupport

/// Proves that Roost made a form for this browser and for this kind of action. It is derived from the browser's
/// cookie, so nothing is stored.
///
/// If markup is ever injected into a page, its forms have that page's token, and can do no other kind of action.
///
/// The text differs each time, since a secret that is repeated in a compressed page can be guessed from the page's
/// length (BREACH).
struct FormToken: Sendable {
    /// The kind of action that a form does; a page's token is for the page's own kind.
    enum Scope: String, Sendable, CaseIterable {
        /// Everyday actions: marks, lists, choices, the colours, signing out.
        case reader
        /// What concerns one's account: sign-in, password, tokens, sessions, accounts elsewhere, leaving.
        case account
        /// What owners do: members, roles, invitations, reset links.
        case owner

        /// The kinds of page whose tokens this kind of action accepts. Every page has everyday forms (colours, signing
        /// out); otherwise a page has forms of its own kind alone.
        var accepted: [Scope] { self == .reader ? Self.allCases : [self] }
    }

    /// The field in forms.
    static let field = "token"
    /// The header of scripts' requests.
    static let header = "X-Roost-Token"
    private static let size = 16

    private let proof: [UInt8]

    /// - Parameter secret: the value of the session's or the guest's cookie
    init(secret: String, scope: Scope) {
        let key = SymmetricKey(data: Array(secret.utf8))
        let text = "roost form: \(scope.rawValue)"
        proof = Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(Self.size))
    }

    /// The token as text, different each time: a random mask, and the masked proof.
    var masked: String {
        // A key of so many random bits; a random byte at a time would ask the system for each.
        let mask = SymmetricKey(size: SymmetricKeySize(bitCount: 8 * Self.size)).withUnsafeBytes(Array.init)
        return Data(mask + zip(mask, proof).map { $0 ^ $1 }).base64EncodedString()
    }

    func accepts(_ text: String) -> Bool {
        guard let bytes = Data(base64Encoded: text).map(Array.init), bytes.count == 2 * Self.size else {
            return false
        }
        let shown = zip(bytes.prefix(Self.size), bytes.suffix(Self.size)).map { $0 ^ $1 }
        return zip(shown, proof).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebContext {
    /// The token of this visitor's forms on a page of this kind; nil where the browser's `Origin` is proof enough.
    func formToken(for request: Request, scope: FormToken.Scope) -> String? {
        formSecret(of: request, visitor(of: request)).map { FormToken(secret: $0, scope: scope).masked }
    }

    /// Refuses a write that another web site made a browser send, by its headers.
    func refuseCrossSite(_ request: Request, _ visitor: Visitor = .nobody) throws {
        guard !request.method.isSafe, !visitor.isBearer, filter.isCrossSiteWrite(request) else { return }
        throw RoostError.notAllowed("Another web site tried to send this. Nothing was changed.")
    }

    /// Refuses a write that another web site made a browser send, or that has no token for this kind of action.
    func refuseForgery(_ request: Request, _ visitor: Visitor, scope: FormToken.Scope) throws {
        guard !request.method.isSafe, !visitor.isBearer else { return }
        try refuseCrossSite(request, visitor)
        if case .local = visitor { return }
        let text = request.headers[FormToken.header] ?? (try? request.form()[FormToken.field]) ?? ""
        let secret = formSecret(of: request, visitor)
        let scopes = FormToken.Scope.allCases.filter { scope in
            secret.map { FormToken(secret: $0, scope: scope).accepts(text) } == true
        }
        guard let shown = scopes.first else {
            throw RoostError.notAllowed(
                "This form is too old, or cookies are off. Nothing was changed: go back, reload the page and try again."
            )
        }
        guard scope.accepted.contains(shown) else {
            throw RoostError.notAllowed(
                "A page tried to do what belongs on another page. Nothing was changed: do it on the page made for it."
            )
        }
    }

    private func formSecret(of request: Request, _ visitor: Visitor) -> String? {
        switch visitor {
        case .session(_, _, let secret): secret
        case .bearer, .metrics, .local: nil
        case .nobody: guestSecret(of: request)
        }
    }

    /// The cookie of a visitor without a session.
    func guestSecret(of request: Request) -> String? {
        let isSecure = forwarding.caller(of: request).isSecure
        return request.cookies[SiteCookie.guest.name(isSecure: isSecure)].flatMap {
            (22...64).contains($0.utf8.count) ? $0 : nil
        }
    }
}
