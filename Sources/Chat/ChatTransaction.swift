import Foundation
import GRDB
import RoostSupport

/// Conversations within one transaction: each change writes its row of the log.
final class ChatTransaction {
    /// A present membership, with what its conversation knows.
    struct Membership {
        let rowId: Int64
        /// The stored id: the one that was asked for may be in another case.
        let conversationId: ConversationID
        let userId: UserID
        let isAdmin: Bool
        let isGroup: Bool
        let joinedSeq: Int64
        let visibleAfter: Int64
        let deliveredSeq: Int64
        let readSeq: Int64
        let messageCount: Int
        let lastMessageSeq: Int64
    }

    /// So many of a changed message's newest replies are told of with it: one edit cannot fill the log.
    private static let maximumRenewedReplies = 500

    let database: GRDB.Database
    /// Seconds since 1970.
    let now: Double
    private let attachments: (any ChatAttachmentStore)?
    private var items: [ChatCommit.Item] = []
    private var changedMembers: Set<ConversationID> = []

    init(database: GRDB.Database, now: Date, attachments: (any ChatAttachmentStore)?) {
        self.database = database
        self.now = now.timeIntervalSince1970
        self.attachments = attachments
    }

    private var time: Date { Date(timeIntervalSince1970: now) }

    // MARK: Looking

    static let isUnknown = RoostError.notFound("There is no such conversation.")
    static let isUnknownMessage = RoostError.notFound("There is no such message.")

    /// A conversation's stored id, as SQL: ids are UUIDs, which are the same in any case.
    static let storedId = "(SELECT id FROM chat_conversations WHERE id = ? COLLATE NOCASE)"

    /// Throws `RoostError.notFound` for those who are no members now.
    func membership(of user: UserID, in id: ConversationID) throws -> Membership {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT member.id, conversation_id, is_admin, is_group, joined_seq, visible_after,
                        delivered_seq, read_seq, message_count, last_message_seq
                    FROM chat_members AS member
                    JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
                    WHERE member.conversation_id = \(Self.storedId) AND member.user_id = ?
                        AND member.left_seq IS NULL
                    """), arguments: [id, user])
        guard let row else { throw Self.isUnknown }
        return Membership(
            rowId: try row.id("id"), conversationId: try row.text("conversation_id"), userId: user,
            isAdmin: try row.value("is_admin"),
            isGroup: try row.value("is_group"), joinedSeq: try row.value("joined_seq"),
            visibleAfter: try row.value("visible_after"), deliveredSeq: try row.value("delivered_seq"),
            readSeq: try row.value("read_seq"),
            messageCount: try row.number("message_count", in: 0...Int.max),
            lastMessageSeq: try row.value("last_message_seq"))
    }

    func message(_ seq: Int64) throws -> Message? {
        try Row.fetchAll(
            database.cachedStatement(sql: ChatMessageRecord.select + " WHERE message.seq = ?"),
            arguments: [seq]
        ).readable(ChatMessageRecord.message).first
    }

    /// Throws `RoostError.notFound` for a message that the user may not see.
    func message(_ seq: Int64, for user: UserID) throws -> (message: Message, membership: Membership) {
        guard let message = try message(seq),
            let membership = try? membership(of: user, in: message.conversationId),
            seq > membership.visibleAfter
        else { throw Self.isUnknownMessage }
        return (message, membership)
    }

    /// The message of this number in a conversation.
    func message(number: Int, in id: ConversationID) throws -> Message? {
        try Row.fetchAll(
            database.cachedStatement(
                sql: ChatMessageRecord.select + " WHERE message.conversation_id = ? AND message.number = ?"),
            arguments: [id, number]
        ).readable(ChatMessageRecord.message).first
    }

    /// The number of a message that an earlier version linked to by its seq; nil for a seq that is newer than those links.
    func number(ofOlderLink seq: Int64, in id: ConversationID) throws -> Int? {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT number FROM chat_messages WHERE seq = ? AND conversation_id = ?
                        AND seq <= (SELECT last_seq FROM chat_older_links)
                    """), arguments: [seq, id])
    }

    /// The seq of a conversation's first message with this number or a later one; nil after the last.
    func seq(from number: Int, in id: ConversationID) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT seq FROM chat_messages WHERE conversation_id = ? AND number >= ?
                    ORDER BY number LIMIT 1
                    """), arguments: [id, number])
    }

    func message(id: String, of sender: ChatSender) throws -> Message? {
        try Row.fetchAll(
            database.cachedStatement(
                sql: ChatMessageRecord.select
                    + " WHERE message.sender_key = ? AND message.id = ? COLLATE NOCASE"),
            arguments: [sender.key, id]
        ).readable(ChatMessageRecord.message).first
    }

    func conversation(_ id: ConversationID) throws -> Conversation {
        guard let conversation = try ChatConversationRecord.conversation(id, database) else {
            throw Self.isUnknown
        }
        return conversation
    }

    func conversation(ofPair pair: String) throws -> ConversationID? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM chat_conversations WHERE pair = ?"),
            arguments: [pair])
    }

    /// The id of a conversation as it is stored; nil for an unknown one.
    func storedId(_ id: ConversationID) throws -> ConversationID? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT \(Self.storedId)"), arguments: [id])
    }

    /// Those of the users that have no account.
    func unknown(of users: [UserID]) throws -> Set<UserID> {
        let known = try Int64.fetchSet(
            database.cachedStatement(
                sql: "SELECT id FROM users WHERE id IN (SELECT value FROM json_each(?))"),
            arguments: [users.jsonArray])
        return Set(users).subtracting(known)
    }

    func memberIds(of id: ConversationID) throws -> [UserID] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT user_id FROM chat_members WHERE conversation_id = ? AND left_seq IS NULL
                    ORDER BY joined_seq, id
                    """), arguments: [id])
    }

    private func names(in id: ConversationID) throws -> [Mentions.Name] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT users.id, username FROM chat_members JOIN users ON users.id = user_id
                    WHERE conversation_id = ? AND left_seq IS NULL
                    """), arguments: [id]
        ).readable { Mentions.Name(userId: try $0.id("id"), username: try $0.text("username")) }
    }

    /// A JSON array, or nil when the text names no member.
    private func mentions(in text: String, _ id: ConversationID) throws -> String? {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let users = Mentions.find(in: text, among: try names(in: id))
        return users.isEmpty ? nil : users.jsonArray
    }

    // MARK: The log

    /// Adds a row to the log for all members; its place.
    private func append(_ kind: String, in id: ConversationID, message: Int64? = nil, data: String? = nil)
        throws
        -> Int64
    {
        try database.cachedStatement(
            sql: "INSERT INTO chat_log (conversation_id, kind, message_seq, data, at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [id, kind, message, data, now])
        return database.lastInsertedRowID
    }

    private func note(_ seq: Int64, in id: ConversationID, _ kind: ChatLogEntry.Kind, for user: UserID? = nil)
    {
        items.append(.init(entry: ChatLogEntry(seq: seq, conversationId: id, kind: kind), user: user))
    }

    /// The newest row of the log that all members hear of.
    private func setLast(_ seq: Int64, in id: ConversationID) throws {
        try database.cachedStatement(sql: "UPDATE chat_conversations SET last_seq = ? WHERE id = ?")
            .execute(arguments: [seq, id])
    }

    /// Adds a row that one user alone hears of, in place of the last of its kind.
    private func appendPrivate(
        _ kind: ChatLogEntry.Kind, data: String?, in id: ConversationID, for user: UserID
    ) throws {
        try database.cachedStatement(
            sql: "DELETE FROM chat_log WHERE user_id = ? AND conversation_id = ? AND kind = ?"
        ).execute(arguments: [user, id, kind.name])
        try database.cachedStatement(
            sql: "INSERT INTO chat_log (conversation_id, kind, user_id, data, at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [id, kind.name, user, data, now])
        note(database.lastInsertedRowID, in: id, kind, for: user)
    }

    /// Says what a message is now.
    private func appendMessage(_ seq: Int64, in id: ConversationID) throws -> Message {
        let place = try append("message", in: id, message: seq)
        try setLast(place, in: id)
        guard let message = try message(seq) else { throw ImpossibleValue(column: "seq") }
        note(place, in: id, .message(message))
        return message
    }

    /// Says what a conversation is now, when all of the transaction is done to it.
    private func noteConversation(_ place: Int64, _ id: ConversationID) throws {
        try setLast(place, in: id)
        // After the last member has left there is no one to tell; what is remembered has no gaps all the same.
        if let conversation = try ChatConversationRecord.conversation(id, database) {
            note(place, in: id, .conversation(conversation))
        } else {
            note(place, in: id, .removed, for: 0)
        }
    }

    /// What the commit tells, once all is done.
    ///
    /// - Parameter recent: asked for the members that it knows, and told to forget those that change: what is committed together
    ///   with this comes before it has heard of this
    func commit(_ recent: ChatRecentLog) throws -> (commit: ChatCommit, users: Set<UserID>) {
        var commit = ChatCommit(items: items.sorted { $0.entry.seq < $1.entry.seq })
        var users = Set(items.compactMap(\.user)).subtracting([0])
        recent.dropAudiences(of: changedMembers)
        let concerned = Set(items.filter { $0.user == nil }.map(\.entry.conversationId))
        for id in concerned.union(changedMembers) {
            let audience: ChatAudience
            if let known = recent.audience(of: id) {
                audience = known
            } else {
                audience = try self.audience(of: id)
                commit.audiences[id] = audience
            }
            if concerned.contains(id) { users.formUnion(audience.members.keys) }
        }
        return (commit, users)
    }

    private func audience(of id: ConversationID) throws -> ChatAudience {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT user_id, joined_seq, visible_after FROM chat_members
                    WHERE conversation_id = ? AND left_seq IS NULL
                    """), arguments: [id])
        var members: [UserID: ChatAudience.Membership] = [:]
        for row in rows {
            members[try row.id("user_id")] = .init(
                joinedSeq: try row.value("joined_seq"), visibleAfter: try row.value("visible_after"))
        }
        return ChatAudience(members: members)
    }

    // MARK: Conversations

    /// - Parameter members: the first of them starts it
    func create(
        _ id: ConversationID, isGroup: Bool, groupName: String?, pair: String?, members: [UserID]
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO chat_conversations (id, is_group, group_name, pair, created_by, created_at, last_message_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: [id, isGroup, groupName, pair, members.first, now, now])
        let place = try append("conversation", in: id)
        try database.execute(
            sql: "UPDATE chat_conversations SET created_seq = ? WHERE id = ?", arguments: [place, id])
        for (number, member) in members.enumerated() {
            try insert(
                member, into: id, at: place, isAdmin: isGroup && number == 0, visibleAfter: 0, count: 0)
        }
        try noteConversation(place, id)
    }

    private func insert(
        _ user: UserID, into id: ConversationID, at place: Int64, isAdmin: Bool, visibleAfter: Int64,
        count: Int
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO chat_members (conversation_id, user_id, is_admin, joined_at, joined_seq, visible_after,
                    delivered_seq, read_seq, count_at_read)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [id, user, isAdmin, now, place, visibleAfter, place, place, count])
        changedMembers.insert(id)
    }

    func add(_ users: [UserID], to id: ConversationID, showingEarlier: Bool, count: Int) throws {
        let place = try append("conversation", in: id)
        for user in users {
            try insert(
                user, into: id, at: place, isAdmin: false, visibleAfter: showingEarlier ? 0 : place,
                count: count)
        }
        try noteConversation(place, id)
    }

    /// Ends a membership; the last admin's end makes the longest member an admin.
    func end(_ membership: Membership, in id: ConversationID) throws {
        let place = try append("conversation", in: id)
        try database.execute(
            sql: "UPDATE chat_members SET left_seq = ?, is_admin = 0 WHERE id = ?",
            arguments: [place, membership.rowId])
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
        changedMembers.insert(id)
        try noteConversation(place, id)
        try database.execute(
            sql: "DELETE FROM chat_log WHERE user_id = ? AND conversation_id = ?",
            arguments: [membership.userId, id])
        try database.execute(
            sql: "DELETE FROM chat_drafts WHERE user_id = ? AND conversation_id = ?",
            arguments: [membership.userId, id])
        try database.execute(
            sql: "DELETE FROM chat_webhooks WHERE conversation_id = ? AND created_by = ?",
            arguments: [id, membership.userId])
        try appendPrivate(.removed, data: nil, in: id, for: membership.userId)
    }

    func setAdmin(_ isAdmin: Bool, _ membership: Membership, in id: ConversationID) throws {
        try database.execute(
            sql: "UPDATE chat_members SET is_admin = ? WHERE id = ?", arguments: [isAdmin, membership.rowId])
        try noteConversation(try append("conversation", in: id), id)
    }

    func rename(_ id: ConversationID, to name: String?) throws {
        try database.execute(
            sql: "UPDATE chat_conversations SET group_name = ? WHERE id = ?", arguments: [name, id])
        try noteConversation(try append("conversation", in: id), id)
    }

    func setPhoto(_ id: ConversationID, fileId: String?) throws {
        let image = fileId?.lowercased()
        if let image, try attachments?.isImage(image, in: id, database) != true {
            throw RoostError.invalid(field: "fileId", why: "There is no such image in this conversation.")
        }
        try database.execute(
            sql: "UPDATE chat_conversations SET group_photo = ? WHERE id = ?", arguments: [image, id])
        try noteConversation(try append("conversation", in: id), id)
    }

    func setNotify(_ notify: ChatNotify, _ membership: Membership, in id: ConversationID) throws {
        try database.execute(
            sql: "UPDATE chat_members SET notify = ? WHERE id = ?",
            arguments: [notify.rawValue, membership.rowId])
        try appendPrivate(.settings(notify), data: notify.rawValue, in: id, for: membership.userId)
    }

    func saveDraft(_ text: String, in id: ConversationID, by user: UserID) throws {
        let known = try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT text FROM chat_drafts WHERE user_id = ? AND conversation_id = ?"),
            arguments: [user, id])
        guard known ?? "" != text else { return }
        if text.isEmpty {
            try database.execute(
                sql: "DELETE FROM chat_drafts WHERE user_id = ? AND conversation_id = ?",
                arguments: [user, id])
        } else {
            try database.cachedStatement(
                sql: """
                    INSERT INTO chat_drafts (user_id, conversation_id, text, changed_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET text = excluded.text, changed_at = excluded.changed_at
                    """
            ).execute(arguments: [user, id, text, now])
        }
        try appendPrivate(.draft(text), data: text, in: id, for: user)
    }

    // MARK: Messages

    /// - Parameters:
    ///   - membership: the sender's; nil for a bot
    ///   - quoted: the seq of the message that it answers
    func insert(
        _ draft: NewMessage, in id: ConversationID, by sender: ChatSender, _ membership: Membership?,
        answering quoted: Int64?
    ) throws -> Message {
        if membership == nil {
            let isThere = try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM chat_conversations WHERE id = ?"),
                arguments: [id])
            guard isThere != nil else { throw Self.isUnknown }
        }
        let seq = try append("message", in: id)
        var (senderId, botName): (UserID?, String?)
        switch sender {
        case .user(let user): senderId = user
        case .bot(_, let name): botName = name
        case .alerts: botName = ChatSender.alertsName
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO chat_messages (seq, id, conversation_id, number, sender_id, sender_key, bot_name, text,
                    sent_at, reply_to, mentions)
                SELECT ?, ?, id, message_count + 1, ?, ?, ?, ?, ?, ?, ? FROM chat_conversations WHERE id = ?
                """
        ).execute(arguments: [
            seq, draft.id, senderId, sender.key, botName, draft.text, now, quoted,
            try mentions(in: draft.text, id), id,
        ])
        guard database.changesCount == 1 else { throw Self.isUnknown }
        if let fileId = draft.fileId { try attach(fileId, to: seq, in: id, by: sender) }
        if let membership {
            try database.cachedStatement(
                sql: "UPDATE chat_members SET own_since_read = own_since_read + 1 WHERE id = ?"
            ).execute(arguments: [membership.rowId])
        }
        guard let message = try message(seq) else { throw ImpossibleValue(column: "seq") }
        try database.cachedStatement(
            sql: """
                UPDATE chat_conversations
                SET message_count = message_count + 1, last_seq = ?1, last_message = ?2, last_message_at = ?3,
                    last_message_seq = ?1, last_sender = ?4
                WHERE id = ?5
                """
        ).execute(arguments: [seq, message.preview, now, sender.key, id])
        note(seq, in: id, .message(message))
        return message
    }

    private func attach(_ fileId: String, to seq: Int64, in id: ConversationID, by sender: ChatSender) throws
    {
        guard let attachments else {
            throw RoostError.invalid(field: "fileId", why: "There is no such file.")
        }
        let file = try attachments.attach(fileId, to: seq, in: id, by: sender, database)
        let json = String(decoding: try JSONEncoder().encode(file), as: UTF8.self)
        try database.execute(
            sql: "UPDATE chat_messages SET file_id = ?, file = ? WHERE seq = ?",
            arguments: [file.id, json, seq])
    }

    func setText(_ text: String, of message: Message) throws -> Message {
        try database.execute(
            sql: "UPDATE chat_messages SET text = ?, edited_at = ?, mentions = ? WHERE seq = ?",
            arguments: [text, now, try mentions(in: text, message.conversationId), message.seq])
        let edited = try changed(message)
        try noteReplies(to: edited)
        return edited
    }

    /// Empties a message; its place stays.
    func delete(_ message: Message) throws -> Message {
        if let file = message.file { try attachments?.remove(file.id, database) }
        try database.execute(
            sql: """
                UPDATE chat_messages SET text = '', file_id = NULL, file = NULL, mentions = NULL, deleted_at = ?
                WHERE seq = ?
                """, arguments: [now, message.seq])
        try database.execute(
            sql: "DELETE FROM chat_reactions WHERE message_seq = ?", arguments: [message.seq])
        let deleted = try changed(message)
        try noteReplies(to: deleted)
        return deleted
    }

    /// Notes the messages that quote this one, so that a client that follows the log drops its old words.
    private func noteReplies(to message: Message) throws {
        let replies = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT seq FROM chat_messages WHERE reply_to = ? ORDER BY seq DESC LIMIT ?"),
            arguments: [message.seq, Self.maximumRenewedReplies])
        for reply in replies.reversed() { _ = try appendMessage(reply, in: message.conversationId) }
    }

    /// False when nothing has changed.
    func setReaction(_ emoji: String, on message: Message, by user: UserID, isOn: Bool) throws -> Bool {
        try database.execute(
            sql: isOn
                ? "INSERT OR IGNORE INTO chat_reactions (message_seq, user_id, emoji) VALUES (?, ?, ?)"
                : "DELETE FROM chat_reactions WHERE message_seq = ? AND user_id = ? AND emoji = ?",
            arguments: [message.seq, user, emoji])
        return database.changesCount > 0
    }

    /// Says what has become of a message, and follows it in the conversation's preview.
    func changed(_ message: Message) throws -> Message {
        let now = try appendMessage(message.seq, in: message.conversationId)
        try database.cachedStatement(
            sql: "UPDATE chat_conversations SET last_message = ? WHERE id = ? AND last_message_seq = ?"
        ).execute(arguments: [now.preview, now.conversationId, now.seq])
        return now
    }

    // MARK: Reading and delivery

    /// - Parameter seq: a place up to which all is read, forward or back
    func setRead(_ membership: Membership, in id: ConversationID, to seq: Int64) throws {
        let count =
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT number FROM chat_messages WHERE conversation_id = ? AND seq <= ?
                        ORDER BY seq DESC LIMIT 1
                        """), arguments: [id, seq]) ?? 0
        let own =
            try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM chat_messages WHERE conversation_id = ? AND sender_key = ? AND seq > ?
                        """), arguments: [id, String(membership.userId), seq]) ?? 0
        try database.cachedStatement(
            sql: """
                UPDATE chat_members
                SET read_seq = ?1, delivered_seq = max(delivered_seq, ?1), count_at_read = ?2, own_since_read = ?3
                WHERE id = ?4
                """
        ).execute(arguments: [seq, count, own, membership.rowId])
        let reading = ChatLogRecord.Reading(readSeq: seq, unread: membership.messageCount - count - own)
        try appendPrivate(
            .read(readNumber: count, unread: reading.unread), data: try json(reading), in: id,
            for: membership.userId)
        guard seq > membership.readSeq else { return }
        let delivered =
            seq > membership.deliveredSeq
            ? try complete("delivered", in: id, after: membership.deliveredSeq) : []
        let read = try complete("read", in: id, after: membership.readSeq)
        let places = Set(read.map(\.seq))
        try noteStatus(.delivered, delivered.filter { !places.contains($0.seq) }, in: id)
        try noteStatus(.read, read, in: id)
    }

    /// Notes up to where messages have come, for users by place in the log.
    ///
    /// - Returns: each user's place, not beyond the log's end
    func deliver(_ places: [UserID: Int64]) throws -> [UserID: Int64] {
        let end = try Self.position(database)
        var starts: [ConversationID: Int64] = [:]
        for (user, place) in places.sorted(by: { $0.key < $1.key }) {
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT member.id, member.conversation_id, member.delivered_seq,
                            min(conversation.last_message_seq, ?1) AS come
                        FROM chat_members AS member
                        JOIN chat_conversations AS conversation ON conversation.id = member.conversation_id
                        WHERE member.user_id = ?2 AND member.left_seq IS NULL
                            AND member.delivered_seq < min(conversation.last_message_seq, ?1)
                        """), arguments: [min(place, end), user])
            for row in rows {
                let id = try row.text("conversation_id")
                let (before, come): (Int64, Int64) = (try row.value("delivered_seq"), try row.value("come"))
                try database.cachedStatement(sql: "UPDATE chat_members SET delivered_seq = ? WHERE id = ?")
                    .execute(arguments: [come, try row.id("id")])
                starts[id] = min(starts[id] ?? before, before)
            }
        }
        for (id, start) in starts.sorted(by: { $0.key < $1.key }) {
            try noteStatus(.delivered, try complete("delivered", in: id, after: start), in: id)
        }
        return places.mapValues { min($0, end) }
    }

    private struct Place {
        let seq: Int64
        let number: Int
    }

    /// Stamps the messages after a place that have just come to, or been read by, all who were members when they were
    /// sent.
    ///
    /// Members read from the beginning to their own place, so that what all have read ends at the place of the slowest.
    /// The slowest one's own messages end at the place of the second slowest. Those who have left hold up what they
    /// were sent and did not read.
    ///
    /// - Parameter what: "delivered" or "read"
    private func complete(_ what: String, in id: ConversationID, after start: Int64) throws -> [Place] {
        let slowest = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT user_id, \(what)_seq AS place FROM chat_members
                    WHERE conversation_id = ? AND left_seq IS NULL ORDER BY \(what)_seq LIMIT 2
                    """), arguments: [id])
        guard slowest.count == 2 else { return [] }
        let places: [Int64] = try slowest.map { try $0.value("place") }
        var done: [Place] = []
        if places[0] > start { done += try stamp(what, in: id, (start, places[0]), nil) }
        if places[1] > max(start, places[0]) {
            done += try stamp(what, in: id, (max(start, places[0]), places[1]), slowest[0].id("user_id"))
        }
        return done.sorted { $0.seq < $1.seq }
    }

    /// - Parameters:
    ///   - range: after the first, up to the second
    ///   - sender: nil for all
    private func stamp(
        _ what: String, in id: ConversationID, _ range: (after: Int64, upTo: Int64), _ sender: UserID?
    ) throws -> [Place] {
        var sql = """
            UPDATE chat_messages SET \(what)_at = ?1, delivered_at = coalesce(delivered_at, ?1)
            WHERE conversation_id = ?2 AND seq > ?3 AND seq <= ?4 AND \(what)_at IS NULL
                AND EXISTS (
                    SELECT 1 FROM chat_members AS other INDEXED BY chat_members_now
                    WHERE other.conversation_id = ?2 AND other.left_seq IS NULL
                        AND other.joined_seq < chat_messages.seq
                        AND other.user_id IS NOT chat_messages.sender_id)
                AND NOT EXISTS (
                    SELECT 1 FROM chat_members AS gone
                    WHERE gone.conversation_id = ?2 AND gone.left_seq > chat_messages.seq
                        AND gone.joined_seq < chat_messages.seq AND gone.\(what)_seq < chat_messages.seq
                        AND gone.user_id IS NOT chat_messages.sender_id)
            """
        var arguments: StatementArguments = [now, id, range.after, range.upTo]
        if let sender {
            sql += " AND sender_key = ?5"
            arguments += [String(sender)]
        }
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: sql + " RETURNING seq, number"), arguments: arguments)
        return try rows.map { Place(seq: try $0.id("seq"), number: try $0.value("number")) }
    }

    private func noteStatus(_ status: MessageStatus, _ places: [Place], in id: ConversationID) throws {
        guard let first = places.first, let last = places.last else { return }
        var (seqs, numbers) = ([first.seq...first.seq], [first.number...first.number])
        for place in places.dropFirst() {
            let (end, range) = (seqs.count - 1, numbers[numbers.count - 1])
            if place.number == range.upperBound + 1 {
                seqs[end] = seqs[end].lowerBound...place.seq
                numbers[end] = range.lowerBound...place.number
            } else {
                seqs.append(place.seq...place.seq)
                numbers.append(place.number...place.number)
            }
        }
        let data = try json(ChatLogRecord.Status(status, at: now, seqs))
        let place = try append("status", in: id, data: data)
        try setLast(place, in: id)
        note(place, in: id, .status(status, at: time, ranges: numbers, lastSeq: last.seq))
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// The newest place in the log; rows that were deleted count.
    static func position(_ database: GRDB.Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'chat_log'")) ?? 0
    }
}
