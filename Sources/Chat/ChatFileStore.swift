import Foundation
import GRDB
package import RoostSupport

package enum ChatFileStore {
    static let columns = MessageFile.selection(of: "file")

    /// Current members may read the files of all messages that are visible to them, their own unsent files, and the
    /// conversation's photo.
    fileprivate static let mayRead = """
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

    package static let stored = [
        StoredRows(
            "chat_files",
            sql: """
                SELECT \(columns), conversation_id, user_id, message_seq, created_at, length(bytes) AS length
                FROM chat_files AS file
                """
        ) { row in
            let file = try file(row)
            _ = (try row.text("conversation_id"), try row.idIfPresent("user_id"))
            _ = (try row.idIfPresent("message_seq"), try row.time("created_at"))
            _ = try row.number("length", in: file.byteCount...file.byteCount)
        }
    ]

    private static let imageTypes: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    fileprivate static func imageType(_ row: Row, _ column: String) throws -> String {
        let type = try row.text(column)
        guard imageTypes.contains(type) else { throw ImpossibleValue(column: column) }
        return type
    }

    /// Throws for a type that must not be served or a size that an image cannot have, whatever the table contains.
    static func file(_ row: Row, at index: Int = 0) throws -> MessageFile {
        let file = try MessageFile(row, at: index)
        if file.type == ChatFileService.downloadType { return file }
        guard imageTypes.contains(file.type) else { throw ImpossibleValue(column: "type") }
        let sides = 1...CheckedImage.maximumSide
        guard let width = file.width, let height = file.height, sides.contains(width), sides.contains(height)
        else { throw ImpossibleValue(column: "width") }
        return file
    }
}

extension Reads {
    /// Returns nil if there is no such file or the user may not read it.
    func file(_ id: String, for user: UserID) throws -> MessageFile? {
        try readableFile(id, for: user).map { try ChatFileStore.file($0) }
    }

    func fileContent(_ id: String, for user: UserID) throws -> ChatFileService.Content? {
        try readableFile(id, for: user, ", file.bytes").map { row in
            let file = try ChatFileStore.file(row)
            return .init(
                file: file, mediaType: file.type,
                bytes: try row.bytes("bytes", maximumBytes: ChatFileService.maximumBytes))
        }
    }

    /// Also returns nil if the file has no thumbnail.
    func fileThumbnail(_ id: String, for user: UserID) throws -> ChatFileService.Content? {
        try readableFile(
            id, for: user, ", file.thumbnail_type, file.thumbnail", where: "file.thumbnail IS NOT NULL"
        ).map { row in
            .init(
                file: try ChatFileStore.file(row),
                mediaType: try ChatFileStore.imageType(row, "thumbnail_type"),
                bytes: try row.bytes("thumbnail", maximumBytes: CheckedImage.maximumBytes))
        }
    }

    private func readableFile(
        _ id: String, for user: UserID, _ moreColumns: String = "", where condition: String = "TRUE"
    ) throws -> Row? {
        try database.row(
            """
            SELECT \(ChatFileStore.columns)\(moreColumns) FROM chat_files AS file
            WHERE file.id = :id AND \(condition) AND \(ChatFileStore.mayRead)
            """, ["id": id.lowercased(), "user": user])
    }

    /// A file with its sender, who is nil if the account was deleted.
    func uploadedFile(
        _ id: String
    ) throws -> (file: MessageFile, user: UserID?, conversation: ConversationID)? {
        try database.row(
            """
            SELECT \(ChatFileStore.columns), file.user_id, file.conversation_id
            FROM chat_files AS file WHERE file.id = ?
            """, [id]
        ).map { row in
            (
                try ChatFileStore.file(row), try row.idIfPresent("user_id"),
                try row.text("conversation_id")
            )
        }
    }

    func unsentFileCount(of user: UserID) throws -> Int {
        try database.value(
            Int.self, "SELECT count(*) FROM chat_files WHERE user_id = ? AND message_seq IS NULL", [user])
            ?? 0
    }

    func unsentFile(_ id: String, of user: UserID, in conversation: ConversationID) throws -> MessageFile? {
        try database.row(
            """
            SELECT \(ChatFileStore.columns) FROM chat_files AS file
            WHERE file.id = ? AND file.conversation_id = ? AND file.user_id = ?
                AND file.message_seq IS NULL
            """, [id.lowercased(), conversation, user]
        ).map { try ChatFileStore.file($0) }
    }

    /// Whether the file is an image of this conversation, so that it can be its photo.
    func isImage(_ file: String, in conversation: ConversationID) throws -> Bool {
        try database.value(
            Bool.self,
            """
            SELECT EXISTS (
                SELECT 1 FROM chat_files WHERE id = ? AND conversation_id = ? AND width IS NOT NULL
            )
            """, [file, conversation]) ?? false
    }
}

extension Writes {
    /// Adds an unsent file.
    func addFile(
        _ file: MessageFile, _ bytes: [UInt8], thumbnail: CheckedImage?, to conversation: ConversationID,
        by user: UserID, at now: Date
    ) throws {
        // Not with `insert`, whose compiled statement would keep the bytes in memory.
        try database.execute(
            sql: """
                INSERT INTO chat_files (id, conversation_id, user_id, name, type, width, height, byte_count,
                    created_at, thumbnail_type, thumbnail, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                file.id, conversation, user, file.name, file.type, file.width, file.height, bytes.count,
                now.stored, thumbnail?.mediaType, thumbnail.map { Data($0.bytes) },
                Data(bytes),
            ])
    }

    func setThumbnail(_ thumbnail: CheckedImage, of file: String) throws {
        try database.execute(
            sql: """
                UPDATE chat_files SET thumbnail_type = ?, thumbnail = ?
                WHERE id = ? AND thumbnail IS NULL AND width IS NOT NULL
                """,
            arguments: [thumbnail.mediaType, Data(thumbnail.bytes), file])
    }

    func removeUnsentFile(_ id: String, of user: UserID) throws -> Bool {
        try database.execute(
            sql: """
                DELETE FROM chat_files
                WHERE id = ? AND user_id = ? AND message_seq IS NULL
                    AND id NOT IN (SELECT group_photo FROM chat_conversations WHERE group_photo IS NOT NULL)
                """, arguments: [id.lowercased(), user])
        return database.changesCount > 0
    }

    /// Deletes files uploaded before this date that are neither sent nor a group's photo.
    func removeUnsentFiles(before date: Date) throws {
        try database.execute(
            sql: """
                DELETE FROM chat_files WHERE message_seq IS NULL AND created_at < ?
                    AND id NOT IN (SELECT group_photo FROM chat_conversations WHERE group_photo IS NOT NULL)
                """, arguments: [date.stored])
    }

    /// Makes an unsent file the file of a message.
    func attachFile(_ file: MessageFile, to seq: Int64) throws {
        let json = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        try database.execute(
            sql: "UPDATE chat_files SET message_seq = ? WHERE id = ?", arguments: [seq, file.id])
        try database.execute(
            sql: "UPDATE chat_messages SET file_id = ?, file = ? WHERE seq = ?",
            arguments: [file.id, json, seq])
    }

    /// Deletes the file of a message.
    func removeFile(_ id: String) throws {
        // An admin chose the group's photo, so it outlives the message it was sent with.
        try database.execute(
            sql: """
                UPDATE chat_files SET message_seq = NULL
                WHERE id = ? AND id IN (SELECT group_photo FROM chat_conversations WHERE id = conversation_id)
                """, arguments: [id])
        guard database.changesCount == 0 else { return }
        try database.execute(sql: "DELETE FROM chat_files WHERE id = ?", arguments: [id])
    }
}
