import GitHub
import RoostSupport
import RoostWeb

struct RepositoryErrorPanel: Sendable {
    let error: APIError
    let retry: String
    let keepsContent, isTrying: Bool
    let back: String

    /// - Parameters:
    ///   - retry: the address that "Try again" posts to
    ///   - keepsContent: whether older content is still shown
    init(_ error: APIError, retry: String, keepsContent: Bool, isTrying: Bool, back: String) {
        self.error = error
        self.retry = retry
        self.keepsContent = keepsContent
        self.isTrying = isTrying
        self.back = back
    }

    var message: TimedText { TimedText(error.message(source: "GitHub")) }

    static func budgetText(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? "searches" : "requests"
        return "\(NumberText.grouped(budget.remaining)) of \(NumberText.grouped(budget.limit)) \(what) left"
    }
}

extension RetryOutcome {
    /// Nil if the retry has started.
    var notice: NoticeView? {
        switch self {
        case .started: nil
        case .mustWait:
            NoticeView(text: "Roost cannot ask GitHub again yet. Try again shortly.", isProblem: true)
        }
    }
}
