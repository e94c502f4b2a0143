/// A sentence above the page about what has just been done, shown once.
package struct NoticeView: Sendable {
    package let text: String
    package let isTrouble: Bool
    package let undo: String?

    /// - Parameter undo: where the form that undoes it posts to; nil if it cannot be undone
    package init(text: String, isTrouble: Bool = false, undo: String? = nil) {
        self.text = text
        self.isTrouble = isTrouble
        self.undo = undo
    }

    package static let sample = NoticeView(
        text: "Dogecoin was removed from your watchlist.", undo: "/watchlist/dogecoin/undo")

    var noticeText: TimedText { TimedText(text) }
    var isNoticeTrouble: Bool { isTrouble }
}
