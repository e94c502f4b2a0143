import Chat
import Foundation
import RoostWeb
import TextFormats

/// `/chat/search`: full-text search in one or all conversations.
struct ChatSearchView: PageView {
    struct Result: Sendable {
        let conversation, conversationTitle: String
        let seq: Int
        let senderName: String
        let sentAt: Date
        let excerpt: SearchExcerpt

        var permalink: String { MessageView.permalink(seq, in: conversation) }
        var sentTime: String { ISO8601.seconds(sentAt) }
        var sentTimeText: String { "\(RelativeTime.day(sentAt)), \(RelativeTime.clock(sentAt))" }
    }

    let layout: LayoutView
    let query: String
    let conversationChoices, personChoices: [SelectOption]
    let before: String
    let hasImage: Bool
    let matches: [ConversationRow]
    let results: [Result]
    let nextAddress: String?
    let hasCriteria: Bool
    /// Whether older messages can't be found yet.
    let isIndexing: Bool
    var error: String?

    var hasMatches: Bool { !matches.isEmpty }
    var hasResults: Bool { !results.isEmpty }
    var isEmpty: Bool { hasCriteria && results.isEmpty && error == nil }
    var searchError: TimedText? { error.map(TimedText.init) }
}

extension SearchExcerpt {
    /// Shows the file's name if the message has no text.
    init(_ hit: ChatSearchHit) {
        let file = hit.file.map { [SearchSnippet.Piece(text: $0.name, isMatch: false)] }
        self.init(
            hit.snippet.isEmpty ? file ?? [] : hit.snippet, isCut: (hit.isCutBefore, hit.isCutAfter))
    }
}
