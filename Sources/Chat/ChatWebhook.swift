package import Foundation
package import RoostSupport
import TextFormats

/// A secret address for posting to one conversation under a fixed name.
package struct ChatWebhook: Equatable, Sendable, Identifiable {
    package internal(set) var id: Int64
    package private(set) var conversationId: ConversationID
    package private(set) var name: String
    /// A member of the conversation. The webhook is deleted when the membership ends.
    package private(set) var createdBy: UserID
    package private(set) var createdAt: Date
    /// To the minute.
    package var lastUsedAt: Date?
}

extension ChatWebhook: ColumnRecord {
    package init() {
        self.init(id: 0, conversationId: "", name: "", createdBy: 0, createdAt: .distantPast)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("conversation_id", &conversationId)
        try columns.column("name", &name)
        try columns.column("created_by", &createdBy)
        try columns.column("created_at", &createdAt)
        try columns.column("last_used_at", &lastUsedAt)
    }
}

extension ChatWebhook: JSONExamples {
    package static var examples: [ChatWebhook] { [ChatWebhook()] }

    private enum CodingKeys: String, CodingKey {
        case id, conversationId, name, createdBy, createdAt, lastUsedAt
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(String(id), forKey: .id)
        try values.encode(conversationId, forKey: .conversationId)
        try values.encode(name, forKey: .name)
        try values.encode(JSONUserID(createdBy), forKey: .createdBy)
        try values.encode(ISO8601.seconds(createdAt), forKey: .createdAt)
        try values.encodeIfPresent(lastUsedAt.map(ISO8601.seconds), forKey: .lastUsedAt)
    }
}
