import Foundation
import GRDB
import RoostSupport

/// How far members have received and read messages.
enum ChatReceiptStore {
    struct Position {
        let seq: Int64
        let number: Int
    }
}

extension Reads {
    func receipts(of message: Message) throws -> [MessageReceipt] {
        let seq = message.seq
        return try database.rows(
            """
            SELECT member.user_id, shown_name, username, member.delivered_seq, member.read_seq
            FROM chat_members AS member JOIN users ON users.id = member.user_id
            WHERE member.conversation_id = ?1 AND member.joined_seq < ?2
                AND (member.left_seq IS NULL OR member.left_seq > ?2)
                AND CAST(member.user_id AS TEXT) <> ?3
            ORDER BY shown_name COLLATE NOCASE, member.user_id
            """, [message.conversationId, seq, message.senderId]
        ).readable { row in
            let (delivered, read): (Int64, Int64) = (
                try row.value("delivered_seq"), try row.value("read_seq")
            )
            return MessageReceipt(
                userId: try row.id("user_id"),
                name: try row.text("shown_name"), username: try row.text("username"),
                status: read >= seq ? .read : delivered >= seq ? .delivered : .sent)
        }
    }
}

extension Writes {
    /// Sets the position up to which a member has read everything. It may move back.
    ///
    /// - Returns: the number of the last message read, and how many the user has sent since
    func setRead(_ membership: ChatMembership, to seq: Int64) throws -> (number: Int, own: Int) {
        let id = membership.conversationId
        let count =
            try database.value(
                Int.self,
                """
                SELECT number FROM chat_messages WHERE conversation_id = ? AND seq <= ?
                ORDER BY seq DESC LIMIT 1
                """, [id, seq]) ?? 0
        let own =
            try database.value(
                Int.self,
                """
                SELECT count(*) FROM chat_messages WHERE conversation_id = ? AND sender_key = ? AND seq > ?
                """, [id, String(membership.userId), seq]) ?? 0
        try execute(
            """
            UPDATE chat_members
            SET read_seq = ?1, delivered_seq = max(delivered_seq, ?1), count_at_read = ?2, own_since_read = ?3
            WHERE id = ?4
            """, [seq, count, own, membership.rowId])
        return (count, own)
    }

    /// Sets the log position up to which a user has received messages.
    ///
    /// - Returns: the previous position in each conversation that has newer messages
    func setDelivered(upTo position: Int64, of user: UserID) throws -> [ConversationID: Int64] {
        let rows = try database.rows(
            """
            SELECT member.id, member.conversation_id, member.delivered_seq,
                min(conversation.last_message_seq, ?1) AS reached
            FROM chat_members AS member
            JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
            WHERE member.user_id = ?2 AND member.left_seq IS NULL
                AND member.delivered_seq < min(conversation.last_message_seq, ?1)
            """, [position, user])
        var previous: [ConversationID: Int64] = [:]
        for row in rows {
            previous[try row.text("conversation_id")] = try row.value("delivered_seq")
            try execute(
                "UPDATE chat_members SET delivered_seq = ? WHERE id = ?",
                [try row.value("reached") as Int64, try row.id("id")])
        }
        return previous
    }

    /// Stamps messages after a position that have just been delivered to, or read by, everyone who was a member when
    /// they were sent.
    ///
    /// Members read in order, so the slowest member's position is the end of what everyone has read. For that member's
    /// own messages the second slowest decides. Messages that a former member received but did not read stay unstamped.
    ///
    /// - Parameter status: `.delivered` or `.read`
    func stampCompleted(
        _ status: MessageStatus, in id: ConversationID, after start: Int64, at now: Date
    ) throws -> [ChatReceiptStore.Position] {
        let name = status.rawValue
        let slowest = try database.rows(
            """
            SELECT user_id, \(name)_seq AS position FROM chat_members
            WHERE conversation_id = ? AND left_seq IS NULL ORDER BY \(name)_seq LIMIT 2
            """, [id])
        guard slowest.count == 2 else { return [] }
        let positions: [Int64] = try slowest.map { try $0.value("position") }
        var stamped: [ChatReceiptStore.Position] = []
        if positions[0] > start { stamped += try stamp(name, in: id, (start, positions[0]), nil, at: now) }
        if positions[1] > max(start, positions[0]) {
            stamped += try stamp(
                name, in: id, (max(start, positions[0]), positions[1]), slowest[0].id("user_id"), at: now)
        }
        return stamped.sorted { $0.seq < $1.seq }
    }

    /// - Parameters:
    /// - range: exclusive start, inclusive end
    /// - sender: nil for all
    private func stamp(
        _ status: String, in id: ConversationID, _ range: (after: Int64, upTo: Int64), _ sender: UserID?,
        at now: Date
    ) throws -> [ChatReceiptStore.Position] {
        var sql = """
            UPDATE chat_messages SET \(status)_at = ?1, delivered_at = coalesce(delivered_at, ?1)
            WHERE conversation_id = ?2 AND seq > ?3 AND seq <= ?4 AND \(status)_at IS NULL
                AND EXISTS (
                    SELECT 1 FROM chat_members AS other INDEXED BY chat_members_now
                    WHERE other.conversation_id = ?2 AND other.left_seq IS NULL
                        AND other.joined_seq < chat_messages.seq
                        AND other.user_id IS NOT chat_messages.sender_id)
                AND NOT EXISTS (
                    SELECT 1 FROM chat_members AS gone
                    WHERE gone.conversation_id = ?2 AND gone.left_seq > chat_messages.seq
                        AND gone.joined_seq < chat_messages.seq AND gone.\(status)_seq < chat_messages.seq
                        AND gone.user_id IS NOT chat_messages.sender_id)
            """
        var arguments: StatementArguments = [now.stored, id, range.after, range.upTo]
        if let sender {
            sql += " AND sender_key = ?5"
            arguments += [String(sender)]
        }
        let rows = try database.rows(sql + " RETURNING seq, number", arguments)
        return try rows.map {
            ChatReceiptStore.Position(seq: try $0.id("seq"), number: try $0.value("number"))
        }
    }
}
