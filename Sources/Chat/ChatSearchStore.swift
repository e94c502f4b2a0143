import Foundation
package import GRDB
import RoostSupport
import TextFormats

/// The index of messages' words, in SQLite.
package struct ChatSearchStore: Sendable {
    /// A conversation to search in.
    private struct Place {
        let id: ConversationID
        let visibleAfter: Int64
        let messageCount: Int
    }

    let database: any DatabaseWriter

    package init(database: any DatabaseWriter) {
        self.database = database
    }

    /// With more of them the index is asked for the words alone, and each message for its conversation.
    private static let maximumConversations = 200
    /// The same where the conversations hold so great a part of all messages: the index would go through a list of nearly all of
    /// them, which takes it longer than looking at the few of others.
    private static let nearlyAll = 0.9
    /// Beginnings of so many letters have an index of their own.
    private static let indexedBeginnings = 2...3
    /// By so much a clock may have been put back while messages were sent, in seconds.
    private static let clockSlack: TimeInterval = 86_400

    /// The newest first, one more than `limit` if there are so many.
    ///
    /// Throws `RoostError.notFound` where the user is no member of the query's conversation, and `.invalid(field: "cursor")`.
    func hits(_ query: ChatSearchQuery, for user: UserID, limit: Int) async throws -> [ChatSearchHit] {
        let phrases = query.phrases
        guard !phrases.isEmpty || query.from != nil || query.hasImage else { return [] }
        return try await database.fetch { database in
            let places = try Self.places(of: user, query.conversation, database)
            guard let first = places.map(\.visibleAfter).min() else {
                guard query.conversation == nil else {
                    throw RoostError.notFound("There is no such conversation.")
                }
                return []
            }
            let facets = try Self.facets(of: query, in: places, database)
            let last = try query.cursor.map { try Self.seq(at: $0, for: user, database) } ?? .max
            let bound = try query.before.map { try Self.firstSeq(after: $0 + Self.clockSlack, database) }
            let end = (bound ?? nil) ?? .max
            let arguments: StatementArguments = [
                "user": user, "conversation": query.conversation == nil ? nil : places.first?.id,
                "first": first,
                "before": query.before?.timeIntervalSince1970, "image": query.hasImage,
                "from": query.from.map { String($0) },
            ]
            let isBeginning = try Self.isBeginning(phrases) {
                let whole = Self.match(phrases, isBeginning: false, facets)
                let count = try Int.fetchOne(
                    database.cachedStatement(sql: Self.count),
                    arguments: arguments + ["match": whole, "last": end, "limit": limit])
                return (count ?? 0) >= limit
            }
            guard let match = Self.match(phrases, isBeginning: isBeginning, facets) else { return [] }
            return try Row.fetchCursor(
                database.cachedStatement(sql: Self.sql),
                arguments: arguments + [
                    "match": match, "last": min(last, end),
                    "start": String(SearchSnippet.start), "end": String(SearchSnippet.end),
                    "limit": limit + 1,
                ]
            ).readable(Self.hit)
        }
    }

    private static let sql = """
        SELECT message.seq, message.id, message.conversation_id, message.sender_key, message.sent_at, message.text,
            coalesce(message.bot_name, person.display_name, person.username) AS sender_name,
            highlight(chat_search, 0, :start, :end) AS marked,
            file.id AS file_id, file.name, file.type, file.byte_count, file.width, file.height,
            file.thumbnail_type, message.number
        \(found)
        """

    private static let count = "SELECT count(*) FROM (SELECT 1 \(found))"

    /// The index leads, from its newest row on, and what it finds is looked up: the joins' order is fixed (CROSS), as
    /// SQLite knows nothing of how many messages there are.
    private static let found = """
        FROM chat_search
        CROSS JOIN chat_messages AS message ON message.seq = chat_search.rowid
        CROSS JOIN chat_members AS member ON member.conversation_id = message.conversation_id
            AND member.user_id = :user AND member.left_seq IS NULL
        LEFT JOIN (SELECT id, username, shown_name AS display_name FROM users) AS person
            ON person.id = message.sender_id
        LEFT JOIN chat_files AS file ON file.id = message.file_id
        WHERE chat_search MATCH :match AND chat_search.rowid > :first AND chat_search.rowid < :last
            AND message.seq > member.visible_after AND message.deleted_at IS NULL
            AND (:conversation IS NULL OR message.conversation_id = :conversation)
            AND (:from IS NULL OR message.sender_key = :from)
            AND (:before IS NULL OR message.sent_at < :before)
            AND (NOT :image OR file.width IS NOT NULL)
        ORDER BY chat_search.rowid DESC
        LIMIT :limit
        """

    /// The seq of the message that a cursor names, which the user may still read.
    private static func seq(
        at cursor: String, for user: UserID, _ database: GRDB.Database
    ) throws -> Int64 {
        let parts = cursor.splitBytes(at: ".")
        guard parts.count == 2, let number = Int(parts[1]),
            let seq = try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT message.seq FROM chat_messages AS message
                        JOIN chat_members AS member ON member.conversation_id = message.conversation_id
                        WHERE message.conversation_id = ? AND message.number = ? AND member.user_id = ?
                            AND member.left_seq IS NULL AND message.seq > member.visible_after
                        """), arguments: [String(parts[0]), number, user])
        else { throw RoostError.invalid(field: "cursor", why: "This page cannot be continued.") }
        return seq
    }

    /// The conversations of a user, or the one that is named, where the user is a member.
    private static func places(
        of user: UserID, _ conversation: ConversationID?, _ database: GRDB.Database
    ) throws -> [Place] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT conversation_id, visible_after, message_count FROM chat_members
                    JOIN chat_conversations ON chat_conversations.id = conversation_id
                    WHERE user_id = :user AND left_seq IS NULL
                        AND (:conversation IS NULL OR conversation_id = (
                            SELECT id FROM chat_conversations WHERE id = :conversation COLLATE NOCASE))
                    """), arguments: ["user": user, "conversation": conversation])
        return try rows.map { row in
            Place(
                id: try row.text("conversation_id"), visibleAfter: try row.value("visible_after"),
                messageCount: try row.value("message_count"))
        }
    }

    /// The first message that was sent at this time or later; nil where there is none.
    ///
    /// Sought by halves, as times grow with the seq; where a clock was put back, the slack makes up for it.
    private static func firstSeq(after date: Date, _ database: GRDB.Database) throws -> Int64? {
        let time = date.timeIntervalSince1970
        let statement = try database.cachedStatement(
            sql: "SELECT seq, sent_at FROM chat_messages WHERE seq >= ? ORDER BY seq LIMIT 1")
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM chat_messages") else {
            return nil
        }
        // Before `low` everything is earlier; from `high` on everything is later.
        var (low, high) = (Int64(0), end + 1)
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try Row.fetchOne(statement, arguments: [middle]) else {
                high = middle
                continue
            }
            let (seq, sentAt): (Int64, Double) = (try row.value("seq"), try row.value("sent_at"))
            if seq >= high || sentAt >= time { high = middle } else { low = seq + 1 }
        }
        return low > end ? nil : low
    }

    /// A word of four letters and more that stands there as a whole in enough messages is taken for whole: the index
    /// has none for beginnings of that length, and would go through every message with one.
    ///
    /// - Parameter isCommon: whether there are as many as a page holds; of those that the user may read, as the answer tells it
    private static func isBeginning(_ phrases: [SearchPhrase], isCommon: () throws -> Bool) throws -> Bool {
        guard let last = phrases.last, last.mayGoOn else { return false }
        let length = last.words.unicodeScalars.count
        guard length >= indexedBeginnings.lowerBound else { return false }
        return try length <= indexedBeginnings.upperBound || !isCommon()
    }

    /// FTS5's expression; nil for one that asks for nothing.
    private static func match(
        _ phrases: [SearchPhrase], isBeginning: Bool, _ facets: [String]
    ) -> String? {
        let words = phrases.enumerated().map { place, phrase in
            phrase.text(asBeginning: isBeginning && place == phrases.count - 1)
        }
        let text = words.isEmpty ? [] : ["text : (" + words.joined(separator: " AND ") + ")"]
        let parts = text + facets
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// As the view `chat_search_rows` has the tokens.
    private static func facets(
        of query: ChatSearchQuery, in places: [Place], _ database: GRDB.Database
    ) throws -> [String] {
        var facets: [String] = []
        let all = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT sum(message_count) FROM chat_conversations"))
        let count = places.reduce(0) { $0 + $1.messageCount }
        if places.count <= maximumConversations, Double(count) < nearlyAll * Double(all ?? 0) {
            let names = places.map { "\"c" + $0.id.replacingBytes(of: "-", with: "") + "\"" }
            facets.append("facets : (" + names.joined(separator: " OR ") + ")")
        }
        if let from = query.from { facets.append("facets : \"s\(from)\"") }
        if query.hasImage { facets.append("facets : \"file\"") }
        return facets
    }

    private static func hit(_ row: Row) throws -> ChatSearchHit {
        let text = try row.text("text", maximumBytes: Message.maximumTextBytes)
        let marked = try row.text("marked", maximumBytes: 3 * Message.maximumTextBytes)
        let snippet = SearchSnippet(marked: marked, text: text)
        var hit = ChatSearchHit(
            seq: try row.id("seq"), messageId: try row.text("id"),
            conversationId: try row.text("conversation_id"), senderId: try row.text("sender_key"),
            senderName: try row.textIfPresent("sender_name") ?? Message.formerMember,
            sentAt: try row.time("sent_at"), snippet: snippet.pieces, isCutBefore: snippet.isCutBefore,
            isCutAfter: snippet.isCutAfter,
            file: try row.textIfPresent("file_id") == nil ? nil : try ChatFileStore.file(row, id: "file_id"))
        hit.number = try row.number("number", in: 1...Int.max)
        return hit
    }
}
