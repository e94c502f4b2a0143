import Foundation
import GRDB
import RoostSupport

extension Reads {
    /// The newest log position, counting deleted rows.
    func chatLogEnd() throws -> Int64 {
        try database.value(Int64.self, "SELECT seq FROM sqlite_sequence WHERE name = 'chat_log'") ?? 0
    }

    func chatLog(for user: UserID, after: Int64, limit: Int) throws -> ChatLogPage {
        let end = try chatLogEnd()
        let (rows, memberships) = try logRows(user, after, limit: limit + 1)
        let records = rows.prefix(limit)
        let messages = try messages(Set(records.compactMap(\.messageSeq)))
        let numbers = try messageNumbers(
            Set(records.compactMap(\.status).flatMap(\.ranges).joined()))
        var conversations: [ConversationID: Conversation] = [:]
        for id in Set(records.filter { $0.kind == "conversation" }.map(\.conversationId)) {
            conversations[id] = try conversation(id)
        }
        let entries = records.compactMap { record -> ChatLogEntry? in
            let entry = record.entry(messages, conversations, numbers)
            guard let visibleAfter = memberships[record.conversationId] else { return entry }
            return entry?.visible(after: visibleAfter)
        }
        let hasMore = rows.count > limit
        return ChatLogPage(
            entries: entries, next: hasMore ? records.last?.seq ?? end : end, hasMore: hasMore)
    }

    /// Also returns after which position each conversation is visible.
    private func logRows(
        _ user: UserID, _ after: Int64, limit: Int
    ) throws -> ([ChatLogRecord], [ConversationID: Int64]) {
        let memberships = try database.rows(
            """
            SELECT member.conversation_id, member.joined_seq, member.visible_after
            FROM chat_members AS member
            JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
            WHERE member.user_id = ? AND member.left_seq IS NULL AND conversation.last_seq > ?
            """, [user, after])
        var records = try database.rows(
            """
            SELECT \(ChatLogRecord.columns), CASE kind WHEN 'read' THEN (
                    SELECT count_at_read FROM chat_members AS member
                    WHERE member.conversation_id = chat_log.conversation_id
                        AND member.user_id = chat_log.user_id AND left_seq IS NULL
                ) END AS read_number
            FROM chat_log WHERE user_id = ? AND seq > ?
            """, [user, after]
        ).readable { row in
            var record = try ChatLogRecord(row)
            record.readNumber = try row.value("read_number")
            return record
        }
        var floors: [ConversationID: Int64] = [:]
        for membership in memberships {
            let id = try membership.text("conversation_id")
            let (joined, floor): (Int64, Int64) = (
                try membership.value("joined_seq"), try membership.value("visible_after")
            )
            floors[id] = floor
            records += try database.rows(
                """
                SELECT \(ChatLogRecord.columns) FROM chat_log
                WHERE conversation_id = ? AND user_id IS NULL AND seq > ?
                    AND (message_seq IS NULL OR message_seq > ?)
                ORDER BY seq LIMIT ?
                """, [id, max(after, joined - 1), floor, limit]
            ).readable { try ChatLogRecord($0) }
        }
        return (Array(records.sorted { $0.seq < $1.seq }.prefix(limit)), floors)
    }

    /// The members of all conversations with entries after a log position.
    func members(withChatEntriesAfter seq: Int64) throws -> Set<UserID> {
        try Set(
            database.values(
                Int64.self,
                """
                SELECT DISTINCT member.user_id FROM chat_log AS entry
                CROSS JOIN chat_members AS member ON member.conversation_id = entry.conversation_id
                WHERE entry.seq > ? AND entry.user_id IS NULL AND member.left_seq IS NULL
                """, [seq]))
    }
}

/// Each change of the chat adds its row to the log and its entry to the commit.
extension Writes {
    /// Adds a log row for all members and returns its seq.
    func addLogRow(
        _ kind: String, in id: ConversationID, message: Int64? = nil, data: String? = nil, at now: Date
    ) throws -> Int64 {
        try execute(
            "INSERT INTO chat_log (conversation_id, kind, message_seq, data, at) VALUES (?, ?, ?, ?, ?)",
            [id, kind, message, data, now.stored])
        return database.lastInsertedRowID
    }

    /// Logs a message's current state.
    func logMessage(_ seq: Int64, in id: ConversationID, _ commit: inout ChatCommit) throws -> Message {
        let logSeq = try addLogRow("message", in: id, message: seq, at: commit.time)
        try setLastLogRow(logSeq, of: id)
        let message = try requiredMessage(seq)
        commit.note(logSeq, in: id, .message(message))
        return message
    }

    /// Logs a conversation's current state. Call it after all changes to the conversation.
    ///
    /// - Parameter seq: the log row at which members joined or left, or nil for another change
    func logConversation(
        _ id: ConversationID, membersChangedAt seq: Int64? = nil, _ commit: inout ChatCommit
    ) throws {
        if seq != nil { commit.changedMembers.insert(id) }
        let logSeq = try seq ?? addLogRow("conversation", in: id, at: commit.time)
        try setLastLogRow(logSeq, of: id)
        // No one is left to notify after the last member, but the remembered log must not have gaps.
        if let conversation = try conversation(id) {
            commit.note(logSeq, in: id, .conversation(conversation))
        } else {
            commit.note(logSeq, in: id, .removed, for: 0)
        }
    }

    /// Logs that messages have a status.
    func logStatus(
        _ status: MessageStatus, of positions: [ChatReceiptStore.Position], in id: ConversationID,
        _ commit: inout ChatCommit
    ) throws {
        guard let first = positions.first, let last = positions.last else { return }
        var (seqs, numbers) = ([first.seq...first.seq], [first.number...first.number])
        for position in positions.dropFirst() {
            let (end, range) = (seqs.count - 1, numbers[numbers.count - 1])
            if position.number == range.upperBound + 1 {
                seqs[end] = seqs[end].lowerBound...position.seq
                numbers[end] = range.lowerBound...position.number
            } else {
                seqs.append(position.seq...position.seq)
                numbers.append(position.number...position.number)
            }
        }
        let data = try ChatLogRecord.json(
            ChatLogRecord.Status(status, at: commit.time.timeIntervalSince1970, seqs))
        let logSeq = try addLogRow("status", in: id, data: data, at: commit.time)
        try setLastLogRow(logSeq, of: id)
        commit.note(logSeq, in: id, .status(status, at: commit.time, ranges: numbers, lastSeq: last.seq))
    }

    /// Logs a user's own state, replacing the last row of its kind.
    func logOwn(
        _ kind: ChatLogEntry.Kind, data: String?, in id: ConversationID, for user: UserID,
        _ commit: inout ChatCommit
    ) throws {
        try execute(
            "DELETE FROM chat_log WHERE user_id = ? AND conversation_id = ? AND kind = ?",
            [user, id, kind.name])
        try execute(
            "INSERT INTO chat_log (conversation_id, kind, user_id, data, at) VALUES (?, ?, ?, ?, ?)",
            [id, kind.name, user, data, commit.time.stored])
        commit.note(database.lastInsertedRowID, in: id, kind, for: user)
    }

    func setLastLogRow(_ seq: Int64, of id: ConversationID) throws {
        try execute("UPDATE chat_conversations SET last_seq = ? WHERE id = ?", [seq, id])
    }
}
