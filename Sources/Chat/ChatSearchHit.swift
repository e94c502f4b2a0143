package import Foundation
package import TextFormats

/// A message that was found, with the part of its text that says why.
package struct ChatSearchHit: Equatable, Sendable, Identifiable {
    package let seq: Int64
    /// As its sender's program spelled it.
    package let messageId: String
    package let conversationId: ConversationID
    /// As in `Message`.
    package let senderId: String
    /// A bot's name, the person's, or "Former member".
    package let senderName: String?
    package let sentAt: Date
    /// The text, or the part of it around the first of the words.
    package let snippet: [SearchSnippet.Piece]
    /// Whether the text goes on before and behind the snippet.
    package let isCutBefore, isCutAfter: Bool
    package let file: MessageFile?
    /// As in `Message`; clients know it as `seq`.
    package var number = 0

    package var id: Int64 { seq }

    package init(
        seq: Int64, messageId: String, conversationId: ConversationID, senderId: String, senderName: String?,
        sentAt: Date,
        snippet: [SearchSnippet.Piece], isCutBefore: Bool = false, isCutAfter: Bool = false,
        file: MessageFile? = nil
    ) {
        self.seq = seq
        self.messageId = messageId
        self.conversationId = conversationId
        self.senderId = senderId
        self.senderName = senderName
        self.sentAt = sentAt
        self.snippet = snippet
        self.isCutBefore = isCutBefore
        self.isCutAfter = isCutAfter
        self.file = file
    }
}

/// What a search has found, the newest first.
package struct ChatSearchPage: Equatable, Sendable {
    package let hits: [ChatSearchHit]
    /// The next page's cursor; nil at the end.
    package let next: String?

    package init(hits: [ChatSearchHit], next: String?) {
        self.hits = hits
        self.next = next
    }
}

extension ChatSearchHit: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, seq, conversationId, senderId, senderName, sentAt, snippet, isCutBefore, isCutAfter, file
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(messageId, forKey: .id)
        try values.encode(number, forKey: .seq)
        try values.encode(conversationId, forKey: .conversationId)
        try values.encode(senderId, forKey: .senderId)
        try values.encodeIfPresent(senderName, forKey: .senderName)
        try values.encode(ISO8601.milliseconds(sentAt), forKey: .sentAt)
        try values.encode(snippet, forKey: .snippet)
        try values.encode(isCutBefore, forKey: .isCutBefore)
        try values.encode(isCutAfter, forKey: .isCutAfter)
        try values.encodeIfPresent(file, forKey: .file)
    }
}
