import HTTPServer

/// Offers, next to a new password, to revoke the user's API tokens, which it leaves valid otherwise.
struct TokenRevocationView {
    private static let field = "revoke-tokens"
    /// No browser sends it back.
    fileprivate static let countField = "tokens"

    let count: Int
    let isChosen: Bool

    /// Nil where the form offers none: for a user without tokens.
    init?(_ form: FormState) {
        guard let count = form.typed[Self.countField].flatMap(Int.init), count > 0 else { return nil }
        self.count = count
        isChosen = form.typed[Self.field] != nil
    }

    static func isChosen(in form: Form) -> Bool { form[field] != nil }

    /// What is shown again of a refused form.
    static var fields: [String] { [field] }

    var revocationLabel: String { count == 1 ? "Revoke my API token" : "Revoke my \(count) API tokens" }

    /// A notice's sentence about tokens after a password change; empty without tokens.
    static func notice(revoked: Int, left: Int) -> String {
        switch (revoked, left) {
        case (0, 0): ""
        case (1, 0): " Your API token is revoked."
        case (_, 0): " Your \(revoked) API tokens are revoked."
        case (_, 1): " Your API token is still valid."
        default: " Your \(left) API tokens are still valid."
        }
    }
}

extension FormState {
    /// The same form with the offer to revoke so many API tokens.
    func offeringRevocation(of tokens: Int) -> FormState {
        var form = self
        form.typed[TokenRevocationView.countField] = "\(tokens)"
        return form
    }
}
