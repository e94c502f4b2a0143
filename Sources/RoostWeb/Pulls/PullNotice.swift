import Foundation
import GitHub

/// What is said of an act on a pull request.
struct PullNotice {
    /// As it is after the act.
    let inbox: Inbox

    /// After a pull request was snoozed, muted or marked as done; nil if it is in the lists all the same.
    func hidden(_ key: PullKey) -> NoticeView? {
        guard let hidden = inbox.hidden.first(where: { $0.key == key }) else { return nil }
        let name = hidden.pull.map { "“\($0.title)”" } ?? key.short
        return NoticeView(text: "\(name): \(words(hidden.mark)).", undo: "/pulls/\(key.path)/restore")
    }

    /// After it was brought back; nil if it is hidden all the same.
    func restored(_ key: PullKey) -> NoticeView? {
        inbox.hidden.contains { $0.key == key } ? nil : NoticeView(text: "\(key.short) is back.")
    }

    /// Where GitHub cannot be asked again yet.
    var mustWait: NoticeView {
        let error = inbox.sources.lazy.compactMap(\.error).first
        return NoticeView(
            text: error?.message(source: "GitHub") ?? "GitHub was asked a moment ago: wait a little.",
            isTrouble: true)
    }

    private func words(_ mark: PullMark) -> String {
        mark.until.map { "snoozed, back \(RelativeTime.until($0, now: inbox.now))" } ?? mark.words
    }
}
