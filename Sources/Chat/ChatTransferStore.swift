import Foundation
import GRDB
import RoostSupport

/// The rows of an export, of one user's current conversations or (nil) of all, after a key.
extension Reads {
    func conversationsToExport(of user: UserID?, after key: Int64) throws -> [Row] {
        try database.rows(
            """
            SELECT conversation.rowid AS place, conversation.id, is_group, group_name, group_photo,
                users.username AS creator, conversation.created_at
            FROM chat_conversations AS conversation LEFT JOIN users ON users.id = conversation.created_by
            WHERE conversation.rowid > :key AND (:user IS NULL OR EXISTS (
                SELECT 1 FROM chat_members WHERE conversation_id = conversation.id AND user_id = :user
                    AND left_seq IS NULL))
            ORDER BY conversation.rowid LIMIT 50
            """, ["key": key, "user": user])
    }

    func chatMembersToExport(of id: ConversationID) throws -> [(user: String, name: String)] {
        try database.rows(
            """
            SELECT username, shown_name FROM chat_members AS member JOIN users ON users.id = member.user_id
            WHERE conversation_id = ? AND left_seq IS NULL ORDER BY member.id
            """, [id]
        ).readable { (try $0.text("username"), try $0.text("shown_name")) }
    }

    /// The cross join reads messages in the order of their rows, and looks for the membership of each.
    func messagesToExport(of user: UserID?, after key: Int64) throws -> [Row] {
        let join =
            user == nil
            ? ""
            : """
            CROSS JOIN chat_members AS member ON member.conversation_id = message.conversation_id
                AND member.user_id = :user AND member.left_seq IS NULL
                AND message.seq > member.visible_after
            """
        // Hidden answers keep their text, but do not name what they answer.
        let visible = user == nil ? "" : "AND quoted.seq > member.visible_after"
        return try database.rows(
            """
            SELECT message.seq, message.id, message.conversation_id, sender.username AS sender,
                message.sender_key, coalesce(message.bot_name, sender.shown_name) AS name, message.text,
                message.file, message.sent_at, message.edited_at, message.deleted_at, message.delivered_at,
                message.read_at, quoted.id AS quoted_id, quoted.sender_key AS quoted_key,
                quoter.username AS quoted_sender,
                (SELECT json_group_array(username) FROM users WHERE id IN (
                    SELECT value FROM json_each(iif(json_valid(message.mentions), message.mentions, '[]'))
                )) AS mentioned,
                (SELECT json_group_array(json_object('user', username, 'emoji', emoji))
                    FROM chat_reactions JOIN users ON users.id = chat_reactions.user_id
                    WHERE message_seq = message.seq) AS reactions
            FROM chat_messages AS message \(join)
                LEFT JOIN users AS sender ON sender.id = message.sender_id
                LEFT JOIN chat_messages AS quoted ON quoted.seq = message.reply_to \(visible)
                LEFT JOIN users AS quoter ON quoter.id = quoted.sender_id
            WHERE message.seq > :key AND (:user IS NULL OR TRUE) ORDER BY message.seq LIMIT 200
            """, ["key": key, "user": user])
    }

    /// Files of messages, and photos of groups.
    func filesToExport(
        of user: UserID?, after key: Int64, limit: Int, withThumbnails: Bool
    ) throws -> [Row] {
        try database.rows(
            """
            SELECT \(ChatFileStore.columns), file.rowid AS place, file.conversation_id, file.created_at,
                \(withThumbnails ? "file.thumbnail" : "NULL AS thumbnail"), uploader.username AS sender,
                message.id AS message_id, message.sender_key AS message_key,
                writer.username AS message_sender
            FROM chat_files AS file
                LEFT JOIN users AS uploader ON uploader.id = file.user_id
                LEFT JOIN chat_messages AS message ON message.seq = file.message_seq
                LEFT JOIN users AS writer ON writer.id = message.sender_id
            WHERE file.rowid > :key
                AND (message.seq IS NOT NULL OR EXISTS (
                    SELECT 1 FROM chat_conversations WHERE id = file.conversation_id AND group_photo = file.id))
                AND (:user IS NULL OR EXISTS (
                    SELECT 1 FROM chat_members AS member WHERE member.conversation_id = file.conversation_id
                        AND member.user_id = :user AND member.left_seq IS NULL
                        AND (message.seq IS NULL OR message.seq > member.visible_after)))
            ORDER BY file.rowid LIMIT :limit
            """, ["key": key, "user": user, "limit": limit])
    }

    func fileBytes(_ id: String) throws -> [UInt8]? {
        try database.row("SELECT bytes FROM chat_files WHERE id = ?", [id])
            .map { try $0.bytes("bytes", maximumBytes: ChatFileService.maximumBytes) }
    }

    func membersToExport(of user: UserID?, after key: Int64) throws -> [Row] {
        func number(_ position: String) -> String {
            """
            coalesce((SELECT number FROM chat_messages AS message
                WHERE message.conversation_id = member.conversation_id AND message.seq <= member.\(position)
                ORDER BY message.seq DESC LIMIT 1), 0)
            """
        }
        return try database.rows(
            """
            SELECT member.id, member.conversation_id, users.username, member.is_admin, member.joined_at,
                member.notify, \(number("joined_seq")) AS joined, \(number("visible_after")) AS visible,
                \(number("delivered_seq")) AS delivered, \(number("read_seq")) AS read, draft.text AS draft
            FROM chat_members AS member JOIN users ON users.id = member.user_id
                LEFT JOIN chat_drafts AS draft ON draft.user_id = member.user_id
                    AND draft.conversation_id = member.conversation_id
            WHERE member.id > :key AND member.left_seq IS NULL AND (:user IS NULL OR member.user_id = :user)
            ORDER BY member.id LIMIT 100
            """, ["key": key, "user": user])
    }

    // MARK: Importing

    func importedMessage(
        _ id: String, of key: String
    ) throws -> (seq: Int64, conversation: String, file: String?)? {
        try database.row(
            """
            SELECT seq, conversation_id, file_id FROM chat_messages
            WHERE sender_key = ? AND id = ? COLLATE NOCASE
            """, [key, id]
        ).map { (try $0.id("seq"), try $0.text("conversation_id"), try $0.textIfPresent("file_id")) }
    }

    func hasOtherMembers(_ id: ConversationID, than user: UserID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM chat_members WHERE conversation_id = ? AND user_id <> ? AND left_seq IS NULL)
            """, [id, user]) ?? false
    }

    func createdSeq(of id: ConversationID) throws -> Int64 {
        try database.value(Int64.self, "SELECT created_seq FROM chat_conversations WHERE id = ?", [id]) ?? 0
    }

    /// The seq of the message with this number, or of the last one before.
    func messageSeq(upTo number: Int, in id: ConversationID) throws -> Int64? {
        try database.value(
            Int64.self,
            """
            SELECT seq FROM chat_messages WHERE conversation_id = ? AND number <= ?
            ORDER BY number DESC LIMIT 1
            """, [id, number])
    }
}

extension Writes {
    /// - Parameter pair: nil for a group
    func addImportedConversation(
        _ id: ConversationID, name: String?, photo: String?, pair: String?, by creator: UserID?,
        createdAt: Date, at now: Date
    ) throws {
        try execute(
            """
            INSERT INTO chat_conversations (id, is_group, group_name, group_photo, pair, created_by, created_at,
                last_message_at)
            VALUES (:id, :pair IS NULL, :name, :photo, :pair, :creator, :created, :created)
            """,
            [
                "id": id, "name": name, "photo": photo, "pair": pair, "creator": creator,
                "created": createdAt.stored,
            ])
        let seq = try addLogRow("conversation", in: id, at: now)
        try setCreatedSeq(seq, of: id)
        try setLastLogRow(seq, of: id)
    }

    /// - Parameter times: when it was sent, edited, deleted, delivered and read
    func addImportedMessage(
        _ seq: Int64, id: String, to conversation: ConversationID, from sender: UserID?, key: String,
        botName: String?, text: String, file: MessageFile?, replyTo: Int64?, mentions: [UserID],
        times: [Date?]
    ) throws {
        let json = try file.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let values: [(any DatabaseValueConvertible)?] =
            [seq, id, sender, key, botName, text, file?.id, json] + times.map { $0?.stored }
            + [replyTo, mentions.isEmpty ? nil : mentions.jsonArray, conversation]
        try execute(
            """
            INSERT INTO chat_messages (seq, id, conversation_id, number, sender_id, sender_key, bot_name, text,
                file_id, file, sent_at, edited_at, deleted_at, delivered_at, read_at, reply_to, mentions)
            SELECT ?, ?, id, message_count + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            FROM chat_conversations WHERE id = ?
            """, StatementArguments(values))
    }

    func addImportedFile(
        _ file: MessageFile, _ bytes: [UInt8], thumbnail: CheckedImage?, of message: Int64?,
        to conversation: ConversationID, by user: UserID?, at time: Date
    ) throws {
        // Not with `execute`, whose compiled statement would keep the bytes in memory.
        try database.execute(
            sql: """
                INSERT INTO chat_files (id, conversation_id, user_id, message_seq, name, type, width, height,
                    byte_count, created_at, thumbnail_type, thumbnail, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                file.id, conversation, user, message, file.name, file.type, file.width, file.height,
                bytes.count, time.stored, thumbnail?.mediaType, thumbnail.map { Data($0.bytes) }, Data(bytes),
            ])
    }

    func raiseDelivered(_ membership: ChatMembership, to seq: Int64) throws {
        try execute(
            "UPDATE chat_members SET delivered_seq = max(delivered_seq, ?) WHERE id = ?",
            [seq, membership.rowId])
    }
}
