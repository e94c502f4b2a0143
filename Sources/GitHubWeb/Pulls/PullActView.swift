import GitHub
import RoostSupport
import RoostWeb

/// The answer to a form that needs a second look: an act to confirm, or one that was refused, with what was typed.
struct PullActView: PageView, Sendable {
    let layout: LayoutView
    let kind: PullActKind
    let title: String
    /// "apple/swift-nio #7".
    let pullName: String
    let pullAddress: String
    let message: String?
    /// Nil if sending it again is of no use before the user has seen what is new.
    let form: PullActForm?

    /// Fields that are kept and shown again.
    static let fields = [
        "body", "head", "method", "verdict", "comment", "thread", "reviewer", "path", "line", "startLine",
        "side", "back", "digest", "draft", "account", unknown.name, again.name,
    ]
    static let confirmation = (name: "confirmed", value: "yes")
    /// The result of the same act is unknown.
    static let unknown = (name: "unknown", value: "yes")
    /// The user has looked at GitHub, and wants to send it although the first result is unknown.
    static let again = (name: "again", value: "yes")

    var hasForm: Bool { form != nil }

    /// - Parameter isRefused: false to ask for confirmation
    init(layout: LayoutView, _ kind: PullActKind, _ key: PullKey, _ state: FormState, isRefused: Bool) {
        self.layout = layout
        self.kind = kind
        pullName = "\(key.owner)/\(key.name) #\(key.number)"
        pullAddress = key.page()
        let verdict = state.typed["verdict"].flatMap(PullReview.Verdict.init)
        let method = state.typed["method"].flatMap(PullAct.MergeMethod.init)
        let button =
            switch kind {
            case .merge: method?.title ?? kind.title
            case .review where !isRefused: verdict?.title ?? kind.title
            default: kind.title
            }
        title = isRefused ? kind.title : "\(button)?"
        // A comment on lines is kept nowhere else.
        let isOutdated =
            state.fieldErrors["head"] != nil && kind != .lineComment || state.fieldErrors["draft"] != nil
        let errors = state.fieldErrors.filter { !kind.hasText || $0.key != "body" }.map(\.value).sorted()
        let sentences = [state.error].compactMap(\.self) + errors
        let error = sentences.isEmpty ? nil : sentences.joined(separator: " ")
        message = isOutdated ? error : isRefused ? nil : Self.question(kind, state)
        guard !isOutdated else {
            form = nil
            return
        }
        var form = PullActForm(
            "act", key,
            buttons: [.init(act: kind, text: button, style: kind == .close ? "button danger" : "button")])
        form.error = isRefused ? error : nil
        form.head = state.typed["head"]
        form.account = state.typed["account"]
        form.isAgain = isRefused && state.typed[Self.unknown.name] != nil
        form.hidden = Self.hidden(kind, state, isRefused: isRefused)
        if kind.hasText {
            form.text = .init(
                label: kind.isReview ? "Review" : "Text", value: state.typed["body"] ?? "",
                error: state.fieldErrors["body"], rows: 8, isRequired: !kind.isReview)
        }
        if kind == .lineComment {
            form.lines = .init(
                path: state.typed["path"] ?? "", startLine: state.typed["startLine"] ?? "",
                line: state.typed["line"] ?? "", isOld: state.typed["side"] == "old")
        }
        if kind.isReview, isRefused {
            form.verdicts = PullActForm.verdicts(verdict ?? .comment, of: PullReview.Verdict.allCases)
        }
        self.form = form
    }

    /// Whatever the form does not show. A confirmation is valid for what was shown: a refused act asks for it again.
    private static func hidden(
        _ kind: PullActKind, _ state: FormState, isRefused: Bool
    ) -> [PullActForm.Hidden] {
        var shown: Set<String> = kind.hasText ? ["body", "head", "account"] : ["head", "account"]
        if isRefused { shown.insert(again.name) }
        if kind.isReview, isRefused { shown.insert("verdict") }
        if kind == .lineComment { shown.formUnion(["path", "line", "startLine", "side"]) }
        let kept = fields.filter { !shown.contains($0) }.compactMap { name in
            state.typed[name].map { PullActForm.Hidden(name: name, value: $0) }
        }
        return kept + (isRefused ? [] : [.init(name: confirmation.name, value: confirmation.value)])
    }

    private static func question(_ kind: PullActKind, _ state: FormState) -> String? {
        let head =
            state.typed["head"].map { " at commit \(String($0.unicodeScalars.prefix(7)).sanitized)" } ?? ""
        return switch kind {
        case .merge: "This merges the pull request\(head) on GitHub. It can’t be undone from Roost."
        case .autoMerge: "GitHub merges the pull request\(head) as soon as its reviews and checks allow it."
        case .close: "This closes the pull request without merging it. You can reopen it."
        case .review: "You approve the pull request\(head)."
        default: nil
        }
    }
}
