import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// The fields of an act, from a form or from JSON.
struct PullActFields: Decodable {
    /// What programs can do. Forms also change drafts of reviews.
    enum Act: String, CaseIterable {
        case comment, reply, resolve, unresolve, review, requestReview, merge, autoMerge, stopAutoMerge
        case updateBranch, markReady, close, reopen, rerunChecks
    }

    /// A comment on lines. `side` is "old" or "new", which is the default.
    struct LineComment: Decodable {
        let path: String
        let line: Int
        let startLine: Int?
        let side: String?
        let body: String
    }

    /// `verdict` and `method` are described by their types.
    static let limits: KeyValuePairs<String, APILimit> = [
        "act": .choice(Act.self), "body": .text(atMost: PullAct.maximumText),
        "comments": .list(0...PullReview.maximumComments),
    ]

    let act: String
    var body: String?
    var comment: Int?
    var thread: String?
    var verdict: PullReview.Verdict?
    var comments: [LineComment]?
    var head: String?
    var method: PullAct.MergeMethod?
    var reviewer: String?
    /// The id of the user's account on GitHub that acts.
    var account: String?

    /// Throws `RoostError.invalid`.
    init(_ form: Form) throws {
        act = form["act"] ?? ""
        body = form["body"]
        comment = form["comment"].flatMap { Int($0) }
        thread = form["thread"]
        verdict = try form["verdict"].map { try FormError.option($0, "verdict") }
        head = form["head"]
        method = try form["method"].map { try FormError.option($0, "method") }
        reviewer = form["reviewer"]
        account = form["account"]
    }

    /// No account has the id 0.
    var accountID: GitHubAccountID? { account.map { GitHubAccountID($0) ?? 0 } }

    /// Throws `RoostError.invalid`. The texts are checked later.
    func checked() throws -> PullAct {
        guard let kind = Act(rawValue: act) else {
            throw RoostError.invalid(field: "act", why: "Roost doesn’t know this act.")
        }
        return switch kind {
        case .comment: .comment(body ?? "")
        case .reply: .reply(comment: comment ?? 0, body ?? "")
        case .resolve: .resolve(thread: thread ?? "")
        case .unresolve: .unresolve(thread: thread ?? "")
        case .review: .review(try review())
        case .requestReview: .requestReview(of: reviewer ?? "")
        case .merge: .merge(try Self.chosen(method, "method"), head: head ?? "")
        case .autoMerge: .autoMerge(try Self.chosen(method, "method"), head: head ?? "")
        case .stopAutoMerge: .stopAutoMerge
        case .updateBranch: .updateBranch(head: head ?? "")
        case .markReady: .markReady
        case .close: .close
        case .reopen: .reopen
        case .rerunChecks: .rerunChecks(head: head ?? "")
        }
    }

    private static func chosen<Choice>(_ choice: Choice?, _ field: String) throws -> Choice {
        guard let choice else { throw RoostError.invalid(field: field, why: "Choose one of the options.") }
        return choice
    }

    func review() throws -> PullReview {
        PullReview(
            verdict: try Self.chosen(verdict, "verdict"), body: body ?? "",
            comments: try (comments ?? []).map { try Self.lineComment($0) }, head: head ?? "")
    }

    static func lineComment(_ comment: LineComment, id: String? = nil) throws -> PullReview.LineComment {
        guard ["old", "new"].contains(comment.side ?? "new") else {
            throw RoostError.invalid(field: "side", why: "Must be “old” or “new”.")
        }
        return PullReview.LineComment(
            path: comment.path, line: comment.line, startLine: comment.startLine,
            isOnOldFile: comment.side == "old", body: comment.body, id: id)
    }
}
