/// One sentence about what has just been done, above the page, once.
package struct NoticeView: Sendable {
    package let text: String
    package let isTrouble: Bool
    package let undo: String?

    /// - Parameter undo: the address that a form posts to in order to take it back; nil where none can
    package init(text: String, isTrouble: Bool = false, undo: String? = nil) {
        self.text = text
        self.isTrouble = isTrouble
        self.undo = undo
    }

    package static let sample = NoticeView(
        text: "Dogecoin was removed from your watchlist.", undo: "/watchlist/dogecoin/undo")

    var noticeText: String { text }
    var isNoticeTrouble: Bool { isTrouble }
}
