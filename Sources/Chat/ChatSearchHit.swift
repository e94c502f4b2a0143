package import Foundation
import RoostSupport
package import TextFormats

package struct ChatSearchHit: Equatable, Sendable, Identifiable {
    package let seq: Int64
    package let messageId: String
    package let conversationId: ConversationID
    package let senderId: String
    /// The name of a bot or person, or "Former member".
    package let senderName: String?
    package let sentAt: Date
    /// The text, or its part around the first match.
    package let snippet: [SearchSnippet.Piece]
    /// Whether text before or after the snippet is left out.
    package var isCutBefore = false, isCutAfter = false
    package var file: MessageFile?
    /// As in `Message`; clients know it as `seq`.
    package var number = 0

    package var id: Int64 { seq }
}

/// Matches, newest first.
/// A page's last hit: its conversation and number, which clients know. Its seq must stay secret.
package struct ChatSearchPosition: Codable, Equatable, Sendable {
    let conversation: ConversationID
    let number: Int
}

package struct ChatSearchPage: Equatable, Sendable {
    package let hits: [ChatSearchHit]
    package let next: ChatSearchPosition?

    package init(hits: [ChatSearchHit], next: ChatSearchPosition?) {
        self.hits = hits
        self.next = next
    }
}

extension ChatSearchHit: JSONExamples {
    package static var examples: [ChatSearchHit] {
        [
            ChatSearchHit(
                seq: 0, messageId: "", conversationId: "", senderId: "", senderName: nil,
                sentAt: Date(timeIntervalSince1970: 0), snippet: [])
        ]
    }

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
        try values.encode(ISO8601.seconds(sentAt), forKey: .sentAt)
        try values.encode(snippet, forKey: .snippet)
        try values.encode(isCutBefore, forKey: .isCutBefore)
        try values.encode(isCutAfter, forKey: .isCutAfter)
        try values.encodeIfPresent(file, forKey: .file)
    }
}
