import Foundation
import GRDB
package import RoostSupport

/// Stores webhooks with only the hash of their secret.
package enum ChatWebhookStore {
    fileprivate static let select =
        "SELECT \(ChatWebhook.selection(of: "chat_webhooks")) FROM chat_webhooks"

    package static let stored = [
        StoredRows("chat_webhooks", ChatWebhook.self, others: ["token_hash"]) { _, row in
            _ = try row.digest("token_hash")
        }
    ]
}

extension Reads {
    func webhooks(of conversation: ConversationID) throws -> [ChatWebhook] {
        try database.rows(ChatWebhookStore.select + " WHERE conversation_id = ? ORDER BY id", [conversation])
            .readable { try ChatWebhook($0) }
    }

    func webhookCount(of conversation: ConversationID) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM chat_webhooks WHERE conversation_id = ?", [conversation]) ?? 0
    }

    func webhook(tokenHash: [UInt8]) throws -> ChatWebhook? {
        try database.row(ChatWebhookStore.select + " WHERE token_hash = ?", [Data(tokenHash)]).map {
            try ChatWebhook($0)
        }
    }
}

extension Writes {
    func addWebhook(
        _ name: String, to conversation: ConversationID, tokenHash: [UInt8], by user: UserID, at now: Date
    ) throws -> ChatWebhook {
        var webhook = ChatWebhook(
            id: 0, conversationId: conversation, name: name, createdBy: user, createdAt: now)
        webhook.id = try insert(
            webhook, into: "chat_webhooks", omitting: ["id"], keys: ["token_hash": Data(tokenHash)])
        return webhook
    }

    func removeWebhook(_ id: Int64, from conversation: ConversationID) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM chat_webhooks WHERE id = ? AND conversation_id = ?",
            arguments: [id, conversation])
        return database.changesCount > 0
    }

    func markWebhookUsed(_ id: Int64, at now: Date) throws {
        try database.execute(
            sql: "UPDATE chat_webhooks SET last_used_at = ? WHERE id = ?",
            arguments: [now.stored, id])
    }
}
