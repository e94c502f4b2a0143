import GitHub
import RoostSupport
import RoostWeb
import SourceCode
import TextFormats

/// All that a user may do to a pull request, at the end of its page: comment, review, merge, and change its state.
struct PullActsView: Sendable {
    struct DraftComment: Sendable {
        /// "Sources/App.swift, line 12".
        let location: String
        let body: String
        let removal: PullActForm
    }

    private(set) var comment: PullActForm
    private(set) var review: PullActForm?
    private(set) var discard: PullActForm?
    private(set) var draftComments: [DraftComment] = []
    /// The text of a draft that cannot be sent: a form shows it otherwise.
    private(set) var draftBody: String?
    /// The reader's name on GitHub. What is typed is kept for them.
    let login: String
    private(set) var merge: PullActForm?
    private(set) var reviewers: [PullActForm] = []
    private(set) var changes: [PullActForm] = []

    /// - Parameters:
    ///   - login: the user's own on GitHub
    ///   - account: the user's account that sees the pull request
    ///   - draft: the user's review that is not sent yet
    init(_ details: PullDetails, draft: PullReview?, login: String, account: GitHubAccountID?) {
        let key = details.key
        self.login = login
        comment = PullActForm("comment", key, as: account, buttons: [.init(act: .comment, text: "Comment")])
        comment.text = .init(label: "Comment", rows: 4)
        let isOpen = details.pull.state == nil || details.pull.state == .open
        let isOwn = details.pull.authorLogin.lowercased() == login.lowercased()
        if isOpen, !details.headCommit.isEmpty {
            review = Self.review(details, draft, isOwn: isOwn, account)
            merge = Self.merge(details, account)
        }
        if let draft {
            var discard = PullActForm(
                "discard", key, buttons: [.init(act: .discardDraft, text: "Discard draft", style: "subtle")])
            discard.hidden = [.init(name: "draft", value: draft.digest)]
            self.discard = discard
            draftComments = draft.comments.enumerated().map { Self.draftComment($1, at: $0, key) }
            if review == nil, !draft.body.isEmpty { draftBody = draft.body }
        }
        if isOpen { reviewers = Self.reviewers(details, account) }
        changes = Self.changes(details, isOpen: isOpen, account)
    }

    /// A draft stays visible when the pull request is closed: it may have the only copy of its text.
    var hasReview: Bool { review != nil || discard != nil }
    var isReviewClosed: Bool { review == nil && discard != nil }
    var hasMerge: Bool { merge != nil }
    var hasDraftComments: Bool { !draftComments.isEmpty }
    var hasChanges: Bool { !changes.isEmpty }
    var hasReviewers: Bool { !reviewers.isEmpty }
    /// The number of comments on lines that the review is sent with.
    var draftCommentCount: String? {
        switch draftComments.count {
        case 0: nil
        case 1: "1 comment on the code is part of this review."
        case let count: "\(count) comments on the code are part of this review."
        }
    }

    /// GitHub refuses an author's verdict on their own pull request.
    private static func review(
        _ details: PullDetails, _ draft: PullReview?, isOwn: Bool, _ account: GitHubAccountID?
    ) -> PullActForm? {
        let mayJudge = !isOwn && (details.permissions.canReview || details.hasLessDetail)
        let offered: [PullReview.Verdict] = mayJudge ? [.comment, .approve, .requestChanges] : [.comment]
        var form = PullActForm(
            "review", details.key, as: account,
            buttons: [
                .init(act: .review, text: "Send review", style: "button"),
                .init(act: .saveDraft, text: "Save draft"),
            ])
        form.head = details.headCommit
        form.text = .init(label: "Review", value: draft?.body ?? "", rows: 5, isRequired: false)
        form.verdicts = PullActForm.verdicts(draft?.verdict ?? .comment, of: offered)
        return form
    }

    private static func merge(_ details: PullDetails, _ account: GitHubAccountID?) -> PullActForm? {
        let methods = details.permissions.mergeMethods.compactMap(PullAct.MergeMethod.init)
        var buttons: [PullActForm.Button] = []
        if details.pull.isDraft != true, details.pull.mergeable != .conflicting {
            buttons.append(.init(act: .merge, text: "Merge…", style: "button"))
        }
        if details.permissions.canEnableAutoMerge {
            buttons.append(.init(act: .autoMerge, text: "Merge when ready…"))
        }
        guard !buttons.isEmpty, !methods.isEmpty else { return nil }
        var form = PullActForm("merge", details.key, as: account, buttons: buttons)
        form.head = details.headCommit
        form.methods = methods.enumerated().map {
            .init(value: $1.rawValue, text: $1.title, isChosen: $0 == 0)
        }
        return form
    }

    private static func draftComment(
        _ comment: PullReview.LineComment, at index: Int, _ key: PullKey
    ) -> DraftComment {
        let lines = comment.startLine.map { "lines \($0) to \(comment.line)" } ?? "line \(comment.line)"
        let location =
            InvisibleCharacters.visible(comment.path) + ", \(lines)"
            + (comment.isOnOldFile ? " before the change" : "")
        var removal = PullActForm(
            "remove-\(index)", key,
            buttons: [
                .init(
                    act: .removeLineComment, text: "Remove", style: "subtle",
                    label: "Remove the comment on \(location)")
            ])
        removal.hidden = [.init(name: "digest", value: comment.digest)]
        return DraftComment(location: location, body: comment.body, removal: removal)
    }

    /// One for each who has answered a request already.
    private static func reviewers(_ details: PullDetails, _ account: GitHubAccountID?) -> [PullActForm] {
        guard details.permissions.canUpdate else { return [] }
        return details.reviewers.filter { $0.verdict != .requested && $0.name != details.pull.authorLogin }
            .prefix(20).enumerated().map { index, reviewer in
                var form = PullActForm(
                    "again-\(index)", details.key, as: account,
                    buttons: [
                        .init(
                            act: .requestReview, text: "Ask \(reviewer.name.sanitized) again", style: "subtle"
                        )
                    ])
                form.hidden = [.init(name: "reviewer", value: reviewer.name)]
                return form
            }
    }

    private static func changes(
        _ details: PullDetails, isOpen: Bool, _ account: GitHubAccountID?
    ) -> [PullActForm] {
        guard details.permissions.canUpdate else { return [] }
        var acts: [(act: PullActKind, hasHead: Bool)] = []
        if isOpen {
            if details.pull.isDraft == true { acts.append((.markReady, false)) }
            if details.permissions.canUpdateBranch { acts.append((.updateBranch, true)) }
            if details.permissions.canDisableAutoMerge { acts.append((.stopAutoMerge, false)) }
            if details.checks.contains(where: { $0.state == .failed }) { acts.append((.rerunChecks, true)) }
            acts.append((.close, false))
        } else if details.pull.state == .closed {
            acts.append((.reopen, false))
        }
        return acts.map { act, hasHead in
            let text = act == .close ? "Close pull request…" : act.title
            var form = PullActForm(
                act.rawValue, details.key, as: account, buttons: [.init(act: act, text: text)])
            if hasHead { form.head = details.headCommit }
            return form
        }
    }
}

/// The forms below a conversation on the code: reply, and resolve or reopen.
struct PullReplyView: Sendable {
    let reply: PullActForm?
    let resolution: PullActForm?
    /// Chooses a conversation of the chat for a link to the thread.
    let shareAddress: String

    init(_ thread: PullDetails.Thread, of details: PullDetails, as account: GitHubAccountID?) {
        shareAddress = Self.shareAddress(of: thread, details.key)
        let number = thread.comments.first.flatMap { Self.number(of: $0.url) }
        reply = number.map { number in
            var form = PullActForm(
                "reply-\(thread.id)", details.key, as: account, buttons: [.init(act: .reply, text: "Reply")])
            form.hidden = [.init(name: "comment", value: "\(number)")]
            form.text = .init(label: "Reply", rows: 2)
            return form
        }
        // REST does not say whether a conversation is resolved, nor change it.
        guard !details.hasLessDetail else {
            resolution = nil
            return
        }
        let act = thread.isResolved ? PullActKind.unresolve : .resolve
        var form = PullActForm(
            "resolve-\(thread.id)", details.key, as: account,
            buttons: [.init(act: act, text: act.title, style: "subtle")])
        form.hidden = [.init(name: "thread", value: thread.id)]
        resolution = form
    }

    /// A text such as "`Sources/App.swift` line 12 /pulls/…", without the file if its name is very long.
    private static func shareAddress(of thread: PullDetails.Thread, _ key: PullKey) -> String {
        let link = key.page("", ["thread": thread.id]) + "#thread-\(PercentEncoding.encode(thread.id))"
        let place = PullThreadView.place(of: thread).map { " \($0)" } ?? ""
        let text = "`\(InvisibleCharacters.visible(thread.path))`\(place) \(link)"
        return ShareAddress.of(text.utf8.count < 1_000 ? text : link)
    }

    /// The number in "https://github.com/o/n/pull/1#discussion_r42".
    static func number(of url: String) -> Int? {
        url.firstMatch(of: #/#discussion_r([0-9]{1,18})$/#).flatMap { Int($0.1) }
    }
}
