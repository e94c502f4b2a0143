import Foundation
import GRDB
import RoostSupport
import TextFormats

/// A row of `chat_messages`.
struct ChatMessageRecord: ColumnRecord {
    private(set) var seq: Int64 = 0
    private(set) var id = ""
    private(set) var conversationId: ConversationID = ""
    private(set) var number = 0
    private(set) var senderId: UserID?
    private(set) var senderKey = ""
    private(set) var botName: String?
    private(set) var text = ""
    private(set) var file: MessageFile?
    private(set) var sentAt = Date.distantPast
    private(set) var editedAt: Date?
    private(set) var deletedAt: Date?
    private(set) var deliveredAt: Date?
    private(set) var readAt: Date?
    private(set) var mentions: [UserID]?

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("seq", &seq)
        try columns.column("id", &id)
        try columns.column("conversation_id", &conversationId)
        try columns.column("number", &number)
        try columns.column("sender_id", &senderId)
        try columns.column("sender_key", &senderKey)
        try columns.column("bot_name", &botName)
        try columns.column("text", &text)
        try columns.column("file", &file)
        try columns.column("sent_at", &sentAt)
        try columns.column("edited_at", &editedAt)
        try columns.column("deleted_at", &deletedAt)
        try columns.column("delivered_at", &deliveredAt)
        try columns.column("read_at", &readAt)
        try columns.column("mentions", &mentions)
    }

    /// Throws for a row that Roost never writes.
    @Sendable static func check(_ record: ChatMessageRecord, _ row: Row) throws {
        guard !record.text.isEmpty || record.file != nil || record.deletedAt != nil,
            record.text.utf8.count <= Message.maximumTextBytes
        else { throw ImpossibleValue(column: "text") }
        guard record.number > 0 else { throw ImpossibleValue(column: "number") }
    }
}

/// What other tables contain about a message.
struct ChatMessageContext: ColumnRecord {
    private(set) var shownName: String?
    private(set) var username: String?
    private var quoted: ChatQuoteRecord?
    private var reactionLines: String?
    private(set) var avatar: String?

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("shown_name", sql: "users.shown_name", &shownName)
        try columns.column("username", sql: "users.username", &username)
        try columns.part(&quoted)
        try columns.column(
            "reactions",
            sql: """
                (SELECT group_concat(user_id || ' ' || emoji, char(10)) FROM chat_reactions
                    WHERE message_seq = message.seq)
                """, &reactionLines)
        // A bad picture row must not hide the message. Last, because a failed column is not passed over.
        try? columns.column("avatar", sql: "avatars.version", &avatar)
    }

    var quote: Message.Quote? { quoted?.quote }

    var reactions: [Message.Reaction] {
        get throws {
            guard let reactionLines else { return [] }
            var users: [String: [UserID]] = [:]
            for line in reactionLines.splitBytes(at: "\n") {
                let parts = line.splitBytes(at: " ", maxSplits: 1)
                guard parts.count == 2, let user = UserID(parts[0]) else {
                    throw ImpossibleValue(column: "reactions")
                }
                users[String(parts[1]), default: []].append(user)
            }
            return users.map { Message.Reaction(emoji: $0, userIds: $1.sorted()) }
                .sorted { $0.emoji < $1.emoji }
        }
    }
}

/// A message that another one answers.
private struct ChatQuoteRecord: ColumnRecord {
    private var seq: Int64 = 0
    private var id = ""
    private var number = 0
    private var botName: String?
    private var text = ""
    private var file: MessageFile?
    private var isDeleted = false
    private var shownName: String?

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("quoted_seq", sql: "quoted.seq", &seq)
        try columns.column("quoted_id", sql: "quoted.id", &id)
        try columns.column("quoted_number", sql: "quoted.number", &number)
        try columns.column("quoted_bot", sql: "quoted.bot_name", &botName)
        try columns.column("quoted_text", sql: "substr(quoted.text, 1, 120)", &text)
        try columns.column("quoted_file", sql: "quoted.file", &file)
        try columns.column("quoted_is_deleted", sql: "quoted.deleted_at IS NOT NULL", &isDeleted)
        try columns.column("quoted_name", sql: "quoted_user.shown_name", &shownName)
    }

    var quote: Message.Quote {
        Message.Quote(
            seq: seq, number: number, id: id, senderName: botName ?? shownName ?? Message.formerMember,
            text: isDeleted ? "" : Message.preview(text, file))
    }
}
