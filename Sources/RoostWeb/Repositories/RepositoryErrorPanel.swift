import GitHub
import RoostSupport

/// Something that went wrong with GitHub, in the place it concerns, with when and how it may be tried again.
struct RepositoryErrorPanel: Sendable {
    private let error: APIError
    let retry: String
    let keepsContent, isTrying: Bool
    let back: String

    /// - Parameters:
    ///   - retry: the address that "Try again" posts to
    ///   - keepsContent: something is shown all the same
    ///   - isTrying: it is being tried again
    ///   - back: path and query of the page, to come back to
    init(_ error: APIError, retry: String, keepsContent: Bool, isTrying: Bool, back: String) {
        self.error = error
        self.retry = retry
        self.keepsContent = keepsContent
        self.isTrying = isTrying
        self.back = back
    }

    var trouble: TimedText { TimedText(error.message(source: "GitHub")) }
    var advice: String? { error.recoverySuggestion }
    var authorizationAddress: String? { error.authorizationURL }

    /// "43 of 60 requests left".
    static func words(_ budget: RateBudget) -> String {
        let what = budget.resource == "search" ? "searches" : "requests"
        return "\(NumberText.grouped(budget.remaining)) of \(NumberText.grouped(budget.limit)) \(what) left"
    }
}

extension RetryOutcome {
    /// Says that GitHub cannot be asked yet; nil once it is asked.
    var notice: NoticeView? {
        switch self {
        case .started: nil
        case .mustWait:
            NoticeView(text: "GitHub cannot be asked again just yet: wait a little.", isTrouble: true)
        }
    }
}
