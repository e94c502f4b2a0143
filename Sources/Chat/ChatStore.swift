import GRDB
package import RoostSupport

package enum ChatStore {
    /// SQL for a conversation's stored id. Ids are UUIDs and compared without case.
    static let storedId = "(SELECT id FROM chat_conversations WHERE id = ? COLLATE NOCASE)"

    package static let stored = [
        StoredRows(
            "chat_conversations", ChatConversationStore.Record.self,
            others: ["last_seq", "pair", "created_seq"]
        ) { conversation, row in
            if conversation.id.isEmpty { throw ImpossibleValue(column: "id") }
            if conversation.messageCount < 0 { throw ImpossibleValue(column: "message_count") }
            _ = (
                try row.value("last_seq") as Int64, try row.textIfPresent("pair"),
                try row.value("created_seq") as Int64
            )
        },
        StoredRows("chat_members") { row in
            _ = (try row.id("user_id"), try row.text("conversation_id"), try row.time("joined_at"))
            _ = (try row.choice("notify") as ChatNotify, try row.value("is_admin") as Bool)
            let positions = ["joined_seq", "visible_after", "delivered_seq", "read_seq"]
            for position in positions { _ = try row.number(position, in: 0...Int.max) }
            for count in ["count_at_read", "own_since_read"] { _ = try row.number(count, in: 0...Int.max) }
        },
        StoredRows("chat_messages", ChatMessageRecord.self, ChatMessageRecord.check),
        StoredRows("chat_reactions") { row in
            _ = (try row.id("message_seq"), try row.id("user_id"), try row.text("emoji"))
        },
        StoredRows("chat_drafts") { row in
            _ = (
                try row.id("user_id"), try row.text("text", maximumBytes: Message.maximumTextBytes),
                try row.time("changed_at")
            )
        },
        StoredRows("chat_older_links") { _ = try $0.number("last_seq", in: 0...Int.max) },
        StoredRows("chat_log", ChatLogRecord.self, ids: ["seq"], others: ["at"]) { _, row in
            _ = try row.time("at")
        },
    ]
}

extension RoostError {
    static let unknownConversation = RoostError.notFound("There is no such conversation.")
    static let unknownMessage = RoostError.notFound("There is no such message.")
}
