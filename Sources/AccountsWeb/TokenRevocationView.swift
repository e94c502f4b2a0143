import HTTPServer
import RoostWeb

/// An offer, next to a new password, to revoke the user's API tokens, which otherwise stay valid.
struct TokenRevocationView {
    private static let field = "revoke-tokens"
    /// Only in the form's state: browsers do not send it.
    fileprivate static let countField = "tokens"

    let count: Int
    let isChosen: Bool

    /// Returns nil for a user without tokens.
    init?(_ form: FormState) {
        guard let count = form.typed[Self.countField].flatMap(Int.init), count > 0 else { return nil }
        self.count = count
        isChosen = form.typed[Self.field] != nil
    }

    static func isChosen(in form: Form) -> Bool { form[field] != nil }

    static var fields: [String] { [field] }

    var revocationLabel: String { count == 1 ? "Revoke my API token" : "Revoke my \(count) API tokens" }

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
    /// Adds the offer to revoke this number of API tokens.
    func offeringRevocation(of tokens: Int) -> FormState {
        var form = self
        form.typed[TokenRevocationView.countField] = "\(tokens)"
        return form
    }
}
