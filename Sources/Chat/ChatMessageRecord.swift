import Foundation
import GRDB
import RoostSupport
import TextFormats

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
        var reader = RowReader(row)
        let (seq, id, conversationId) = (try reader.id(), try reader.text(), try reader.text())
        let number = try reader.number(in: 1...Int.max)
        let senderId = try reader.ifPresent { try $0.id() }
        let senderKey = try reader.text()
        let botName = try reader.ifPresent { try $0.text() }
        let text = try reader.text(maximumBytes: Message.maximumTextBytes)
        let file = try reader.ifPresent { try $0.json(MessageFile.self) }
        let sentAt = try reader.time()
        let (editedAt, deletedAt) = (
            try reader.ifPresent { try $0.time() }, try reader.ifPresent { try $0.time() }
        )
        let (deliveredAt, readAt) = (
            try reader.ifPresent { try $0.time() }, try reader.ifPresent { try $0.time() }
        )
        let mentions = try reader.ifPresent { try $0.json([UserID].self) }
        let (shownName, username) = (
            try reader.ifPresent { try $0.text() }, try reader.ifPresent { try $0.text() }
        )
        let avatar = try? reader.ifPresent { try $0.text() }
        // Earlier versions sent text that shows nothing. It stays readable, so the check for new messages skips it.
        let checkedText = text.isEmpty || !text.isBlank ? text : "-"
        var message: Message
        do {
            message = try Message(
                id: id, conversationId: conversationId, senderId: senderKey, text: checkedText,
                imageURL: file.flatMap { $0.isImage ? $0.url : nil }, sentAt: sentAt,
                deliveredAt: deliveredAt,
                readAt: readAt, status: readAt != nil ? .read : deliveredAt != nil ? .delivered : .sent,
                senderName: name(bot: botName, senderId, shownName),
                senderPhotoURL: photo(of: senderId, avatar ?? nil), deletedAt: deletedAt, file: file)
        } catch let error as ValidationError {
            throw ImpossibleValue(column: error.field)
        }
        message.text = text
        message.seq = seq
        message.number = number
        message.editedAt = editedAt
        message.mentions = mentions ?? []
        message.replyTo = try quote(&reader)
        message.reactions = try reactions(reader.ifPresent { try $0.text(maximumBytes: .max) })
        message.senderUsername = senderId == nil ? nil : username
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
    static func photo(of user: UserID?, _ version: String?) -> String? {
        guard let user, let version else { return nil }
        return "/avatars/\(user)/\(version)"
    }

    private static func name(bot: String?, _ sender: UserID?, _ shownName: String?) -> String {
        bot ?? (sender == nil ? nil : shownName) ?? Message.formerMember
    }

    private static func file(_ row: Row, _ column: String) throws -> MessageFile? {
        try row.jsonIfPresent(column)
    }

    /// The columns of the quoted message.
    private static func quote(_ reader: inout RowReader) throws -> Message.Quote? {
        guard !reader.isAtNull else {
            reader.skip(9)
            return nil
        }
        let (seq, id) = (try reader.id(), try reader.text())
        let sender = try reader.ifPresent { try $0.id() }
        let number = try reader.number(in: 1...Int.max)
        let bot = try reader.ifPresent { try $0.text() }
        let text = try reader.text(maximumBytes: Message.maximumTextBytes)
        let file = try reader.ifPresent { try $0.json(MessageFile.self) }
        let isDeleted = try reader.ifPresent { try $0.time() } != nil
        let shownName = try reader.ifPresent { try $0.text() }
        return Message.Quote(
            seq: seq, number: number, id: id, senderName: name(bot: bot, sender, shownName),
            text: isDeleted ? "" : Message.preview(text, file))
    }

    private static func reactions(_ text: String?) throws -> [Message.Reaction] {
        guard let text else { return [] }
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
