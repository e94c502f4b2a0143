import Foundation
package import GRDB
package import RoostSupport

/// What people have sent or are about to send, in SQLite.
package struct ChatFileStore: ChatAttachmentStore {
    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// Without the bytes.
    private static let columns =
        "file.id, file.name, file.type, file.byte_count, file.width, file.height, file.thumbnail_type"

    /// A conversation's current members may have what its messages hold as far back as they may read; the one who
    /// uploaded it, as long as he is a member, what is not sent yet; and all of them the conversation's photo.
    private static let mayRead = """
        EXISTS (
            SELECT 1 FROM chat_members AS member
            WHERE member.conversation_id = file.conversation_id AND member.user_id = :user
                AND member.left_seq IS NULL
                AND (
                    file.message_seq > member.visible_after
                    OR file.message_seq IS NULL AND file.user_id = member.user_id
                    OR EXISTS (
                        SELECT 1 FROM chat_conversations
                        WHERE id = file.conversation_id AND group_photo = file.id
                    )
                )
        )
        """

    /// Files of a conversation that the user has uploaded and not sent.
    static let maximumUnsent = 50

    func isMember(_ user: UserID, of conversation: ConversationID) async throws -> Bool {
        try await database.fetch { try Self.conversation(conversation, of: user, $0) != nil }
    }

    /// The stored id of a conversation that the user is a member of; nil for any other one.
    private static func conversation(
        _ id: ConversationID, of user: UserID, _ database: GRDB.Database
    ) throws -> ConversationID? {
        try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT conversation_id FROM chat_members
                    WHERE conversation_id = \(ChatTransaction.storedId) AND user_id = ? AND left_seq IS NULL
                    """), arguments: [id, user])
    }

    /// Keeps a file that waits to be sent. The same upload once more answers the file that is there.
    ///
    /// Throws `RoostError.notFound` for those who are no members, `.conflict` for an id that another file has, and
    /// `.invalid` where too many wait.
    func add(
        _ file: MessageFile, _ bytes: [UInt8], thumbnail: CheckedImage?, to conversation: ConversationID,
        by user: UserID, at now: Date
    ) async throws -> MessageFile {
        try await database.write { database in
            guard let conversation = try Self.conversation(conversation, of: user, database) else {
                throw Self.noConversation
            }
            if let there = try Self.existing(file, in: conversation, by: user, database) { return there }
            let waiting = try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM chat_files WHERE user_id = ? AND message_seq IS NULL"),
                arguments: [user])
            guard (waiting ?? 0) < Self.maximumUnsent else {
                throw RoostError.invalid(
                    field: "file",
                    why: "\(Self.maximumUnsent) files wait to be sent already. Send some of them first.")
            }
            try database.execute(
                sql: """
                    INSERT INTO chat_files (id, conversation_id, user_id, name, type, width, height, byte_count,
                        created_at, thumbnail_type, thumbnail, bytes)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    file.id, conversation, user, file.name, file.type, file.width, file.height, bytes.count,
                    now.timeIntervalSince1970, thumbnail?.mediaType, thumbnail.map { Data($0.bytes) },
                    Data(bytes),
                ])
            return file
        }
    }

    private static func existing(
        _ file: MessageFile, in conversation: ConversationID, by user: UserID, _ database: GRDB.Database
    ) throws -> MessageFile? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(columns), file.user_id = :user AND file.conversation_id = :conversation AS is_same
                    FROM chat_files AS file WHERE file.id = :id
                    """), arguments: ["user": user, "conversation": conversation, "id": file.id])
        guard let row else { return nil }
        guard try (row.value("is_same") as Bool?) == true else {
            throw RoostError.conflict(field: "id", why: "Another file has this id.")
        }
        return try Self.file(row)
    }

    /// Nil where there is none, or none that the user may have.
    func file(_ id: String, for user: UserID) async throws -> MessageFile? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns) FROM chat_files AS file
                        WHERE file.id = :id AND \(Self.mayRead)
                        """),
                arguments: ["id": id.lowercased(), "user": user]
            ).map { try Self.file($0) }
        }
    }

    /// Likewise, with its bytes.
    func content(of id: String, for user: UserID) async throws -> ChatFileService.Content? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns), file.bytes FROM chat_files AS file
                        WHERE file.id = :id AND \(Self.mayRead)
                        """), arguments: ["id": id.lowercased(), "user": user]
            ).map { row in
                let file = try Self.file(row)
                return .init(
                    file: file, mediaType: file.type,
                    bytes: try row.bytes("bytes", maximumBytes: ChatFileService.maximumBytes))
            }
        }
    }

    /// Likewise, with its thumbnail's bytes; nil, too, for a file without one.
    func thumbnail(of id: String, for user: UserID) async throws -> ChatFileService.Content? {
        try await database.fetch { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns), file.thumbnail FROM chat_files AS file
                        WHERE file.id = :id AND file.thumbnail IS NOT NULL AND \(Self.mayRead)
                        """), arguments: ["id": id.lowercased(), "user": user]
            ).map { row in
                .init(
                    file: try Self.file(row), mediaType: try Self.imageType(row, "thumbnail_type"),
                    bytes: try row.bytes("thumbnail", maximumBytes: CheckedImage.maximumBytes))
            }
        }
    }

    /// Keeps the thumbnail of an image that had none.
    func keepThumbnail(_ thumbnail: CheckedImage, of id: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE chat_files SET thumbnail_type = ?, thumbnail = ?
                    WHERE id = ? AND thumbnail IS NULL AND width IS NOT NULL
                    """,
                arguments: [thumbnail.mediaType, Data(thumbnail.bytes), id])
        }
    }

    /// False where the user has no such file that waits to be sent.
    func removeUnsent(_ id: String, of user: UserID) async throws -> Bool {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM chat_files
                    WHERE id = ? AND user_id = ? AND message_seq IS NULL
                        AND id NOT IN (SELECT group_photo FROM chat_conversations WHERE group_photo IS NOT NULL)
                    """, arguments: [id.lowercased(), user])
            return database.changesCount > 0
        }
    }

    /// Deletes what was uploaded before this date and never sent, nor made a group's photo. Returns how many.
    func removeUnsent(before date: Date) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM chat_files WHERE message_seq IS NULL AND created_at < ?
                        AND id NOT IN (SELECT group_photo FROM chat_conversations WHERE group_photo IS NOT NULL)
                    """, arguments: [date.timeIntervalSince1970])
            return database.changesCount
        }
    }

    // MARK: Within the transactions of messages

    package func attach(
        _ fileId: String, to seq: Int64, in conversation: ConversationID, by sender: ChatSender,
        _ database: GRDB.Database
    ) throws -> MessageFile {
        guard case .user(let user) = sender,
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns) FROM chat_files AS file
                        WHERE file.id = ? AND file.conversation_id = ? AND file.user_id = ?
                            AND file.message_seq IS NULL
                        """), arguments: [fileId.lowercased(), conversation, user])
        else {
            throw RoostError.invalid(
                field: "fileId", why: "This file is not here any more. Please choose it once more.")
        }
        let file = try Self.file(row)
        try database.execute(
            sql: "UPDATE chat_files SET message_seq = ? WHERE id = ?", arguments: [seq, file.id])
        return file
    }

    package func remove(_ fileId: String, _ database: GRDB.Database) throws {
        // A group's photo is more than the message that it came with: an admin has chosen it.
        try database.execute(
            sql: """
                UPDATE chat_files SET message_seq = NULL
                WHERE id = ? AND id IN (SELECT group_photo FROM chat_conversations WHERE id = conversation_id)
                """, arguments: [fileId])
        guard database.changesCount == 0 else { return }
        try database.execute(sql: "DELETE FROM chat_files WHERE id = ?", arguments: [fileId])
    }

    package func isImage(
        _ fileId: String, in conversation: ConversationID, _ database: GRDB.Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM chat_files WHERE id = ? AND conversation_id = ? AND width IS NOT NULL
                    )
                    """), arguments: [fileId, conversation]) ?? false
    }

    // MARK: Rows

    package static let stored = [
        StoredRows(
            "chat_files",
            sql: """
                SELECT id, name, type, width, height, byte_count, thumbnail_type, conversation_id, user_id,
                    message_seq, created_at, length(bytes) AS length
                FROM chat_files
                """
        ) { row in
            let file = try file(row)
            _ = (try row.text("conversation_id"), try row.idIfPresent("user_id"))
            _ = (try row.idIfPresent("message_seq"), try row.time("created_at"))
            _ = try row.number("length", in: file.byteCount...file.byteCount)
        }
    ]

    private static let imageTypes: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    private static func imageType(_ row: Row, _ column: String) throws -> String {
        let type = try row.text(column)
        guard imageTypes.contains(type) else { throw ImpossibleValue(column: column) }
        return type
    }

    static func file(_ row: Row, id: String = "id") throws -> MessageFile {
        let type = try row.text("type")
        let isImage = imageTypes.contains(type)
        guard isImage || type == ChatFileService.downloadType else { throw ImpossibleValue(column: "type") }
        return MessageFile(
            id: try row.text(id), name: try row.text("name"), type: type,
            byteCount: try row.number("byte_count", in: 0...ChatFileService.maximumBytes),
            width: isImage ? try row.number("width", in: 1...CheckedImage.maximumSide) : nil,
            height: isImage ? try row.number("height", in: 1...CheckedImage.maximumSide) : nil,
            hasThumbnail: try row.textIfPresent("thumbnail_type") != nil)
    }

    private static let noConversation = RoostError.notFound("There is no such conversation.")
}

/// The files of messages, as far as a message's own transaction needs them.
package protocol ChatAttachmentStore: Sendable {
    /// Joins an unsent file of this user and conversation to the message with this seq.
    ///
    /// Throws `RoostError.invalid("fileId")` for any other file.
    func attach(
        _ fileId: String, to seq: Int64, in conversation: ConversationID, by sender: ChatSender,
        _ database: GRDB.Database
    ) throws -> MessageFile
    /// Deletes the file of a message that is being deleted.
    func remove(_ fileId: String, _ database: GRDB.Database) throws
    /// Whether an image of this conversation can be its photo.
    func isImage(_ fileId: String, in conversation: ConversationID, _ database: GRDB.Database) throws -> Bool
}
