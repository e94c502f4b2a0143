/// A sentence above the page about what has just been done, shown once.
struct NoticeView: Sendable {
    let text: String
    let isTrouble: Bool
    let undo: String?

    /// - Parameter undo: where the form that undoes it posts to; nil if it cannot be undone
    init(text: String, isTrouble: Bool = false, undo: String? = nil) {
        self.text = text
        self.isTrouble = isTrouble
        self.undo = undo
    }

    var noticeText: TimedText { TimedText(text) }
}
