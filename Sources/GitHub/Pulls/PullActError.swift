import Foundation
package import RoostSupport

/// What a user reads when GitHub did not carry out an act.
package enum PullActError {
    package static let unknown = RoostError.unavailable(
        "Roost doesn’t know whether GitHub did this, because the answer was lost. Look at the pull request on "
            + "GitHub before you send it again.")

    /// True if GitHub may have carried out a request that failed like this.
    static func isUnknown(_ failure: GitHubFailure) -> Bool {
        switch failure.error {
        case .timedOut, .interrupted, .serverError, .unknown: true
        // A success whose body is not understood.
        case .invalidResponse: failure.status < 300
        default: false
        }
    }

    static func refused(_ failure: GitHubFailure, _ act: PullAct, by account: GitHubAccount) -> RoostError {
        let source = "GitHub"
        switch failure.error {
        case .rateLimited:
            return .tooMany(
                failure.error.message(source: source) + " Nothing was sent.",
                retryAfter: Int(min(86_400, max(1, failure.retryAfter ?? 60))))
        case .unauthorized:
            return .notAllowed("GitHub rejected your token. Connect the account again in the settings.")
        case .singleSignOn, .legallyBlocked:
            let advice = failure.error.recoverySuggestion.map { " " + $0 } ?? ""
            return .notAllowed(failure.error.message(source: source) + advice)
        case .forbidden, .invalidResponse: break
        default: return .unavailable(failure.error.message(source: source) + " Nothing was sent.")
        }
        if let sentence = missingRight(failure, act, account) { return .notAllowed(sentence) }
        let message = failure.refusal?.message ?? ""
        if act.hasHead, isAboutHead(failure, message) { return PullActSender.otherHead }
        let sentence =
            message.isBlank
            ? "GitHub refused this (status \(failure.status))." : "GitHub refused this: “\(message)”"
        switch failure.status {
        case 400, 422: return .invalid(field: act.textField ?? "act", why: sentence)
        case 403: return .notAllowed(sentence)
        case 404:
            return .conflict(
                field: "act", why: "GitHub doesn’t find this, or doesn’t let your account do it.")
        default: return .conflict(field: "act", why: sentence)
        }
    }

    /// Merging answers 409, and updating the branch 422, if the head is another one than expected.
    private static func isAboutHead(_ failure: GitHubFailure, _ message: String) -> Bool {
        let text = message.lowercased()
        guard [409, 422].contains(failure.status), text.containsBytes("head") else { return false }
        return ["modified", "match", "expected"].contains { text.containsBytes($0) }
    }

    /// A sentence that names the scope or the permission that the token lacks.
    private static func missingRight(
        _ failure: GitHubFailure, _ act: PullAct, _ account: GitHubAccount
    ) -> String? {
        guard [403, 404].contains(failure.status) else { return nil }
        if let permissions = failure.refusal?.permissions, !permissions.isEmpty, account.isFineGrained {
            return
                "Your GitHub token lacks a permission that it needs \(act.purpose): \(permissions). Change the "
                + "token on GitHub, then try again."
        }
        // GitHub answers 404 to a token without the scope, as if there were no such address.
        let lacksScope = !account.isFineGrained && account.scopes.isDisjoint(with: ["repo", "public_repo"])
        guard let scope = failure.refusal?.missingScope ?? (lacksScope ? "repo" : nil) else { return nil }
        return
            "Your GitHub token lacks the scope “\(scope)”, which it needs \(act.purpose). Connect the account "
            + "again with a token that has it."
    }
}

extension PullAct {
    /// Why the token needs a right: "to merge".
    fileprivate var purpose: String {
        switch self {
        case .comment, .reply: "to comment"
        case .resolve, .unresolve: "to resolve conversations"
        case .review: "to review"
        case .requestReview: "to request reviews"
        case .merge, .autoMerge, .stopAutoMerge: "to merge"
        case .updateBranch: "to update the branch"
        case .markReady: "to mark it as ready"
        case .close, .reopen: "to close or reopen it"
        case .rerunChecks: "to run checks again"
        }
    }

    /// The form field with the text, if the act has one.
    fileprivate var textField: String? {
        switch self {
        case .comment, .reply, .review: "body"
        case .requestReview: "reviewer"
        default: nil
        }
    }

    fileprivate var hasHead: Bool {
        switch self {
        case .merge, .autoMerge, .updateBranch: true
        default: false
        }
    }
}
