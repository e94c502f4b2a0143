import RoostSupport

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
