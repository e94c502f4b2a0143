package import Foundation
package import RoostSupport
import TextFormats

/// A secret address at which a program posts to one conversation, under a name of its own.
package struct ChatWebhook: Equatable, Sendable, Identifiable {
    package let id: Int64
    package let conversationId: ConversationID
    /// What its messages are signed with.
    package let name: String
    /// A member of the conversation: the webhook ends with the membership.
    package let createdBy: UserID
    package let createdAt: Date
    /// To the minute.
    package let lastUsedAt: Date?

    package init(
        id: Int64, conversationId: ConversationID, name: String, createdBy: UserID, createdAt: Date,
        lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.conversationId = conversationId
        self.name = name
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

extension ChatWebhook: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, conversationId, name, createdBy, createdAt, lastUsedAt
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(String(id), forKey: .id)
        try values.encode(conversationId, forKey: .conversationId)
        try values.encode(name, forKey: .name)
        try values.encode(JSONUserID(createdBy), forKey: .createdBy)
        try values.encode(ISO8601.milliseconds(createdAt), forKey: .createdAt)
        try values.encodeIfPresent(lastUsedAt.map(ISO8601.milliseconds), forKey: .lastUsedAt)
    }
}
