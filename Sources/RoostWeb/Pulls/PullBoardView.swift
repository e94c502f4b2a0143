import Foundation
import GitHub

/// `/pulls/rows`: all of the inbox that keeps itself up to date.
struct PullBoardView: Sendable {
    let lists: PullListsView
    let back: String
    let sources: [PullSourceView]
    let isConnected: Bool

    /// - Parameter back: path and query of the page, for acts to come back to
    init(
        sources: [InboxSource], lists: PullListsView, back: String = "/pulls", now: Date
    ) {
        self.lists = lists
        self.back = back
        isConnected = !sources.isEmpty
        self.sources = sources.map {
            PullSourceView($0, isOnly: sources.count == 1, back: back, now: now)
        }
    }
}
