import Foundation
import GRDB

/// Reads messages with what is joined to them: names, the quoted message, reactions.
enum ChatMessageRecord {
    /// Of a quoted message, in characters.
    private static let quoteLength = 120

    static let select = """
        SELECT message.seq, message.id, message.conversation_id, message.number, message.sender_id,
            message.sender_key, message.bot_name, message.text, message.file, message.sent_at, message.edited_at,
            message.deleted_at, message.delivered_at, message.read_at, message.mentions,
            users.shown_name, users.username, avatars.version AS avatar,
            quoted.seq AS quoted_seq, quoted.id AS quoted_id, quoted.sender_id AS quoted_sender,
            quoted.number AS quoted_number, quoted.bot_name AS quoted_bot, substr(quoted.text, 1, \(quoteLength)) AS quoted_text,
            quoted.file AS quoted_file, quoted.deleted_at AS quoted_deletion,
            quoted_user.shown_name AS quoted_name,
            (SELECT group_concat(user_id || ' ' || emoji, char(10)) FROM chat_reactions
                WHERE message_seq = message.seq) AS reactions
        FROM chat_messages AS message
        LEFT JOIN users ON users.id = message.sender_id
        LEFT JOIN avatars ON avatars.user_id = message.sender_id
        LEFT JOIN chat_messages AS quoted ON quoted.seq = message.reply_to
        LEFT JOIN users AS quoted_user ON quoted_user.id = quoted.sender_id
        """

    /// A row of `select`.
    static func message(_ row: Row) throws -> Message {
        let senderId = try row.idIfPresent("sender_id")
        let file = try file(row, "file")
        let (deliveredAt, readAt) = (try row.timeIfPresent("delivered_at"), try row.timeIfPresent("read_at"))
        let text = try row.text("text", maximumBytes: Message.maximumTextBytes)
        // Earlier versions sent text that shows nothing. It stays readable, so the check for new messages skips it.
        let checkedText = text.isEmpty || !text.isBlank ? text : "-"
        var message: Message
        do {
            message = try Message(
                id: try row.text("id"), conversationId: try row.text("conversation_id"),
                senderId: try row.text("sender_key"), text: checkedText,
                imageURL: file.flatMap { $0.isImage ? $0.url : nil }, sentAt: try row.time("sent_at"),
                deliveredAt: deliveredAt, readAt: readAt,
                status: readAt != nil ? .read : deliveredAt != nil ? .delivered : .sent,
                senderName: try name(row, senderId, bot: "bot_name", "shown_name"),
                senderPhotoURL: try photo(row, of: senderId), deletedAt: try row.timeIfPresent("deleted_at"),
                file: file)
        } catch let error as ValidationError {
            throw ImpossibleValue(column: error.field)
        }
        message.text = text
        message.seq = try row.id("seq")
        message.number = try row.number("number", in: 1...Int.max)
        message.editedAt = try row.timeIfPresent("edited_at")
        message.mentions = try row.jsonIfPresent("mentions") ?? []
        message.replyTo = try quote(row)
        message.reactions = try reactions(row)
        message.senderUsername = senderId == nil ? nil : try row.textIfPresent("username")
        return message
    }

    /// Throws for a row of the table that cannot be read, whatever is joined to it.
    static func check(_ row: Row) throws {
        let isEmpty = try row.text("text", maximumBytes: Message.maximumTextBytes).isEmpty
        let (file, deletion) = (try file(row, "file"), try row.timeIfPresent("deleted_at"))
        guard !isEmpty || file != nil || deletion != nil else { throw ImpossibleValue(column: "text") }
        _ = (try row.id("seq"), try row.text("id"), try row.text("conversation_id"))
        _ = (try row.text("sender_key"), try row.idIfPresent("sender_id"), try row.textIfPresent("bot_name"))
        for time in ["edited_at", "delivered_at", "read_at"] { _ = try row.timeIfPresent(time) }
        _ = (try row.time("sent_at"), try row.number("number", in: 1...Int.max))
        _ = try row.jsonIfPresent("mentions") as [UserID]?
    }

    /// "/avatars/7/VERSION" for a user with a picture.
    static func photo(_ row: Row, of user: UserID?) throws -> String? {
        guard let user, let version = (try? row.textIfPresent("avatar")) ?? nil else { return nil }
        return "/avatars/\(user)/\(version)"
    }

    private static func name(
        _ row: Row, _ sender: UserID?, bot: String, _ shownName: String
    ) throws -> String {
        if let bot = try row.textIfPresent(bot) { return bot }
        guard sender != nil else { return Message.formerMember }
        return try row.textIfPresent(shownName) ?? Message.formerMember
    }

    private static func file(_ row: Row, _ column: String) throws -> MessageFile? {
        try row.jsonIfPresent(column)
    }

    private static func quote(_ row: Row) throws -> Message.Quote? {
        guard let seq = try row.idIfPresent("quoted_seq") else { return nil }
        let isDeleted = try row.timeIfPresent("quoted_deletion") != nil
        let text = try row.text("quoted_text", maximumBytes: Message.maximumTextBytes)
        return Message.Quote(
            seq: seq, number: try row.number("quoted_number", in: 1...Int.max), id: try row.text("quoted_id"),
            senderName: try name(
                row, row.idIfPresent("quoted_sender"), bot: "quoted_bot", "quoted_name"),
            text: isDeleted ? "" : Message.preview(text, try file(row, "quoted_file")))
    }

    private static func reactions(_ row: Row) throws -> [Message.Reaction] {
        guard let text = try row.textIfPresent("reactions", maximumBytes: .max) else { return [] }
        var users: [String: [UserID]] = [:]
        for line in text.splitBytes(at: "\n") {
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
