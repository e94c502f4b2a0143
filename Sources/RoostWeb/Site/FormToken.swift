import Crypto
import Foundation
import HTTPServer
import RoostServices

/// Proof that a form was made by Roost for this very browser: derived from its cookie, so that nothing is stored.
///
/// It looks different each time, since a secret that stays the same in a compressed page can be guessed from the
/// page's length (BREACH).
package struct FormToken: Sendable {
    /// The field in forms.
    package static let field = "token"
    /// The header of scripts' requests.
    package static let header = "X-Roost-Token"
    private static let size = 16

    private let proof: [UInt8]

    /// - Parameter secret: the value of the session's or the visit's cookie
    package init(secret: String) {
        let key = SymmetricKey(data: Array(secret.utf8))
        proof = Array(
            HMAC<SHA256>.authenticationCode(for: Array("roost form".utf8), using: key).prefix(Self.size))
    }

    /// A new text for it: a random mask, and the proof under the mask.
    package var masked: String {
        var random = SystemRandomNumberGenerator()
        let mask = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
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

extension Site {
    /// What this visitor's forms carry; nil where nothing but the browser's word on its origin is asked for.
    func formToken(for request: Request) -> String? {
        formSecret(of: request, visitor(of: request)).map { FormToken(secret: $0).masked }
    }

    /// Refuses a write that another web site made a browser send: the headers say so.
    func refuseForeign(_ request: Request, _ visitor: Visitor = .nobody) throws {
        guard !request.method.isSafe, !visitor.isBearer, gate.isForeign(request) else { return }
        throw RoostError.notAllowed("Another web site tried to send this. Nothing was changed.")
    }

    /// Refuses a write that another web site made a browser send, or that came without its form's token.
    func refuseForgery(_ request: Request, _ visitor: Visitor) throws {
        guard !request.method.isSafe, !visitor.isBearer else { return }
        try refuseForeign(request, visitor)
        if case .local = visitor { return }
        let text = request.headers[FormToken.header] ?? (try? request.form()[FormToken.field]) ?? ""
        guard let secret = formSecret(of: request, visitor), FormToken(secret: secret).accepts(text) else {
            throw RoostError.notAllowed(
                "This form is too old, or cookies are off. Nothing was changed: go back, reload the page and try again."
            )
        }
    }

    private func formSecret(of request: Request, _ visitor: Visitor) -> String? {
        switch visitor {
        case .session(_, _, let secret): secret
        case .bearer, .local: nil
        case .nobody: visitSecret(of: request)
        }
    }

    /// The cookie of a visitor without session.
    func visitSecret(of request: Request) -> String? {
        let isSecure = forwarding.caller(of: request).isSecure
        return request.cookies[SiteCookie.visit.name(isSecure: isSecure)].flatMap {
            (22...64).contains($0.utf8.count) ? $0 : nil
        }
    }
}
