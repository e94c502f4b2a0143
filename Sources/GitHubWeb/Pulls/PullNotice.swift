import Foundation
import GitHub
import RoostWeb

struct PullNotice {
    /// The inbox after the action.
    let inbox: Inbox

    /// After snoozing, muting or marking as done; nil if the pull request is still in the lists.
    func hidden(_ key: PullKey) -> NoticeView? {
        guard let hidden = inbox.hidden.first(where: { $0.key == key }) else { return nil }
        let name = hidden.pull.map { "“\($0.title)”" } ?? key.short
        return NoticeView(text: "\(name): \(text(hidden.mark)).", undo: "/pulls/\(key.path)/restore")
    }

    /// After restoring; nil if the pull request is still hidden.
    func restored(_ key: PullKey) -> NoticeView? {
        inbox.hidden.contains { $0.key == key }
            ? nil : NoticeView(text: "\(key.short) is back in your inbox.")
    }

    var mustWait: NoticeView {
        let error = inbox.sources.lazy.compactMap(\.error).first
        return NoticeView(
            text: error?.message(source: "GitHub") ?? "Roost asked GitHub a moment ago. Try again shortly.",
            isProblem: true)
    }

    private func text(_ mark: PullMark) -> String {
        mark.until.map { "snoozed, back \(RelativeTime.until($0, now: inbox.now))" } ?? mark.text
    }
}
