import Foundation
import GRDB
import RoostSupport
import TextFormats

enum ChatMessageStore {
    enum PageRange: Sendable {
        case newest
        case between(after: Int, before: Int?)
        case before(Int)
        case around(Int)
    }

    static let select = """
        SELECT \(ChatMessageRecord.selection(of: "message")), \(ChatMessageContext.selection(of: "message"))
        FROM chat_messages AS message
        LEFT JOIN users ON users.id = message.sender_id
        LEFT JOIN avatars ON avatars.user_id = message.sender_id
        LEFT JOIN chat_messages AS quoted ON quoted.seq = message.reply_to
        LEFT JOIN users AS quoted_user ON quoted_user.id = quoted.sender_id
        """

    private static let columnCount = ChatMessageRecord.columnCount

    static func message(_ row: Row) throws -> Message {
        try Message(ChatMessageRecord(row), ChatMessageContext(row, at: columnCount))
    }

    /// "/avatars/7/VERSION", or nil without a picture.
    static func photo(of user: UserID?, _ version: String?) -> String? {
        guard let user, let version else { return nil }
        return "/avatars/\(user)/\(version)"
    }

    /// Nil without mentions.
    fileprivate static func json(_ mentions: [UserID]) -> String? {
        mentions.isEmpty ? nil : mentions.jsonArray
    }
}

extension Reads {
    func message(_ seq: Int64) throws -> Message? {
        try database.rows(ChatMessageStore.select + " WHERE message.seq = ?", [seq]).readable(
            ChatMessageStore.message
        ).first
    }

    /// Throws for a malformed row.
    func requiredMessage(_ seq: Int64) throws -> Message {
        guard let message = try message(seq) else { throw ImpossibleValue(column: "seq") }
        return message
    }

    /// Throws `RoostError.notFound` if the user may not see the message.
    func message(
        _ seq: Int64, for user: UserID
    ) throws -> (message: Message, membership: ChatMembership) {
        guard let message = try message(seq),
            let membership = try membership(of: user, in: message.conversationId),
            seq > membership.visibleAfter
        else { throw RoostError.unknownMessage }
        return (message, membership)
    }

    func message(number: Int, in id: ConversationID) throws -> Message? {
        try database.rows(
            ChatMessageStore.select + " WHERE message.conversation_id = ? AND message.number = ?",
            [id, number]
        ).readable(ChatMessageStore.message).first
    }

    /// Returns the number of a message to which an earlier version linked by seq, or nil if the seq is newer than those
    /// links.
    func messageNumber(ofOlderLink seq: Int64, in id: ConversationID) throws -> Int? {
        try database.value(
            Int.self,
            """
            SELECT number FROM chat_messages WHERE seq = ? AND conversation_id = ?
                AND seq <= (SELECT last_seq FROM chat_older_links)
            """, [seq, id])
    }

    /// Returns the seq of the first message with this number or a later one, or nil.
    func messageSeq(from number: Int, in id: ConversationID) throws -> Int64? {
        try database.value(
            Int64.self,
            """
            SELECT seq FROM chat_messages WHERE conversation_id = ? AND number >= ?
            ORDER BY number LIMIT 1
            """, [id, number])
    }

    func message(id: String, of sender: ChatSender) throws -> Message? {
        try database.rows(
            ChatMessageStore.select
                + " WHERE message.sender_key = ? AND message.id = ? COLLATE NOCASE", [sender.key, id]
        ).readable(ChatMessageStore.message).first
    }

    func messages(_ seqs: Set<Int64>) throws -> [Int64: Message] {
        guard !seqs.isEmpty else { return [:] }
        let messages = try database.cursor(
            ChatMessageStore.select
                + " WHERE message.seq IN (SELECT value FROM json_each(?))", [seqs.jsonArray]
        ).readable(ChatMessageStore.message)
        return Dictionary(messages.map { ($0.seq, $0) }, uniquingKeysWith: { $1 })
    }

    func messageNumbers(_ seqs: Set<Int64>) throws -> [Int64: Int] {
        guard !seqs.isEmpty else { return [:] }
        let rows = try database.rows(
            "SELECT seq, number FROM chat_messages WHERE seq IN (SELECT value FROM json_each(?))",
            [seqs.jsonArray])
        return Dictionary(
            try rows.map { (try $0.id("seq"), try $0.number("number", in: 1...Int.max)) },
            uniquingKeysWith: { $1 })
    }

    func messagePage(
        for membership: ChatMembership, _ range: ChatMessageStore.PageRange, limit: Int
    ) throws -> ChatPage {
        let (id, floor) = (membership.conversationId, membership.visibleAfter)
        func firstSeq(from number: Int) throws -> Int64 { try messageSeq(from: number, in: id) ?? .max }
        func older(than seq: Int64, _ count: Int) throws -> [Message] {
            try self.messages(id, (floor, seq), isBackwards: true, limit: count).reversed()
        }
        func newer(than seq: Int64, below: Int64 = .max, _ count: Int) throws -> [Message] {
            try self.messages(id, (max(seq, floor), below), isBackwards: false, limit: count)
        }
        var messages: [Message]
        switch range {
        case .newest: messages = try older(than: .max, limit)
        case .before(let number): messages = try older(than: firstSeq(from: number), limit)
        case .between(let after, let before):
            let first = after < .max ? try firstSeq(from: after + 1) : .max
            messages = try newer(than: first - 1, below: before.map(firstSeq) ?? .max, limit)
        case .around(let number):
            let seq = try firstSeq(from: number)
            let next = try newer(than: seq - 1, limit / 2 + 1)
            messages = try older(than: seq, max(limit - next.count, limit / 2)) + next
        }
        messages = messages.map { $0.visible(after: floor) }
        guard let first = messages.first, let last = messages.last else {
            guard case .before(let number) = range else {
                return ChatPage(
                    messages: [], hasOlder: membership.lastMessageSeq > floor, hasNewer: false)
            }
            let first = max(try firstSeq(from: number), floor + 1)
            return ChatPage(messages: [], hasOlder: false, hasNewer: membership.lastMessageSeq >= first)
        }
        return ChatPage(
            messages: messages,
            hasOlder: try !self.messages(id, (floor, first.seq), isBackwards: true, limit: 1)
                .isEmpty,
            hasNewer: membership.lastMessageSeq > last.seq)
    }

    /// - Parameter range: exclusive at both ends
    private func messages(
        _ id: ConversationID, _ range: (after: Int64, before: Int64), isBackwards: Bool, limit: Int
    ) throws -> [Message] {
        try database.cursor(
            """
            \(ChatMessageStore.select)
            WHERE message.conversation_id = ? AND message.seq > ? AND message.seq < ?
            ORDER BY message.seq \(isBackwards ? "DESC" : "ASC") LIMIT ?
            """, [id, range.after, range.before, limit]
        ).readable(ChatMessageStore.message)
    }

    /// The newest messages that quote this one, oldest first.
    func replies(to message: Message, limit: Int) throws -> [Int64] {
        try database.values(
            Int64.self, "SELECT seq FROM chat_messages WHERE reply_to = ? ORDER BY seq DESC LIMIT ?",
            [message.seq, limit]
        ).reversed()
    }
}

extension Writes {
    /// - Parameter quoted: the seq of the message that it answers
    func addMessage(
        _ draft: NewMessage, _ seq: Int64, to id: ConversationID, by sender: ChatSender, mentions: [UserID],
        answering quoted: Int64?, at now: Date
    ) throws {
        var (senderId, botName): (UserID?, String?)
        switch sender {
        case .user(let user): senderId = user
        case .bot(_, let name): botName = name
        case .alerts: botName = ChatSender.alertsName
        }
        try execute(
            """
            INSERT INTO chat_messages (seq, id, conversation_id, number, sender_id, sender_key, bot_name, text,
                sent_at, reply_to, mentions)
            SELECT ?, ?, id, message_count + 1, ?, ?, ?, ?, ?, ?, ? FROM chat_conversations WHERE id = ?
            """,
            [
                seq, draft.id, senderId, sender.key, botName, draft.text, now.stored, quoted,
                ChatMessageStore.json(mentions), id,
            ])
    }

    func countOwnMessage(_ membership: ChatMembership) throws {
        try execute(
            "UPDATE chat_members SET own_since_read = own_since_read + 1 WHERE id = ?", [membership.rowId])
    }

    /// Counts a new message and makes it the conversation's preview.
    func countMessage(_ message: Message) throws {
        try execute(
            """
            UPDATE chat_conversations
            SET message_count = message_count + 1, last_seq = ?1, last_message = ?2, last_message_at = ?3,
                last_message_seq = ?1, last_sender = ?4
            WHERE id = ?5
            """,
            [
                message.seq, message.preview, message.sentAt.stored, message.senderId,
                message.conversationId,
            ])
    }

    func setText(_ text: String, of message: Message, mentions: [UserID], at now: Date) throws {
        try database.execute(
            sql: "UPDATE chat_messages SET text = ?, edited_at = ?, mentions = ? WHERE seq = ?",
            arguments: [text, now.stored, ChatMessageStore.json(mentions), message.seq])
    }

    /// Empties a message.
    func deleteMessage(_ message: Message, at now: Date) throws {
        try database.execute(
            sql: """
                UPDATE chat_messages SET text = '', file_id = NULL, file = NULL, mentions = NULL, deleted_at = ?
                WHERE seq = ?
                """, arguments: [now.stored, message.seq])
        try database.execute(
            sql: "DELETE FROM chat_reactions WHERE message_seq = ?", arguments: [message.seq])
    }

    /// Returns false if nothing changed.
    func setReaction(_ emoji: String, on message: Message, by user: UserID, isOn: Bool) throws -> Bool {
        try database.execute(
            sql: isOn
                ? "INSERT OR IGNORE INTO chat_reactions (message_seq, user_id, emoji) VALUES (?, ?, ?)"
                : "DELETE FROM chat_reactions WHERE message_seq = ? AND user_id = ? AND emoji = ?",
            arguments: [message.seq, user, emoji])
        return database.changesCount > 0
    }

    /// Updates the conversation's preview if this is its last message.
    func updatePreview(_ message: Message) throws {
        try execute(
            "UPDATE chat_conversations SET last_message = ? WHERE id = ? AND last_message_seq = ?",
            [message.preview, message.conversationId, message.seq])
    }
}
