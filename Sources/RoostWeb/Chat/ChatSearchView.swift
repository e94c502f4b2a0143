import Chat
import Foundation
import TextFormats

/// `/chat/search`: messages by their words, over one or all conversations.
package struct ChatSearchView: PageView {
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

    package let layout: LayoutView
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

    package static let sample = ChatSearchView(
        layout: .sample, query: "clock", conversationChoices: [.init(value: "", text: "All", isChosen: true)],
        personChoices: [.init(value: "", text: "Anybody", isChosen: true)], before: "", hasImage: true,
        matches: ConversationRow.samples,
        results: [
            Result(
                conversation: MessageView.sampleConversation, place: "Release 2.0", seq: 12,
                senderName: "Grace Hopper", sentAt: .sample,
                excerpt: SearchExcerpt([
                    .init(text: "the ", isMatch: false), .init(text: "clock", isMatch: true),
                    .init(text: " goes through", isMatch: false),
                ]))
        ], nextAddress: "/chat/search?q=clock&cursor=c", isAsked: true, error: "Try other words.")
}

extension SearchExcerpt {
    /// The name of the file where the message has no text.
    init(_ hit: ChatSearchHit) {
        let file = hit.file.map { [SearchSnippet.Piece(text: $0.name, isMatch: false)] }
        self.init(
            hit.snippet.isEmpty ? file ?? [] : hit.snippet, isCut: (hit.isCutBefore, hit.isCutAfter))
    }
}
