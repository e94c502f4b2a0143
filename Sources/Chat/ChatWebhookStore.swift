import Accounts
import Foundation
package import GRDB
package import RoostSupport

/// Webhooks in SQLite: of an address only the hash.
package struct ChatWebhookStore: Sendable {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    private static let select =
        "SELECT id, conversation_id, name, token_hash, created_by, created_at, last_used_at FROM chat_webhooks"

    func webhooks(of conversation: ConversationID) async throws -> [ChatWebhook] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(sql: Self.select + " WHERE conversation_id = ? ORDER BY id"),
                arguments: [conversation]
            ).readable(Self.webhook)
        }
    }

    func webhook(tokenHash: [UInt8]) async throws -> ChatWebhook? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(sql: Self.select + " WHERE token_hash = ?"),
                arguments: [Data(tokenHash)]
            ).map(Self.webhook)
        }
    }

    /// Adds one; `limit` bounds how many a conversation has. Throws `RoostError.notFound` for a user who is no longer a
    /// member.
    func add(
        _ name: String, to conversation: ConversationID, tokenHash: [UInt8], by user: UserID, at now: Date,
        limit: Int
    ) async throws -> ChatWebhook {
        try await database.write { database in
            let isMember = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM chat_members WHERE conversation_id = ? AND user_id = ? AND left_seq IS NULL
                        )
                        """), arguments: [conversation, user])
            guard isMember == true else { throw ChatTransaction.isUnknown }
            let count = try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM chat_webhooks WHERE conversation_id = ?"),
                arguments: [conversation])
            guard (count ?? 0) < limit else {
                throw RoostError.invalid(
                    field: "name", why: "There can be \(limit) webhooks at most: withdraw one first.")
            }
            guard try !NamesakeRecord.isTaken(name, except: nil, in: database) else {
                throw RoostError.conflict(field: "name", why: "A member is called that.")
            }
            try database.execute(
                sql: """
                    INSERT INTO chat_webhooks (conversation_id, name, token_hash, created_by, created_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [conversation, name, Data(tokenHash), user, now.timeIntervalSince1970])
            return ChatWebhook(
                id: database.lastInsertedRowID, conversationId: conversation, name: name, createdBy: user,
                createdAt: now)
        }
    }

    /// False when the conversation has no such webhook.
    func remove(_ id: Int64, from conversation: ConversationID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM chat_webhooks WHERE id = ? AND conversation_id = ?",
                arguments: [id, conversation])
            return database.changesCount > 0
        }
    }

    func markUsed(_ id: Int64, at now: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE chat_webhooks SET last_used_at = ? WHERE id = ?",
                arguments: [now.timeIntervalSince1970, id])
        }
    }

    package static let stored = [
        StoredRows("chat_webhooks") { row in _ = (try webhook(row), try row.digest("token_hash")) }
    ]

    private static func webhook(_ row: Row) throws -> ChatWebhook {
        ChatWebhook(
            id: try row.id("id"), conversationId: try row.text("conversation_id"),
            name: try row.text("name"), createdBy: try row.id("created_by"),
            createdAt: try row.time("created_at"), lastUsedAt: try row.timeIfPresent("last_used_at"))
    }
}
