import Foundation
import HTTPServer
import RoostServices

/// What an act before this page did, told once; only words of ours, whatever the address says.
struct PullNotice {
    /// What was done with a pull request.
    enum Act: String {
        case away, restored
    }

    let inbox: Inbox

    func view(of request: Request) -> NoticeView? {
        if request.query["wait"] != nil { return wait }
        guard let path = request.query["key"], let key = PullKey(path: path),
            let did = request.query["did"].flatMap(Act.init)
        else { return nil }
        return view(of: did, key)
    }

    /// Nil where it is not so any longer.
    func view(of did: Act, _ key: PullKey) -> NoticeView? {
        let hidden = inbox.hidden.first { $0.key == key }
        switch (did, hidden) {
        case (.restored, nil): return NoticeView(text: "\(key.short) is back.")
        case (.away, let hidden?):
            let name = hidden.pull.map { "“\($0.title)”" } ?? key.short
            return NoticeView(text: "\(name): \(words(hidden.mark)).", undo: "/pulls/\(key.path)/restore")
        default: return nil
        }
    }

    private func words(_ mark: PullMark) -> String {
        mark.until.map { "snoozed, back \(RelativeTime.until($0, now: inbox.now))" } ?? mark.words
    }

    /// Why GitHub is not asked now.
    var wait: NoticeView {
        let source = inbox.sources.first { $0.error != nil }
        let text =
            source?.error?.message(source: "GitHub") ?? "GitHub was asked a moment ago: wait a little."
        return NoticeView(text: text, isTrouble: true)
    }
}
