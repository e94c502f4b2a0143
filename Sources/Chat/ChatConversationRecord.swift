import Foundation
import GRDB
import RoostSupport
import TextFormats

/// Reads conversations with their members.
enum ChatConversationRecord {
    /// What `conversation(_:_:)` reads, in its order.
    static let columns = """
        conversation.id, conversation.is_group, conversation.group_name, conversation.group_photo,
        conversation.created_by, conversation.created_at, conversation.message_count, conversation.last_message,
        conversation.last_message_at, conversation.last_message_seq, conversation.last_sender
        """

    private static let viewerColumns = """
        member.count_at_read, member.own_since_read, member.notify, member.visible_after,
        member.user_id, draft.text AS draft
        """

    private static let ownTables = """
        chat_members AS member JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
        LEFT JOIN chat_drafts AS draft
            ON draft.user_id = member.user_id AND draft.conversation_id = member.conversation_id
        """

    /// A conversation; nil when there is none, or without members.
    static func conversation(_ id: ConversationID, _ database: GRDB.Database) throws -> Conversation? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(columns) FROM chat_conversations AS conversation WHERE conversation.id = ?"),
            arguments: [id])
        guard let row else { return nil }
        var reader = RowReader(row)
        return try? conversation(&reader, members([id], database)[id] ?? [])
    }

    /// A user's conversations, the one with the newest message first; or the one of this id.
    ///
    /// - Parameter isBrief: of a group's members only the user and the last sender
    static func summaries(
        of user: UserID, _ id: ConversationID? = nil, isBrief: Bool = false, logSeq: Int64,
        _ database: GRDB.Database
    ) throws -> [ConversationSummary] {
        var sql = """
            SELECT \(columns), \(viewerColumns) FROM \(ownTables)
            WHERE member.user_id = ? AND member.left_seq IS NULL
            """
        var arguments: StatementArguments = [user]
        if let id {
            sql += " AND member.conversation_id = \(ChatTransaction.storedId)"
            arguments += [id]
        } else {
            sql += " ORDER BY max(conversation.last_message_seq, conversation.created_seq) DESC"
        }
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
        let ids = rows.readable { row in
            var reader = RowReader(row)
            return try reader.text()
        }
        let members = try isBrief ? namedMembers(of: ids, for: user, database) : members(ids, database)
        return rows.readable { row in
            var (first, reader) = (RowReader(row), RowReader(row))
            let conversation = try conversation(&reader, members[first.text()] ?? [])
            let (countAtRead, ownSinceRead) = (try reader.count(), try reader.count())
            let notify: ChatNotify = try reader.choice()
            let visibleAfter: Int64 = try reader.value()
            reader.skip(1)
            let draft = try reader.ifPresent { try $0.text(maximumBytes: Message.maximumTextBytes) }
            let unread = conversation.lastNumber - countAtRead - ownSinceRead
            var shown = conversation.visible(after: visibleAfter)
            if unread > 0 { shown.unreadCount = [user: unread] }
            return ConversationSummary(
                conversation: shown, userId: user, readNumber: countAtRead, unread: unread, notify: notify,
                draft: draft, visibleAfter: visibleAfter, logSeq: logSeq)
        }
    }

    /// Reads `columns`.
    private static func conversation(_ reader: inout RowReader, _ members: [Member]) throws -> Conversation {
        let id = try reader.text()
        let isGroup = try reader.flag()
        let groupName = try reader.ifPresent { try $0.text() }
        let photo = try reader.ifPresent { try $0.text() }
        let createdBy = try reader.ifPresent { try $0.id() }
        let createdAt = try reader.time()
        let messageCount = try reader.count()
        let lastMessage = try reader.text(maximumBytes: Message.maximumTextBytes)
        let lastMessageAt = try reader.time()
        let lastSeq: Int64 = try reader.value()
        let lastSender = try reader.ifPresent { try $0.text() }
        do {
            return try Conversation(
                id: id, participants: members.map(\.userId), isGroup: isGroup, groupName: groupName,
                groupPhotoURL: photo.map { "/chat/files/\($0)" }, lastMessage: lastMessage,
                lastMessageAt: lastMessageAt, lastMessageSenderId: lastSender, createdBy: createdBy,
                createdAt: createdAt, admins: isGroup ? members.filter(\.isAdmin).map(\.userId) : nil,
                members: members.map(\.shown), lastSeq: lastSeq, lastNumber: messageCount)
        } catch let error as ValidationError {
            throw ImpossibleValue(column: error.field)
        }
    }

    /// Throws for a row that begins with `columns` and cannot be read; its members do not matter.
    static func check(_ row: Row) throws {
        let nobody = Conversation.Member(userId: 1, name: "", username: "")
        var reader = RowReader(row)
        _ = try conversation(&reader, [Member(shown: nobody, isAdmin: false)])
    }

    struct Member {
        let shown: Conversation.Member
        let isAdmin: Bool

        var userId: UserID { shown.userId }
    }

    private static let memberColumns = """
        SELECT member.conversation_id, member.user_id, member.is_admin, users.username, users.shown_name,
            avatars.version AS avatar
        """

    private static let memberNames = """
        JOIN users ON users.id = member.user_id
        LEFT JOIN avatars ON avatars.user_id = member.user_id
        ORDER BY member.joined_seq, member.id
        """

    /// The present members of each of these conversations, in the order of their coming.
    static func members(_ conversations: [ConversationID], _ database: GRDB.Database) throws
        -> [ConversationID: [Member]]
    {
        let sql = """
            \(memberColumns)
            FROM json_each(?) AS wanted
            JOIN chat_members AS member
                ON member.conversation_id = wanted.value AND member.left_seq IS NULL
            \(memberNames)
            """
        return try members(sql, [try json(conversations)], database)
    }

    /// Those whom a list of conversations names: both of a pair, and of a group the user and the last sender.
    ///
    /// The order of the joins is fixed (CROSS), as SQLite knows nothing of how many members a group has.
    private static func namedMembers(
        of conversations: [ConversationID], for user: UserID, _ database: GRDB.Database
    ) throws -> [ConversationID: [Member]] {
        let present = """
            SELECT member.id FROM json_each(?1) AS wanted
            CROSS JOIN chat_conversations AS conversation ON conversation.id = wanted.value
            CROSS JOIN chat_members AS member
                ON member.conversation_id = conversation.id AND member.left_seq IS NULL
            """
        let sql = """
            \(memberColumns)
            FROM (
                \(present) WHERE conversation.is_group = 0
                UNION ALL
                \(present) AND member.user_id IN (?2, CAST(conversation.last_sender AS INTEGER))
                WHERE conversation.is_group = 1
            ) AS named
            CROSS JOIN chat_members AS member ON member.id = named.id
            \(memberNames)
            """
        return try members(sql, [try json(conversations), user], database)
    }

    private static func json(_ conversations: [ConversationID]) throws -> String {
        String(decoding: try JSONEncoder().encode(conversations), as: UTF8.self)
    }

    private static func members(
        _ sql: String, _ arguments: StatementArguments, _ database: GRDB.Database
    ) throws -> [ConversationID: [Member]] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var members: [ConversationID: [Member]] = [:]
        while let row = try rows.next() {
            var reader = RowReader(row)
            guard let conversation = try? reader.text(), let member = try? member(&reader) else { continue }
            members[conversation, default: []].append(member)
        }
        return members
    }

    private static func member(_ reader: inout RowReader) throws -> Member {
        let (user, isAdmin) = (try reader.id(), try reader.flag())
        let (username, name) = (try reader.text(), try reader.text())
        let avatar = try? reader.ifPresent { try $0.text() }
        return Member(
            shown: Conversation.Member(
                userId: user, name: name, username: username,
                photoURL: ChatMessageRecord.photo(of: user, avatar ?? nil)),
            isAdmin: isAdmin)
    }
}
