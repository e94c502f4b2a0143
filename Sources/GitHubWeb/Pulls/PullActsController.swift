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
            guarded.acting.member(.post, pull + "/acts", scope: .acts, bodyLimit: Self.bodyLimit, act),
            guarded.acting.member(
                .post, "/api/v1" + pull + "/acts", query: ["host"], scope: .acts, bodyLimit: Self.bodyLimit,
                api: .answers(PullActResult.self, "Does something to a pull request on GitHub.").taking(
                    PullActFields.self, PullActFields.limits), actOfProgram),
        ]
    }

    private func act(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let key = try PullKey(ofPage: request)
        guard let kind = form["act"].flatMap(PullActKind.init) else {
            _ = try services.pullActions.account(for: key, of: user.userId)
            throw RoostError.invalid(field: "act", why: "Roost doesn’t know this act.")
        }
        do {
            do { _ = try services.pullActions.account(for: key, of: user.userId) } catch {
                // A page that is not there would not show what was typed.
                throw RoostError.conflict(field: "act", why: Failure(error).message)
            }
            if form[PullActView.unknown.name] != nil, form[PullActView.again.name] == nil {
                throw PullActError.unknown
            }
            guard let message = try await perform(kind, form, key, actor(user, request)) else {
                return .response(try await page(kind, key, Self.typed(form), isRefused: false, request, user))
            }
            let page = ReturnURL(form[ReturnURL.field], else: key.page()).address
            return site.redirect(to: page, showing: NoticeView(text: message), to: user)
        } catch {
            var refused = try FormError(
                error, form, keeping: PullActView.fields, limit: Self.bodyLimit, about: "act")
            if error as? RoostError == PullActError.unknown {
                refused.form.typed[PullActView.unknown.name] = PullActView.unknown.value
            }
            if refused.field == "account" {
                let account = try? services.pullActions.account(for: key, of: user.userId)
                refused.form.typed["account"] = account.map { "\($0.id)" }
            }
            return refused.answer(try await page(kind, key, refused.form, isRefused: true, request, user))
        }
    }

    /// Returns what was done, in words; nil if the user has to confirm it first.
    private func perform(
        _ kind: PullActKind, _ form: Form, _ key: PullKey, _ actor: PullActor
    ) async throws -> String? {
        let (actions, user) = (services.pullActions, actor.user)
        let fields = try PullActFields(form)
        let id = form["id"].flatMap { $0.isEmpty ? nil : $0 } ?? Secret.make(bytes: 16)
        let isConfirmed = form[PullActView.confirmation.name] == PullActView.confirmation.value
        switch kind {
        case .discardDraft:
            try await actions.discardDraft(form["draft"] ?? "", of: key, by: user)
            return "Draft discarded."
        case .lineComment:
            try await actions.addComment(
                Self.lineComment(form, id: id), head: form["head"] ?? "", to: key, by: user)
            return "Comment added to your review. Send the review to show it to others."
        case .removeLineComment:
            try await actions.removeComment(form["digest"] ?? "", from: key, by: user)
            return "Comment removed from your review."
        case .saveDraft:
            try await saveDraft(fields, key, user)
            return "Draft saved."
        default: break
        }
        let act = try fields.checked()
        guard !act.needsConfirmation || isConfirmed else {
            if kind == .review { try await saveDraft(fields, key, user) }
            return nil
        }
        return try await actions.perform(
            act, id: id, on: key, as: fields.accountID, usesDraft: kind == .review, by: actor
        ).message
    }

    private func actor(_ user: User, _ request: Request) -> PullActor {
        var token: String?
        if case .bearer(_, let found)? = request.context as? Visitor {
            token = found.name.isEmpty ? "token \(found.id)" : found.name
        }
        return PullActor(
            user: user.userId, name: user.username, token: token,
            client: site.visitors.origin(of: request))
    }

    private func saveDraft(_ fields: PullActFields, _ key: PullKey, _ user: UserID) async throws {
        let review = try fields.review()
        try await services.pullActions.saveDraft(
            review.verdict, body: review.body, head: review.head, of: key, by: user)
    }

    private static func lineComment(_ form: Form, id: String) throws -> PullReview.LineComment {
        let number = { (name: String) in form[name].flatMap { Int($0) } }
        return try PullActFields.lineComment(
            .init(
                path: form["path"] ?? "", line: number("line") ?? 0, startLine: number("startLine"),
                side: form["side"], body: form["body"] ?? ""), id: id)
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
        let fields = try request.body(PullActFields.self)
        let act = try fields.checked()
        // The same key for the same request: its answer may be lost together with GitHub's.
        let id = request.headers["Idempotency-Key"].flatMap { $0.isEmpty ? nil : $0 }
        let result = try await services.pullActions.perform(
            act, id: id ?? Secret.make(bytes: 16), on: try PullKey(ofPage: request), as: fields.accountID,
            by: actor(user, request))
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
