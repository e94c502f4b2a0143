import Foundation
import GRDB
import RoostSupport
import TextFormats

struct ChatMembership: ColumnRecord, Sendable {
    private(set) var rowId: Int64 = 0
    /// The stored id; the requested one may differ in case.
    private(set) var conversationId: ConversationID = ""
    private(set) var userId: UserID = 0
    private(set) var isAdmin = false
    private(set) var isGroup = false
    private(set) var joinedSeq: Int64 = 0
    /// The user may only see what comes after this log position.
    private(set) var visibleAfter: Int64 = 0
    private(set) var deliveredSeq: Int64 = 0
    private(set) var readSeq: Int64 = 0
    private(set) var messageCount = 0
    private(set) var lastMessageSeq: Int64 = 0

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &rowId)
        try columns.column("conversation_id", &conversationId)
        try columns.column("user_id", &userId)
        try columns.column("is_admin", &isAdmin)
        try columns.column("is_group", sql: "conversation.is_group", &isGroup)
        try columns.column("joined_seq", &joinedSeq)
        try columns.column("visible_after", &visibleAfter)
        try columns.column("delivered_seq", &deliveredSeq)
        try columns.column("read_seq", &readSeq)
        try columns.column("message_count", sql: "conversation.message_count", &messageCount)
        try columns.column("last_message_seq", sql: "conversation.last_message_seq", &lastMessageSeq)
        // Counts of unread messages are calculated from it.
        messageCount = max(messageCount, 0)
    }
}

enum ChatConversationStore {
    /// A row of `chat_conversations`, without its members.
    struct Record: ColumnRecord {
        private(set) var id: ConversationID = ""
        private var isGroup = false
        private var groupName: String?
        private var groupPhoto: String?
        private var createdBy: UserID?
        private var createdAt = Date.distantPast
        private(set) var messageCount = 0
        private var lastMessage = ""
        private var lastMessageAt = Date.distantPast
        private var lastMessageSeq: Int64 = 0
        private var lastSender: String?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("id", &id)
            try columns.column("is_group", &isGroup)
            try columns.column("group_name", &groupName)
            try columns.column("group_photo", &groupPhoto)
            try columns.column("created_by", &createdBy)
            try columns.column("created_at", &createdAt)
            try columns.column("message_count", &messageCount)
            try columns.column("last_message", &lastMessage)
            try columns.column("last_message_at", &lastMessageAt)
            try columns.column("last_message_seq", &lastMessageSeq)
            try columns.column("last_sender", &lastSender)
        }

        static let columns = selection(of: "conversation")
        static let count = columnCount

        /// Throws `ValidationError` without members.
        fileprivate func conversation(_ members: [Member]) throws -> Conversation {
            try Conversation(
                id: id, participants: members.map(\.userId), isGroup: isGroup, groupName: groupName,
                groupPhotoURL: groupPhoto.map { "/chat/files/\($0)" }, lastMessage: lastMessage,
                lastMessageAt: lastMessageAt, lastMessageSenderId: lastSender, createdBy: createdBy,
                createdAt: createdAt, admins: isGroup ? members.filter(\.isAdmin).map(\.userId) : nil,
                members: members.map(\.person.member), lastSeq: lastMessageSeq, lastNumber: messageCount)
        }
    }

    /// What a member sees of a conversation.
    fileprivate struct Viewer: ColumnRecord {
        private(set) var countAtRead = 0
        private(set) var ownSinceRead = 0
        private(set) var notify = ChatNotify.all
        private(set) var visibleAfter: Int64 = 0
        private(set) var draft: String?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("count_at_read", &countAtRead)
            try columns.column("own_since_read", &ownSinceRead)
            try columns.column("notify", &notify)
            try columns.column("visible_after", &visibleAfter)
            try columns.column("draft", sql: "draft.text", &draft)
        }

        static let columns = selection(of: "member")
    }

    /// Columns of `users` and `avatars`.
    fileprivate struct Person: ColumnRecord {
        private(set) var id: UserID = 0
        private var username = ""
        private var name = ""
        private var avatar: String?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("person_id", sql: "users.id", &id)
            try columns.column("username", sql: "users.username", &username)
            try columns.column("shown_name", sql: "users.shown_name", &name)
            // A bad picture row must not hide the user. Last, because a failed column is not passed over.
            try? columns.column("avatar", sql: "avatars.version", &avatar)
        }

        static let columns = selection(of: "users")

        var member: Conversation.Member {
            Conversation.Member(
                userId: id, name: name, username: username, photoURL: ChatMessageStore.photo(of: id, avatar))
        }
    }

    fileprivate struct Member: ColumnRecord {
        private(set) var conversationId: ConversationID = ""
        private(set) var isAdmin = false
        private(set) var person = Person()

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("conversation_id", &conversationId)
            try columns.column("is_admin", &isAdmin)
            try person.columns(&columns)
        }

        static let columns = selection(of: "member")

        var userId: UserID { person.id }
    }

    fileprivate static let membershipColumns = ChatMembership.selection(of: "member")

    fileprivate static let ownTables = """
        chat_members AS member JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
        LEFT JOIN chat_drafts AS draft
            ON draft.user_id = member.user_id AND draft.conversation_id = member.conversation_id
        """

    fileprivate static let memberNames = """
        JOIN users ON users.id = member.user_id
        LEFT JOIN avatars ON avatars.user_id = member.user_id
        ORDER BY member.joined_seq, member.id
        """

    fileprivate static func json(_ conversations: [ConversationID]) throws -> String {
        String(decoding: try JSONEncoder().encode(conversations), as: UTF8.self)
    }
}

extension Reads {
    /// Returns nil if the user isn't a current member.
    func membership(of user: UserID, in id: ConversationID) throws -> ChatMembership? {
        try database.row(
            """
            SELECT \(ChatConversationStore.membershipColumns)
            FROM chat_members AS member
            JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
            WHERE member.conversation_id = \(ChatStore.storedId) AND member.user_id = ?
                AND member.left_seq IS NULL
            """, [id, user]
        ).map { try ChatMembership($0) }
    }

    /// Throws `RoostError.notFound` if the user isn't a current member.
    func requiredMembership(of user: UserID, in id: ConversationID) throws -> ChatMembership {
        guard let membership = try membership(of: user, in: id) else { throw RoostError.unknownConversation }
        return membership
    }

    /// Returns nil if there is no such conversation or it has no members.
    func conversation(_ id: ConversationID) throws -> Conversation? {
        let row = try database.row(
            """
            SELECT \(ChatConversationStore.Record.columns) FROM chat_conversations AS conversation
            WHERE conversation.id = ?
            """, [id])
        guard let row else { return nil }
        let members = try members(of: [id])[id] ?? []
        return try? ChatConversationStore.Record(row).conversation(members)
    }

    func conversation(ofPair pair: String) throws -> ConversationID? {
        try database.value(String.self, "SELECT id FROM chat_conversations WHERE pair = ?", [pair])
    }

    func storedConversation(_ id: ConversationID) throws -> ConversationID? {
        try database.value(String.self, "SELECT \(ChatStore.storedId)", [id])
    }

    /// Returns a user's conversations, newest message first, or only the one with this id; empty if the user
    /// isn't a member.
    ///
    /// - Parameter isBrief: limits a group's members to the user and the last sender
    func conversationSummaries(
        of user: UserID, _ id: ConversationID? = nil, isBrief: Bool = false
    ) throws -> [ConversationSummary] {
        let logSeq = try chatLogEnd()
        var sql = """
            SELECT \(ChatConversationStore.Record.columns), \(ChatConversationStore.Viewer.columns)
            FROM \(ChatConversationStore.ownTables)
            WHERE member.user_id = ? AND member.left_seq IS NULL
            """
        var arguments: StatementArguments = [user]
        if let id {
            sql += " AND member.conversation_id = \(ChatStore.storedId)"
            arguments += [id]
        } else {
            sql += " ORDER BY max(conversation.last_message_seq, conversation.created_seq) DESC"
        }
        let found = try database.cursor(sql, arguments).readable { row in
            (
                record: try ChatConversationStore.Record(row),
                viewer: try ChatConversationStore.Viewer(row, at: ChatConversationStore.Record.count)
            )
        }
        let ids = found.map(\.record.id)
        let members = try isBrief ? namedMembers(of: ids, for: user) : members(of: ids)
        return found.compactMap { record, viewer in
            guard let conversation = try? record.conversation(members[record.id] ?? []) else { return nil }
            // Counts of a damaged database could overflow.
            let unread = conversation.lastNumber &- viewer.countAtRead &- viewer.ownSinceRead
            var visible = conversation.visible(after: viewer.visibleAfter)
            if unread > 0 { visible.unreadCount = [user: unread] }
            return ConversationSummary(
                conversation: visible, userId: user, readNumber: viewer.countAtRead, unread: unread,
                notify: viewer.notify, draft: viewer.draft, visibleAfter: viewer.visibleAfter, logSeq: logSeq)
        }
    }

    /// The current members of each conversation, in the order of joining.
    private func members(of conversations: [ConversationID]) throws
        -> [ConversationID: [ChatConversationStore.Member]]
    {
        let sql = """
            SELECT \(ChatConversationStore.Member.columns)
            FROM json_each(?) AS wanted
            JOIN chat_members AS member
                ON member.conversation_id = wanted.value AND member.left_seq IS NULL
            \(ChatConversationStore.memberNames)
            """
        return try members(sql, [try ChatConversationStore.json(conversations)])
    }

    /// Returns the members that a list of conversations shows: both of a direct conversation, and the user and last
    /// sender of a group.
    ///
    /// CROSS fixes the order of the joins, because SQLite cannot estimate how many members a group has.
    private func namedMembers(
        of conversations: [ConversationID], for user: UserID
    ) throws -> [ConversationID: [ChatConversationStore.Member]] {
        let present = """
            SELECT member.id FROM json_each(?1) AS wanted
            CROSS JOIN chat_conversations AS conversation ON conversation.id = wanted.value
            CROSS JOIN chat_members AS member
                ON member.conversation_id = conversation.id AND member.left_seq IS NULL
            """
        let sql = """
            SELECT \(ChatConversationStore.Member.columns)
            FROM (
                \(present) WHERE conversation.is_group = 0
                UNION ALL
                \(present) AND member.user_id IN (?2, CAST(conversation.last_sender AS INTEGER))
                WHERE conversation.is_group = 1
            ) AS named
            CROSS JOIN chat_members AS member ON member.id = named.id
            \(ChatConversationStore.memberNames)
            """
        return try members(sql, [try ChatConversationStore.json(conversations), user])
    }

    private func members(
        _ sql: String, _ arguments: StatementArguments
    ) throws -> [ConversationID: [ChatConversationStore.Member]] {
        let found = try database.cursor(sql, arguments).readable { try ChatConversationStore.Member($0) }
        return Dictionary(grouping: found, by: \.conversationId)
    }

    func memberIds(of id: ConversationID) throws -> [UserID] {
        try database.values(
            Int64.self,
            """
            SELECT user_id FROM chat_members WHERE conversation_id = ? AND left_seq IS NULL
            ORDER BY joined_seq, id
            """, [id])
    }

    func memberNames(of id: ConversationID) throws -> [Mentions.Name] {
        try database.rows(
            """
            SELECT users.id, username FROM chat_members JOIN users ON users.id = user_id
            WHERE conversation_id = ? AND left_seq IS NULL
            """, [id]
        ).readable { Mentions.Name(userId: try $0.id("id"), username: try $0.text("username")) }
    }

    func audience(of id: ConversationID) throws -> ChatAudience {
        let rows = try database.rows(
            """
            SELECT user_id, joined_seq, visible_after FROM chat_members
            WHERE conversation_id = ? AND left_seq IS NULL
            """, [id])
        var members: [UserID: ChatAudience.Membership] = [:]
        for row in rows {
            members[try row.id("user_id")] = .init(
                joinedSeq: try row.value("joined_seq"), visibleAfter: try row.value("visible_after"))
        }
        return ChatAudience(members: members)
    }

    func missingUsers(among users: [UserID]) throws -> Set<UserID> {
        let existing = try Set(
            database.values(
                Int64.self, "SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?))",
                [users.jsonArray]))
        return Set(users).subtracting(existing)
    }

    func chatPeople(for user: UserID) throws -> [Conversation.Member] {
        try database.rows(
            """
            SELECT \(ChatConversationStore.Person.columns)
            FROM users LEFT JOIN avatars ON avatars.user_id = users.id
            WHERE users.id <> ? ORDER BY shown_name COLLATE NOCASE, users.id
            """, [user]
        ).readable { try ChatConversationStore.Person($0).member }
    }

    func unreadTotal(of user: UserID) throws -> Int {
        try database.value(
            Int.self,
            """
            SELECT sum(CASE notify WHEN 'all' THEN message_count - count_at_read - own_since_read
                ELSE (
                    SELECT count(*) FROM chat_messages AS message
                        INDEXED BY chat_messages_with_mentions
                    WHERE message.conversation_id = member.conversation_id
                        AND message.seq > member.read_seq AND message.mentions IS NOT NULL
                        AND message.sender_id IS NOT member.user_id
                        AND EXISTS (
                            SELECT 1 FROM json_each(iif(json_valid(message.mentions), message.mentions, '[]'))
                            WHERE value = member.user_id))
                END)
            FROM chat_members AS member
            JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
            WHERE member.user_id = ? AND member.left_seq IS NULL AND member.notify <> 'none'
            """, [user]) ?? 0
    }

    func adminCount(of id: ConversationID) throws -> Int {
        try database.value(
            Int.self,
            """
            SELECT count(*) FROM chat_members
            WHERE conversation_id = ? AND left_seq IS NULL AND is_admin = 1
            """, [id]) ?? 0
    }

    func chatDraft(of user: UserID, in id: ConversationID) throws -> String? {
        try database.value(
            String.self, "SELECT text FROM chat_drafts WHERE user_id = ? AND conversation_id = ?", [user, id])
    }
}

extension Writes {
    func addConversation(
        _ id: ConversationID, isGroup: Bool, groupName: String?, pair: String?, by user: UserID, at now: Date
    ) throws {
        let now = now.stored
        try database.execute(
            sql: """
                INSERT INTO chat_conversations (id, is_group, group_name, pair, created_by, created_at, last_message_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: [id, isGroup, groupName, pair, user, now, now])
    }

    func setCreatedSeq(_ seq: Int64, of id: ConversationID) throws {
        try database.execute(
            sql: "UPDATE chat_conversations SET created_seq = ? WHERE id = ?", arguments: [seq, id])
    }

    /// - Parameter count: the conversation's messages, which count as read
    func addMember(
        _ user: UserID, to id: ConversationID, from seq: Int64, isAdmin: Bool = false,
        visibleAfter: Int64 = 0, count: Int = 0, at now: Date
    ) throws {
        try execute(
            """
            INSERT INTO chat_members (conversation_id, user_id, is_admin, joined_at, joined_seq, visible_after,
                delivered_seq, read_seq, count_at_read)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id, user, isAdmin, now.stored, seq, visibleAfter, seq, seq, count,
            ])
    }

    func endMembership(_ membership: ChatMembership, at seq: Int64) throws {
        try database.execute(
            sql: "UPDATE chat_members SET left_seq = ?, is_admin = 0 WHERE id = ?",
            arguments: [seq, membership.rowId])
    }

    /// If a group has no admin, its longest member becomes one.
    func ensureAdmin(of id: ConversationID) throws {
        try database.execute(
            sql: """
                UPDATE chat_members SET is_admin = 1
                WHERE id = (
                        SELECT id FROM chat_members WHERE conversation_id = ?1 AND left_seq IS NULL
                        ORDER BY joined_seq, id LIMIT 1)
                    AND NOT EXISTS (
                        SELECT 1 FROM chat_members
                        WHERE conversation_id = ?1 AND left_seq IS NULL AND is_admin = 1)
                """, arguments: [id])
    }

    /// Deletes what only this user has of a conversation: log entries, the draft and webhooks.
    func removeOwnRows(of user: UserID, in id: ConversationID) throws {
        try database.execute(
            sql: "DELETE FROM chat_log WHERE user_id = ? AND conversation_id = ?", arguments: [user, id])
        try database.execute(
            sql: "DELETE FROM chat_drafts WHERE user_id = ? AND conversation_id = ?", arguments: [user, id])
        try database.execute(
            sql: "DELETE FROM chat_webhooks WHERE conversation_id = ? AND created_by = ?",
            arguments: [id, user])
    }

    func setAdmin(_ isAdmin: Bool, _ membership: ChatMembership) throws {
        try database.execute(
            sql: "UPDATE chat_members SET is_admin = ? WHERE id = ?", arguments: [isAdmin, membership.rowId])
    }

    func renameGroup(_ id: ConversationID, to name: String?) throws {
        try database.execute(
            sql: "UPDATE chat_conversations SET group_name = ? WHERE id = ?", arguments: [name, id])
    }

    func setGroupPhoto(_ file: String?, of id: ConversationID) throws {
        try database.execute(
            sql: "UPDATE chat_conversations SET group_photo = ? WHERE id = ?", arguments: [file, id])
    }

    func setNotify(_ notify: ChatNotify, _ membership: ChatMembership) throws {
        try database.execute(
            sql: "UPDATE chat_members SET notify = ? WHERE id = ?",
            arguments: [notify.rawValue, membership.rowId])
    }

    /// An empty text deletes the draft.
    func setChatDraft(_ text: String, of user: UserID, in id: ConversationID, at now: Date) throws {
        if text.isEmpty {
            try database.execute(
                sql: "DELETE FROM chat_drafts WHERE user_id = ? AND conversation_id = ?",
                arguments: [user, id])
        } else {
            try execute(
                """
                INSERT INTO chat_drafts (user_id, conversation_id, text, changed_at) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET text = excluded.text, changed_at = excluded.changed_at
                """, [user, id, text, now.stored])
        }
    }
}
