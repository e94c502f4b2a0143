import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// Acts on pull requests, from forms and from programs. Only a POST acts.
struct PullActsController: Sendable {
    /// In bytes: the longest text that GitHub accepts, every byte of it percent-encoded, or a review in JSON.
    private static let bodyLimit = 1_048_576

    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let pull = "/pulls/{owner}/{name}/{number}"
        return [
            guarded.member(.post, pull + "/acts", scope: .acts, bodyLimit: Self.bodyLimit, act),
            guarded.member(
                .post, "/api/v1" + pull + "/acts", query: ["host"], scope: .acts, bodyLimit: Self.bodyLimit,
                actOfProgram),
        ]
    }

    private func act(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let key = try PullKey(ofPage: request)
        _ = try services.pullActions.account(for: key, of: user.userId)
        guard let kind = form["act"].flatMap(PullActKind.init) else {
            throw RoostError.invalid(field: "act", why: "Roost doesn’t know this act.")
        }
        do {
            guard let message = try await perform(kind, form, key, user) else {
                return .response(try await page(kind, key, Self.typed(form), isRefused: false, request, user))
            }
            let page = ReturnURL(form[ReturnURL.field], else: key.page()).address
            return site.redirect(to: page, showing: NoticeView(text: message), to: user)
        } catch {
            let refused = try FormError(
                error, form, keeping: PullActView.fields, limit: Self.bodyLimit, about: "act")
            return refused.answer(try await page(kind, key, refused.form, isRefused: true, request, user))
        }
    }

    /// Returns what was done, in words; nil if the user has to confirm it first.
    private func perform(
        _ kind: PullActKind, _ form: Form, _ key: PullKey, _ user: User
    ) async throws -> String? {
        let (actions, user) = (services.pullActions, user.userId)
        var fields = PullActFields(form)
        switch kind {
        case .discardDraft:
            try await actions.discardDraft(of: key, by: user)
            return "Draft discarded."
        case .lineComment:
            try await actions.addComment(
                Self.lineComment(form), head: form["head"] ?? "", to: key, by: user)
            return "Comment added to your review. Send the review to show it to others."
        case .removeLineComment:
            try await actions.removeComment(at: Int(form["index"] ?? "") ?? -1, from: key, by: user)
            return "Comment removed from your review."
        case .saveDraft, .review:
            let draft = try await saveDraft(fields, key, user)
            guard kind == .review else { return "Draft saved." }
            guard draft.verdict != .approve || draft.comments.isEmpty || draft.head == fields.head else {
                throw Self.olderComments
            }
            fields.use(draft)
        default: break
        }
        let act = try fields.checked()
        guard !act.needsConfirmation || form[PullActView.confirmation.name] == PullActView.confirmation.value
        else { return nil }
        let id = form["id"].flatMap { $0.isEmpty ? nil : $0 } ?? Secret.make(bytes: 16)
        return try await actions.perform(act, id: id, on: key, for: user).message
    }

    /// A review is about one commit. An approval must be about the one that the user sees.
    private static let olderComments = RoostError.conflict(
        field: "verdict",
        why:
            "Your comments on the code are about an older commit. Send them with “Comment” first, then approve."
    )

    /// Before a review is sent, so that it is not lost if GitHub refuses it.
    private func saveDraft(_ fields: PullActFields, _ key: PullKey, _ user: UserID) async throws -> PullReview
    {
        let review = try fields.review()
        return try await services.pullActions.saveDraft(
            review.verdict, body: review.body, head: review.head, of: key, by: user)
    }

    private static func lineComment(_ form: Form) throws -> PullReview.LineComment {
        let number = { (name: String) in form[name].flatMap { Int($0) } }
        return try PullActFields.lineComment(
            .init(
                path: form["path"] ?? "", line: number("line") ?? 0, startLine: number("startLine"),
                side: form["side"], body: form["body"] ?? ""))
    }

    private static func typed(_ form: Form) -> FormState {
        FormState(
            typed: Dictionary(
                PullActView.fields.compactMap { name in form[name].map { (name, $0) } },
                uniquingKeysWith: { $1 }))
    }

    private func page(
        _ kind: PullActKind, _ key: PullKey, _ state: FormState, isRefused: Bool, _ request: Request,
        _ user: User
    ) async throws -> Response {
        try await site.html { reads in
            PullActView(
                layout: try site.layout(
                    reads, for: user, request, currentEntry: "/pulls", scope: .acts), kind, key, state,
                isRefused: isRefused)
        }
    }

    private func actOfProgram(_ request: Request, _ user: User) async throws -> HandlerResult {
        let act = try request.body(PullActFields.self).checked()
        // The same key for the same request: its answer may be lost together with GitHub's.
        let id = request.headers["Idempotency-Key"].flatMap { $0.isEmpty ? nil : $0 }
        let result = try await services.pullActions.perform(
            act, id: id ?? Secret.make(bytes: 16), on: try PullKey(ofPage: request), for: user.userId)
        return .response(API.json(result))
    }
}

extension PullAct {
    /// What is hard to take back, or speaks for the whole pull request.
    var needsConfirmation: Bool {
        switch self {
        case .merge, .autoMerge, .close: true
        case .review(let review): review.verdict == .approve
        default: false
        }
    }
}
