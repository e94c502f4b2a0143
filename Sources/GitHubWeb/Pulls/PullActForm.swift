import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// What a form about a pull request does: acts on GitHub, and changes of the user's draft of a review.
enum PullActKind: String, CaseIterable, Sendable {
    case comment, reply, resolve, unresolve, review, requestReview, merge, autoMerge, stopAutoMerge
    case updateBranch, markReady, close, reopen, rerunChecks
    case saveDraft, discardDraft, lineComment, removeLineComment

    var title: String {
        switch self {
        case .comment: "Comment"
        case .reply: "Reply"
        case .resolve: "Resolve conversation"
        case .unresolve: "Reopen conversation"
        case .review: "Send review"
        case .requestReview: "Request review again"
        case .merge: "Merge"
        case .autoMerge: "Merge when ready"
        case .stopAutoMerge: "Turn off auto-merge"
        case .updateBranch: "Update branch"
        case .markReady: "Mark as ready for review"
        case .close: "Close pull request"
        case .reopen: "Reopen pull request"
        case .rerunChecks: "Run failed checks again"
        case .saveDraft: "Save draft"
        case .discardDraft: "Discard draft"
        case .lineComment: "Add to review"
        case .removeLineComment: "Remove comment"
        }
    }

    var hasText: Bool { isReview || [.comment, .reply, .lineComment].contains(self) }
    var isReview: Bool { self == .review || self == .saveDraft }
}

extension PullAct.MergeMethod {
    var title: String {
        switch self {
        case .merge: "Create a merge commit"
        case .squash: "Squash and merge"
        case .rebase: "Rebase and merge"
        }
    }
}

extension PullReview.Verdict {
    var title: String {
        switch self {
        case .comment: "Comment"
        case .approve: "Approve"
        case .requestChanges: "Request changes"
        }
    }
}

/// A form that posts one act. Its id makes sure that the act is carried out once, however often it is sent.
struct PullActForm: Sendable {
    struct Hidden: Sendable {
        let name, value: String
    }

    struct Text: Sendable {
        let label: String
        var value = ""
        var error: String?
        var rows = 4
        var isRequired = true

        var textError: TimedText? { error.map(TimedText.init) }
    }

    /// The lines of a file that a comment is about.
    struct Lines: Sendable {
        let path: String
        var startLine = ""
        var line = ""
        var isOld = false
    }

    struct Option: Sendable {
        let value, text: String
        let isChosen: Bool
    }

    struct Button: Sendable {
        let act: PullActKind
        let text: String
        var style = "button secondary"
        /// Tells buttons of one text apart.
        var label: String?
    }

    let name: String
    /// Unique on its page and for its pull request: what is typed for one must not appear in the form of another when
    /// a script exchanges them.
    let elementID: String
    let address: String
    /// Random, so that a repeated request is recognised.
    let id = Secret.make(bytes: 16)
    var label: String?
    /// The id of the user's account that acts; the one that the page shows.
    var account: String?
    /// True to act again although the first result is unknown, which takes a tick.
    var isAgain = false
    /// The commit that the user sees. A page that is refreshed while someone writes keeps it, so that GitHub refuses
    /// what is about another commit.
    var head: String?
    var hidden: [Hidden] = []
    var lines: Lines?
    var text: Text?
    var verdicts: [Option] = []
    var methods: [Option] = []
    let buttons: [Button]
    var error: String?

    init(_ name: String, _ key: PullKey, as account: GitHubAccountID? = nil, buttons: [Button]) {
        self.name = name
        self.account = account.map { "\($0)" }
        elementID = "\(name)-\(key.path)"
        address = key.page("/acts")
        self.buttons = buttons
    }

    var formError: TimedText? { error.map(TimedText.init) }
    /// For scripts.
    var kind: String { buttons.first?.act.rawValue ?? "" }
    var hasVerdicts: Bool { !verdicts.isEmpty }
    var hasMethods: Bool { !methods.isEmpty }
    /// Above GitHub's limit, so that the browser cuts nothing off without a word. In UTF-16 units.
    var textLimit: Int { 3 * PullAct.maximumText }

    /// A comment on lines of a file's diff, for the review.
    static func comment(on path: String, _ key: PullKey, head: String) -> PullActForm {
        var form = PullActForm(
            "line-\(PercentEncoding.encode(path))", key,
            buttons: [.init(act: .lineComment, text: PullActKind.lineComment.title)])
        form.label = "Comment on lines of \(path.sanitized)"
        form.head = head
        form.hidden = [Hidden(name: ReturnURL.field, value: key.page("/files"))]
        form.lines = Lines(path: path)
        form.text = Text(label: "Comment", rows: 3)
        return form
    }

    static func verdicts(_ chosen: PullReview.Verdict, of offered: [PullReview.Verdict]) -> [Option] {
        offered.map { Option(value: $0.rawValue, text: $0.title, isChosen: $0 == chosen) }
    }
}
