import GRDB
package import RoostSupport

/// What monitoring shows of the chat.
package struct ChatFigures: Sendable, Equatable {
    package let groups: Int
    /// Conversations of two people.
    package let pairs: Int
    /// In all conversations, without deleted conversations.
    package let messages: Int
}

extension ChatService {
    package func figures(_ reads: Reads) throws -> ChatFigures {
        let row = try reads.database.row(
            """
            SELECT count(*) FILTER (WHERE is_group = 1), count(*) FILTER (WHERE is_group = 0),
                coalesce(sum(message_count), 0)
            FROM chat_conversations
            """)
        return ChatFigures(groups: row?[0] ?? 0, pairs: row?[1] ?? 0, messages: row?[2] ?? 0)
    }
}
