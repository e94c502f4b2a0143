import Foundation
package import GRDB
package import RoostSupport

/// Conversations in SQLite.
package struct ChatStore: Sendable {
    let database: any DatabaseWriter
    /// Nil where there are no files.
    let attachments: (any ChatAttachmentStore)?
    private let commits: GroupCommit

    package init(database: any DatabaseWriter, attachments: (any ChatAttachmentStore)?) {
        self.database = database
        self.attachments = attachments
        commits = GroupCommit(database: database)
    }

    /// Works in one transaction with its rows of the log. What was committed is in `recent` before the next commit.
    ///
    /// - Returns: also those who hear of it
    func write<Value: Sendable>(
        at now: Date, _ recent: ChatRecentLog, _ work: @escaping @Sendable (ChatTransaction) throws -> Value
    ) async throws -> (value: Value, users: Set<UserID>) {
        let (value, _, users) = try await commits.write { database in
            let transaction = ChatTransaction(database: database, now: now, attachments: attachments)
            let value = try work(transaction)
            let (commit, users) = try transaction.commit(recent)
            return (value, commit, users)
        } committed: { _, commit, _ in
            recent.remember(commit)
        }
        return (value, users)
    }

    /// Looks only.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (ChatTransaction) throws -> Value
    ) async throws -> Value {
        try await database.fetch { database in
            try work(ChatTransaction(database: database, now: .distantPast, attachments: attachments))
        }
    }

    func position() async throws -> Int64 { try await database.fetch(ChatTransaction.position) }

    /// All conversations of a user, or one: what is asked for and no member's is left out.
    ///
    /// - Parameter isBrief: of a group's members only the user and the last sender
    func summaries(
        of user: UserID, _ id: ConversationID? = nil, isBrief: Bool = false
    ) async throws -> [ConversationSummary] {
        try await database.fetch { database in
            let position = try ChatTransaction.position(database)
            return try ChatConversationRecord.summaries(
                of: user, id, isBrief: isBrief, logSeq: position, database)
        }
    }

    /// Everybody but the user, by name.
    func people(for user: UserID) async throws -> [Conversation.Member] {
        try await database.fetch { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT users.id, username, shown_name, avatars.version AS avatar
                        FROM users LEFT JOIN avatars ON avatars.user_id = users.id
                        WHERE users.id <> ? ORDER BY shown_name COLLATE NOCASE, users.id
                        """), arguments: [user]
            ).readable { row in
                let id = try row.id("id")
                return Conversation.Member(
                    userId: id, name: try row.text("shown_name"), username: try row.text("username"),
                    photoURL: ChatMessageRecord.photo(of: id, try? row.textIfPresent("avatar")))
            }
        }
    }

    func unreadTotal(of user: UserID) async throws -> Int {
        try await database.fetch { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
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
                        """), arguments: [user]) ?? 0
        }
    }

    // MARK: Messages

    /// Where a page is among the messages, by their numbers.
    enum Place: Sendable {
        case newest
        case between(after: Int, before: Int?)
        case before(Int)
        case around(Int)
    }

    func page(
        of id: ConversationID, for user: UserID, _ place: Place, limit: Int
    ) async throws -> ChatPage {
        try await read { chat in
            let membership = try chat.membership(of: user, in: id)
            return try Self.page(of: membership.conversationId, membership, place, limit: limit, chat)
        }
    }

    private static func page(
        of id: ConversationID, _ membership: ChatTransaction.Membership, _ place: Place, limit: Int,
        _ chat: ChatTransaction
    ) throws -> ChatPage {
        let (database, floor) = (chat.database, membership.visibleAfter)
        func firstSeq(from number: Int) throws -> Int64 { try chat.seq(from: number, in: id) ?? .max }
        func older(than seq: Int64, _ count: Int) throws -> [Message] {
            try Self.messages(id, (floor, seq), isBackwards: true, limit: count, database).reversed()
        }
        func newer(than seq: Int64, below: Int64 = .max, _ count: Int) throws -> [Message] {
            try Self.messages(id, (max(seq, floor), below), isBackwards: false, limit: count, database)
        }
        var messages: [Message]
        switch place {
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
            guard case .before(let number) = place else {
                return ChatPage(
                    messages: [], hasOlder: membership.lastMessageSeq > floor, hasNewer: false)
            }
            let first = max(try firstSeq(from: number), floor + 1)
            return ChatPage(messages: [], hasOlder: false, hasNewer: membership.lastMessageSeq >= first)
        }
        return ChatPage(
            messages: messages,
            hasOlder: try !Self.messages(id, (floor, first.seq), isBackwards: true, limit: 1, database)
                .isEmpty,
            hasNewer: membership.lastMessageSeq > last.seq)
    }

    /// - Parameter range: after the first and before the second
    private static func messages(
        _ id: ConversationID, _ range: (after: Int64, before: Int64), isBackwards: Bool, limit: Int,
        _ database: GRDB.Database
    ) throws -> [Message] {
        try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    \(ChatMessageRecord.select)
                    WHERE message.conversation_id = ? AND message.seq > ? AND message.seq < ?
                    ORDER BY message.seq \(isBackwards ? "DESC" : "ASC") LIMIT ?
                    """), arguments: [id, range.after, range.before, limit]
        ).readable(ChatMessageRecord.message)
    }

    /// How far a message has come with each of those who were members when it was sent, without its sender.
    func receipts(of seq: Int64, for user: UserID) async throws -> [MessageReceipt] {
        try await read { chat in
            let message = try chat.message(seq, for: user).message
            return try Row.fetchAll(
                chat.database.cachedStatement(
                    sql: """
                        SELECT member.user_id, shown_name, username, member.delivered_seq, member.read_seq
                        FROM chat_members AS member JOIN users ON users.id = member.user_id
                        WHERE member.conversation_id = ?1 AND member.joined_seq < ?2
                            AND (member.left_seq IS NULL OR member.left_seq > ?2)
                            AND CAST(member.user_id AS TEXT) <> ?3
                        ORDER BY shown_name COLLATE NOCASE, member.user_id
                        """), arguments: [message.conversationId, seq, message.senderId]
            ).readable { row in
                let (delivered, read): (Int64, Int64) = (
                    try row.value("delivered_seq"), try row.value("read_seq")
                )
                return MessageReceipt(
                    userId: try row.id("user_id"),
                    name: try row.text("shown_name"), username: try row.text("username"),
                    status: read >= seq ? .read : delivered >= seq ? .delivered : .sent)
            }
        }
    }

    // MARK: The log

    /// What a user is to hear of after a place in the log.
    func log(for user: UserID, after: Int64, limit: Int) async throws -> ChatLogPage {
        try await database.fetch { database in
            let end = try ChatTransaction.position(database)
            let (rows, memberships) = try Self.logRows(user, after, limit: limit + 1, database)
            let shown = rows.prefix(limit)
            let messages = try Self.messages(Set(shown.compactMap(\.messageSeq)), database)
            let numbers = try Self.numbers(
                Set(shown.compactMap(\.status).flatMap(\.ranges).joined()), database)
            var conversations: [ConversationID: Conversation] = [:]
            for id in Set(shown.filter { $0.kind == "conversation" }.map(\.conversationId)) {
                conversations[id] = try ChatConversationRecord.conversation(id, database)
            }
            let entries = shown.compactMap { record -> ChatLogEntry? in
                let entry = record.entry(messages, conversations, numbers)
                guard let visibleAfter = memberships[record.conversationId] else { return entry }
                return entry?.visible(after: visibleAfter)
            }
            let hasMore = rows.count > limit
            return ChatLogPage(
                entries: entries, next: hasMore ? shown.last?.seq ?? end : end, hasMore: hasMore)
        }
    }

    /// The rows, and what each conversation's member may see.
    private static func logRows(
        _ user: UserID, _ after: Int64, limit: Int, _ database: GRDB.Database
    ) throws -> ([ChatLogRecord], [ConversationID: Int64]) {
        let memberships = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT member.conversation_id, member.joined_seq, member.visible_after
                    FROM chat_members AS member
                    JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
                    WHERE member.user_id = ? AND member.left_seq IS NULL AND conversation.last_seq > ?
                    """), arguments: [user, after])
        var records = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(ChatLogRecord.columns), CASE kind WHEN 'read' THEN (
                            SELECT count_at_read FROM chat_members AS member
                            WHERE member.conversation_id = chat_log.conversation_id
                                AND member.user_id = chat_log.user_id AND left_seq IS NULL
                        ) END AS read_number
                    FROM chat_log WHERE user_id = ? AND seq > ?
                    """), arguments: [user, after]
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
            records += try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(ChatLogRecord.columns) FROM chat_log
                        WHERE conversation_id = ? AND user_id IS NULL AND seq > ?
                            AND (message_seq IS NULL OR message_seq > ?)
                        ORDER BY seq LIMIT ?
                        """), arguments: [id, max(after, joined - 1), floor, limit]
            ).readable(ChatLogRecord.init)
        }
        return (Array(records.sorted { $0.seq < $1.seq }.prefix(limit)), floors)
    }

    private static func messages(_ seqs: Set<Int64>, _ database: GRDB.Database) throws -> [Int64: Message] {
        guard !seqs.isEmpty else { return [:] }
        let messages = try Row.fetchCursor(
            database.cachedStatement(
                sql: ChatMessageRecord.select
                    + " WHERE message.seq IN (SELECT value FROM json_each(?))"),
            arguments: [seqs.jsonArray]
        ).readable(ChatMessageRecord.message)
        return Dictionary(messages.map { ($0.seq, $0) }, uniquingKeysWith: { $1 })
    }

    /// The numbers of these messages in their conversations.
    private static func numbers(_ seqs: Set<Int64>, _ database: GRDB.Database) throws -> [Int64: Int] {
        guard !seqs.isEmpty else { return [:] }
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT seq, number FROM chat_messages WHERE seq IN (SELECT value FROM json_each(?))"),
            arguments: [seqs.jsonArray])
        return Dictionary(
            try rows.map { (try $0.id("seq"), try $0.number("number", in: 1...Int.max)) },
            uniquingKeysWith: { $1 })
    }

    /// The members of all conversations with news after a place in the log.
    func members(concernedAfter seq: Int64) async throws -> Set<UserID> {
        try await database.fetch { database in
            try Int64.fetchSet(
                database.cachedStatement(
                    sql: """
                        SELECT DISTINCT member.user_id FROM chat_log AS entry
                        CROSS JOIN chat_members AS member ON member.conversation_id = entry.conversation_id
                        WHERE entry.seq > ? AND entry.user_id IS NULL AND member.left_seq IS NULL
                        """), arguments: [seq])
        }
    }

    // MARK: Rows

    package static let stored = [
        StoredRows(
            "chat_conversations",
            sql: """
                SELECT \(ChatConversationRecord.columns), conversation.*
                FROM chat_conversations AS conversation
                """
        ) { row in
            try ChatConversationRecord.check(row)
            _ = (
                try row.number("message_count", in: 0...Int.max), try row.value("last_seq") as Int64,
                try row.textIfPresent("pair"), try row.value("created_seq") as Int64
            )
        },
        StoredRows("chat_members") { row in
            _ = (try row.id("user_id"), try row.text("conversation_id"), try row.time("joined_at"))
            _ = (try row.choice("notify") as ChatNotify, try row.value("is_admin") as Bool)
            let places = ["joined_seq", "visible_after", "delivered_seq", "read_seq"]
            for place in places { _ = try row.number(place, in: 0...Int.max) }
            for count in ["count_at_read", "own_since_read"] { _ = try row.number(count, in: 0...Int.max) }
        },
        StoredRows("chat_messages", ChatMessageRecord.check),
        StoredRows("chat_reactions") { row in
            _ = (try row.id("message_seq"), try row.id("user_id"), try row.text("emoji"))
        },
        StoredRows("chat_drafts") { row in
            _ = (
                try row.id("user_id"), try row.text("text", maximumBytes: Message.maximumTextBytes),
                try row.time("changed_at")
            )
        },
        StoredRows("chat_older_links") { _ = try $0.number("last_seq", in: 0...Int.max) },
        StoredRows("chat_log", sql: "SELECT \(ChatLogRecord.columns), chat_log.* FROM chat_log") {
            _ = (try ChatLogRecord($0), try $0.time("at"))
        },
    ]
}
