import Crypto
import Foundation
import HTTPServer
import RoostServices

/// Proof that a form was made by Roost for this very browser, and for this kind of act: derived from the browser's
/// cookie, so that nothing is stored.
///
/// A button that somebody's text has smuggled into a page carries that page's token: what it may do ends with the
/// page's own kind of act.
///
/// It looks different each time, since a secret that stays the same in a compressed page can be guessed from the
/// page's length (BREACH).
package struct FormToken: Sendable {
    /// The kind of act that a form does; a page's token is of the page's own kind.
    package enum Scope: String, Sendable, CaseIterable {
        /// What readers do all day: marks, lists, choices, the colours, signing out.
        case reader
        /// What concerns one's account: sign-in, password, tokens, sessions, accounts elsewhere, leaving.
        case account
        /// What owners do: members, roles, invitations, reset links.
        case owner

        /// The kinds of page whose token this kind of act takes. Every page has the readers' forms on it (colours,
        /// signing out); no page has another's.
        package var accepted: [Scope] { self == .reader ? Self.allCases : [self] }
    }

    /// The field in forms.
    package static let field = "token"
    /// The header of scripts' requests.
    package static let header = "X-Roost-Token"
    private static let size = 16

    private let proof: [UInt8]

    /// - Parameter secret: the value of the session's or the visit's cookie
    package init(secret: String, scope: Scope) {
        let key = SymmetricKey(data: Array(secret.utf8))
        let text = "roost form: \(scope.rawValue)"
        proof = Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(Self.size))
    }

    /// A new text for it: a random mask, and the proof under the mask.
    package var masked: String {
        // A key of so many random bits; a random byte at a time would ask the system for each.
        let mask = SymmetricKey(size: SymmetricKeySize(bitCount: 8 * Self.size)).withUnsafeBytes(Array.init)
        return Data(mask + zip(mask, proof).map { $0 ^ $1 }).base64EncodedString()
    }

    package func accepts(_ text: String) -> Bool {
        guard let bytes = Data(base64Encoded: text).map(Array.init), bytes.count == 2 * Self.size else {
            return false
        }
        let shown = zip(bytes.prefix(Self.size), bytes.suffix(Self.size)).map { $0 ^ $1 }
        return zip(shown, proof).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension WebContext {
    /// What this visitor's forms carry on a page of this kind; nil where nothing but the browser's word on its origin
    /// is asked for.
    func formToken(for request: Request, scope: FormToken.Scope) -> String? {
        formSecret(of: request, visitor(of: request)).map { FormToken(secret: $0, scope: scope).masked }
    }

    /// Refuses a write that another web site made a browser send: the headers say so.
    func refuseCrossSite(_ request: Request, _ visitor: Visitor = .nobody) throws {
        guard !request.method.isSafe, !visitor.isBearer, filter.isCrossSiteWrite(request) else { return }
        throw RoostError.notAllowed("Another web site tried to send this. Nothing was changed.")
    }

    /// Refuses a write that another web site made a browser send, or that came without the token of a form for this
    /// kind of act.
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
        case .bearer, .local: nil
        case .nobody: guestSecret(of: request)
        }
    }

    /// The cookie of a visitor without session.
    func guestSecret(of request: Request) -> String? {
        let isSecure = forwarding.caller(of: request).isSecure
        return request.cookies[SiteCookie.guest.name(isSecure: isSecure)].flatMap {
            (22...64).contains($0.utf8.count) ? $0 : nil
        }
    }
}
