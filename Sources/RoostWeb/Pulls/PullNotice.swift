import Foundation
import HTTPServer
import RoostServices

/// What an act before this page did, told once; only words of ours, whatever the address says.
struct PullNotice {
    /// What was done with a pull request.
    enum Act: String {
        case away, restored
    }

    let site: WebContext
    let pulls: PullService

    func view(of request: Request, for user: User) -> NoticeView? {
        if request.query["wait"] != nil { return wait(for: user) }
        guard let path = request.query["key"], let key = PullKey(path: path),
            let did = request.query["did"].flatMap(Act.init)
        else { return nil }
        return view(of: did, key, for: user)
    }

    /// Nil where it is not so any longer.
    func view(of did: Act, _ key: PullKey, for user: User) -> NoticeView? {
        let hidden = pulls.inbox(of: user.userId).hidden.first { $0.key == key }
        switch (did, hidden) {
        case (.restored, nil): return NoticeView(text: "\(key.short) is back.")
        case (.away, let hidden?):
            let name = hidden.pull.map { "“\($0.title)”" } ?? key.short
            return NoticeView(text: "\(name): \(words(hidden.mark)).", undo: "/pulls/\(key.path)/restore")
        default: return nil
        }
    }

    private func words(_ mark: PullMark) -> String {
        let now = site.services.clock.now()
        return mark.until.map { "snoozed, back \(RelativeTime.until($0, now: now))" } ?? mark.words
    }

    func wait(for user: User) -> NoticeView {
        let source = pulls.inbox(of: user.userId).sources.first { $0.error != nil }
        let text =
            source?.error?.message(source: "GitHub") ?? "GitHub was asked a moment ago: wait a little."
        return NoticeView(text: text, isTrouble: true)
    }
}
