import Chat
import Foundation
import TextFormats

/// `/chat/search`: messages by their words, over one or all conversations.
struct ChatSearchView: PageView {
    struct Result: Sendable {
        let conversation, place: String
        let seq: Int
        let senderName: String
        let sentAt: Date
        let excerpt: SearchExcerpt

        var permalink: String { MessageView.permalink(seq, in: conversation) }
        var sentTime: String { ISO8601.seconds(sentAt) }
        var sentWords: String { "\(RelativeTime.day(sentAt)), \(RelativeTime.clock(sentAt))" }
    }

    let layout: LayoutView
    let query: String
    let conversationChoices, personChoices: [SelectOption]
    let before: String
    let hasImage: Bool
    /// Conversations whose names fit.
    let matches: [ConversationRow]
    let results: [Result]
    let nextAddress: String?
    /// Something was asked for.
    let isAsked: Bool
    var error: String?

    var hasMatches: Bool { !matches.isEmpty }
    var hasResults: Bool { !results.isEmpty }
    var isEmpty: Bool { isAsked && results.isEmpty && error == nil }
    var searchError: TimedText? { error.map(TimedText.init) }
}

extension SearchExcerpt {
    /// The name of the file where the message has no text.
    init(_ hit: ChatSearchHit) {
        let file = hit.file.map { [SearchSnippet.Piece(text: $0.name, isMatch: false)] }
        self.init(
            hit.snippet.isEmpty ? file ?? [] : hit.snippet, isCut: (hit.isCutBefore, hit.isCutAfter))
    }
}
