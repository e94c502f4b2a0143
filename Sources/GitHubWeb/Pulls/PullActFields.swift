import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// The fields of an act, from a form or from JSON.
struct PullActFields: Decodable {
    /// A comment on lines. `side` is "old" or "new", which is the default.
    struct LineComment: Decodable {
        let path: String
        let line: Int
        let startLine: Int?
        let side: String?
        let body: String
    }

    let act: String
    var body: String?
    var comment: Int?
    var thread: String?
    var verdict: String?
    var comments: [LineComment]?
    var head: String?
    var method: String?
    var reviewer: String?

    init(_ form: Form) {
        act = form["act"] ?? ""
        body = form["body"]
        comment = form["comment"].flatMap { Int($0) }
        thread = form["thread"]
        verdict = form["verdict"]
        head = form["head"]
        method = form["method"]
        reviewer = form["reviewer"]
    }

    /// Throws `RoostError.invalid`. The texts are checked later.
    func checked() throws -> PullAct {
        switch act {
        case "comment": .comment(body ?? "")
        case "reply": .reply(comment: comment ?? 0, body ?? "")
        case "resolve": .resolve(thread: thread ?? "")
        case "unresolve": .unresolve(thread: thread ?? "")
        case "review": .review(try review())
        case "requestReview": .requestReview(of: reviewer ?? "")
        case "merge": .merge(try FormError.option(method, "method"), head: head ?? "")
        case "autoMerge": .autoMerge(try FormError.option(method, "method"), head: head ?? "")
        case "stopAutoMerge": .stopAutoMerge
        case "updateBranch": .updateBranch(head: head ?? "")
        case "markReady": .markReady
        case "close": .close
        case "reopen": .reopen
        case "rerunChecks": .rerunChecks(head: head ?? "")
        default: throw RoostError.invalid(field: "act", why: "Roost doesn’t know this act.")
        }
    }

    func review() throws -> PullReview {
        PullReview(
            verdict: try FormError.option(verdict, "verdict"), body: body ?? "",
            comments: try (comments ?? []).map(Self.lineComment), head: head ?? "")
    }

    /// Sends the draft, which has the comments on lines.
    mutating func use(_ draft: PullReview) {
        (verdict, body, head) = (draft.verdict.rawValue, draft.body, draft.head)
        comments = draft.comments.map {
            LineComment(
                path: $0.path, line: $0.line, startLine: $0.startLine, side: $0.isOnOldFile ? "old" : "new",
                body: $0.body)
        }
    }

    static func lineComment(_ comment: LineComment) throws -> PullReview.LineComment {
        guard ["old", "new"].contains(comment.side ?? "new") else {
            throw RoostError.invalid(field: "side", why: "Must be “old” or “new”.")
        }
        return PullReview.LineComment(
            path: comment.path, line: comment.line, startLine: comment.startLine,
            isOnOldFile: comment.side == "old", body: comment.body)
    }
}
