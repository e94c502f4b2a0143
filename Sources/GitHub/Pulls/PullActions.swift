import Foundation
package import RoostSupport
import Synchronization
import TextFormats

/// Who acts, for the audit log.
package struct PullActor: Sendable {
    package let user: UserID
    let name: String
    /// The name of the API token, if a program acts.
    let token: String?
    let client: ClientInfo

    package init(user: UserID, name: String, token: String? = nil, client: ClientInfo) {
        self.user = user
        self.name = name
        self.token = token
        self.client = client
    }
}

/// Carries out users' acts on pull requests, each with the user's own account that sees the pull request.
///
/// Each act has an id, which is stored before the act is sent, and its result afterwards, for a day. So a double click, a
/// form that is sent again and a repeated request get the first result. After a crash or a lost answer no one knows
/// the result: the user has to look at GitHub.
package final class PullActions: Service {
    private struct State {
        var isStopped = false
        var running: [String: Task<PullActResult, any Error>] = [:]
    }

    /// An act on its way.
    private struct Order {
        let act: PullAct
        /// True for a review that is sent with the comments of its draft.
        let usesDraft: Bool
        let request: KeyedRequest
        let key: PullKey
        let account: GitHubAccount
        let actor: PullActor
    }

    private let pulls: PullService
    private let audit: AuditLog
    private let state = Mutex(State())

    package init(pulls: PullService, audit: AuditLog) {
        self.pulls = pulls
        self.audit = audit
    }

    /// Continues when the caller is cancelled.
    ///
    /// Throws `RoostError.notFound` if none of the user's accounts sees the pull request, `.invalid` with the field,
    /// `.conflict`, `.notAllowed` and `.tooMany` for what GitHub refuses, with its words, and `.unavailable` if GitHub
    /// did not answer.
    ///
    /// - Parameters:
    ///   - id: the same for repetitions of the same act
    ///   - account: the account that the user has seen; nil chooses one
    ///   - usesDraft: true for a review whose comments on lines are those of the user's draft
    package func perform(
        _ act: PullAct, id: String, on key: PullKey, as account: GitHubAccountID? = nil,
        usesDraft: Bool = false, by actor: PullActor
    ) async throws -> PullActResult {
        let act = usesDraft ? act : try act.checked()
        let account = try self.account(account, for: key, of: actor.user)
        guard let client = pulls.accounts.actClient(of: account.id) else {
            throw RoostError.notAllowed(
                "Your GitHub account is not connected. Connect it again in the settings.")
        }
        let request = try Self.request(act, id: id, on: key, for: actor.user)
        let order = Order(
            act: act, usesDraft: usesDraft, request: request, key: key, account: account, actor: actor)
        let task = try state.withLock { state in
            if let task = state.running[request.key] { return task }
            guard !state.isStopped else {
                throw RoostError.unavailable("Roost is stopping. Send this again in a moment.")
            }
            let task = Task { [self] in
                defer { self.state.withLock { $0.running[request.key] = nil } }
                // Its own rows say whether the act was sent, so a request's key must not join them.
                return try await FirstWrite.$current.withValue(nil) { try await perform(order, client) }
            }
            state.running[request.key] = task
            return task
        }
        return try await task.value
    }

    /// Refuses new acts, cancels those that wait for GitHub, and returns when all have ended. An act whose answer did
    /// not arrive stays unknown. Call it before the database is closed.
    package func stop() async {
        let running = state.withLock { state in
            state.isStopped = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        for task in running { _ = await task.result }
    }

    /// Throws `RoostError.notFound`.
    package func account(for key: PullKey, of user: UserID) throws -> GitHubAccount {
        guard key.isPossible, let account = pulls.account(for: key, of: user), account.userId == user else {
            throw RoostError.notFound("None of your GitHub accounts sees this pull request.")
        }
        return account
    }

    /// Throws `RoostError.conflict` if the user has no such account on the host any more: another one must not act in
    /// its place before the user knows.
    private func account(
        _ id: GitHubAccountID?, for key: PullKey, of user: UserID
    ) throws -> GitHubAccount {
        guard let id, key.isPossible else { return try account(for: key, of: user) }
        let own = pulls.accounts.accounts(of: user).first { account in
            account.id == id && account.host == key.host.lowercased() && account.state != .unauthenticated
        }
        if let own { return own }
        let other = try? account(for: key, of: user)
        throw RoostError.conflict(
            field: "account",
            why: "The GitHub account that the page showed is not connected any more."
                + (other.map { " If you send this again, your account \($0.login) does it." } ?? ""))
    }

    /// Another text with the same id is another act: a page from the browser's history has the same id.
    private static func request(
        _ act: PullAct, id: String, on key: PullKey, for user: UserID
    ) throws -> KeyedRequest {
        guard (1...255).contains(id.utf8.count) else {
            throw RoostError.invalid(field: "id", why: "Must have 1 to 255 characters.")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let digest = Secret.hash(
            "\(user)\n\(id)\n\(key.description.lowercased())\n\(String(decoding: try encoder.encode(act), as: UTF8.self))"
        )
        return KeyedRequest(
            key: "pull act " + Base64URL.encode(Data(digest)), user: user, parts: [digest])
    }

    private func perform(_ order: Order, _ client: any GitHubActClient) async throws -> PullActResult {
        let (database, request, now) = (pulls.database, order.request, pulls.clock.now())
        if let known = try await database.read({ try $0.keyedAnswer(to: request, at: now) }) {
            guard let known,
                let result = try? JSONDecoder().decode(PullActResult.self, from: Data(known.body))
            else { throw PullActError.unknown }
            return result
        }
        let act = order.usesDraft ? try await withDraft(order) : order.act
        try await database.write { try $0.begin(request, at: now) }
        var sender = PullActSender(act, on: order.key, client)
        let result: PullActResult
        do {
            result = try await sender.send()
        } catch {
            let hasBegun = sender.hasBegun
            let failure = error as? GitHubFailure
            let isUnknown = hasBegun && (failure.map(PullActError.isUnknown) ?? !(error is RoostError))
            // New tasks, because a cancelled one cannot write.
            await Task {
                if isUnknown {
                    await record(order, act, result: ", result unknown")
                } else {
                    try? await database.write { try $0.forget(request) }
                }
            }.value
            // A push, or a result that is unknown: the page shows how it is now.
            if hasBegun || error is RoostError { refresh(order) }
            throw isUnknown
                ? PullActError.unknown
                : failure.map { PullActError.refused($0, act, by: order.account) } ?? error
        }
        await Task {
            await store(result, of: act, order)
            await record(order, act)
        }.value
        refresh(order)
        return result
    }

    /// Keeps what was typed in the draft, so that it is not lost if GitHub refuses it. Returns the review to send.
    private func withDraft(_ order: Order) async throws -> PullAct {
        guard case .review(let typed) = order.act else { return order.act }
        let draft = try await saveDraft(
            typed.verdict, body: typed.body, head: typed.head, of: order.key, by: order.actor.user)
        // A review is about one commit. An approval must be about the one that the user sees.
        guard draft.verdict != .approve || draft.comments.isEmpty || draft.head == typed.head else {
            throw RoostError.conflict(
                field: "verdict",
                why: "Your comments on the code are about an older commit. Send them with “Comment” first, "
                    + "then approve.")
        }
        return try PullAct.review(draft).checked()
    }

    /// The act has happened, even if this fails.
    private func store(_ result: PullActResult, of act: PullAct, _ order: Order) async {
        let (user, key, now) = (order.actor.user, order.key, pulls.clock.now())
        do {
            let body = Array(try JSONEncoder().encode(result))
            try await pulls.database.write { writes in
                try writes.end(
                    order.request, with: KeyedAnswer(status: 200, headers: [], body: body), at: now)
                // A draft that was changed in the meantime stays.
                if case .review(let sent) = act, try writes.pullReviewDraft(of: key, by: user) == sent {
                    try writes.removePullReviewDraft(of: key, by: user)
                }
            }
        } catch {
            pulls.log.databaseFailure("The result of an act on a pull request could not be saved", error)
        }
    }

    private func record(_ order: Order, _ act: PullAct, result: String = "") async {
        let token = order.actor.token.map { ", by the token “\($0)”" } ?? ""
        await audit.record(
            .pullAct, actor: order.actor.name, from: order.actor.client,
            detail: "\(act.name), \(order.key)\(token)\(result)")
    }

    private func refresh(_ order: Order) {
        pulls.refreshDetails(of: order.key, for: order.actor.user)
        pulls.refreshSoon(order.account.id)
    }

    package var userData: [UserData] {
        [.deleted("Drafts of reviews of pull requests", from: ["pull_review_drafts"])]
    }
}

// MARK: Drafts of reviews

extension PullActions {
    package func draft(_ reads: Reads, of key: PullKey, by user: UserID) throws -> PullReview? {
        try reads.pullReviewDraft(of: key, by: user)
    }

    /// Keeps the verdict and the text of a review that is not sent yet, next to its comments on lines. Returns the
    /// draft. Throws `RoostError.invalid` and `.notFound`.
    @discardableResult
    package func saveDraft(
        _ verdict: PullReview.Verdict, body: String, head: String, of key: PullKey, by user: UserID
    ) async throws -> PullReview {
        try await change(key, by: user) { draft in
            draft.verdict = verdict
            draft.body = body
            // Comments on lines belong to the commit whose lines they are.
            if draft.comments.isEmpty || draft.head.isEmpty { draft.head = head }
        }
    }

    /// Throws `RoostError.invalid` and `.notFound`, and `.conflict` if the draft's other comments are on another commit.
    @discardableResult
    package func addComment(
        _ comment: PullReview.LineComment, head: String, to key: PullKey, by user: UserID
    ) async throws -> PullReview {
        try await change(key, by: user) { draft in
            guard draft.comments.isEmpty || draft.head == head else {
                throw RoostError.conflict(
                    field: "head",
                    why: "Your draft has comments on lines of an older commit. Send or discard it first.")
            }
            // A form that is sent twice.
            guard comment.id == nil || !draft.comments.contains(where: { $0.id == comment.id }) else {
                return
            }
            draft.head = try PullAct.commit(head)
            draft.comments.append(comment)
        }
    }

    /// Does nothing if it was removed already. Throws `RoostError.notFound`.
    ///
    /// - Parameter digest: the comment's
    @discardableResult
    package func removeComment(
        _ digest: String, from key: PullKey, by user: UserID
    ) async throws -> PullReview {
        try await change(key, by: user) { draft in
            if let index = draft.comments.firstIndex(where: { $0.digest == digest }) {
                draft.comments.remove(at: index)
            }
        }
    }

    /// Does nothing without a draft. Throws `RoostError.notFound` if none of the user's accounts sees the pull request, and
    /// `.conflict` if the draft is another one than the user has seen.
    ///
    /// - Parameter digest: the draft's
    package func discardDraft(_ digest: String, of key: PullKey, by user: UserID) async throws {
        _ = try account(for: key, of: user)
        try await pulls.database.write { [topic = pulls.topic(of: key, for: user)] writes in
            guard let draft = try writes.pullReviewDraft(of: key, by: user) else { return }
            guard draft.digest == digest else {
                throw RoostError.conflict(
                    field: "draft",
                    why: "Your draft was changed after the page was loaded. Look at it, then discard it.")
            }
            try writes.removePullReviewDraft(of: key, by: user)
            writes.publish(topic)
        }
    }

    private func change(
        _ key: PullKey, by user: UserID, _ change: @escaping @Sendable (inout PullReview) throws -> Void
    ) async throws -> PullReview {
        _ = try account(for: key, of: user)
        return try await pulls.database.write {
            [now = pulls.clock.now(), topic = pulls.topic(of: key, for: user)] writes in
            var draft = try writes.pullReviewDraft(of: key, by: user) ?? PullReview()
            try change(&draft)
            draft = try draft.checked(isSent: false)
            if draft.isEmpty, draft.verdict == .comment {
                try writes.removePullReviewDraft(of: key, by: user)
            } else {
                try writes.putPullReviewDraft(draft, of: key, by: user, at: now)
            }
            writes.publish(topic)
            return draft
        }
    }
}
