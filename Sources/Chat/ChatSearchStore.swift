import Foundation
import GRDB
import RoostSupport
import TextFormats

enum ChatSearchStore {
    fileprivate struct Membership {
        let id: ConversationID
        let visibleAfter: Int64
        let messageCount: Int
    }

    /// With more conversations than this, the index is only searched for words, and each match is checked for its
    /// conversation.
    fileprivate static let maximumConversations = 200
    /// The same applies if the share of all messages that the conversations have, times their number, is more than this:
    /// at each step the index would look into the list of every conversation, which is slower than checking the matches
    /// of others. In 30 conversations with three quarters of 1,000,000 messages a rare word took 100 times as long.
    fileprivate static let maximumShare = 0.9
    /// Lengths of prefixes that have an index of their own.
    fileprivate static let indexedPrefixLengths = 2...3
    /// How far the clock may have been set back while messages were sent, in seconds.
    fileprivate static let clockSlack: TimeInterval = 86_400

    private struct Hit: ColumnRecord {
        private(set) var seq: Int64 = 0
        private(set) var id = ""
        private(set) var conversationId: ConversationID = ""
        private(set) var number = 0
        private(set) var senderKey = ""
        private(set) var sentAt = Date.distantPast
        private(set) var text = ""
        private(set) var senderName: String?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("seq", &seq)
            try columns.column("id", &id)
            try columns.column("conversation_id", &conversationId)
            try columns.column("number", &number)
            try columns.column("sender_key", &senderKey)
            try columns.column("sent_at", &sentAt)
            try columns.column("text", &text)
            try columns.column(
                "sender_name", sql: "coalesce(message.bot_name, person.display_name, person.username)",
                &senderName)
        }

        static let columns = selection(of: "message")
        static let count = columnCount
    }

    fileprivate static let sql = "SELECT \(Hit.columns), \(ChatFileStore.columns) \(matchingRows)"

    fileprivate static let count = "SELECT count(*) FROM (SELECT 1 \(matchingRows))"

    /// CROSS fixes the order of the joins: walks the index from its newest row and looks up each match, because SQLite
    /// cannot estimate the number of messages.
    fileprivate static let matchingRows = """
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

    /// Whether to match the last word as a prefix. A word of four letters or more that is common as a whole word is
    /// not: the index has no prefixes of that length and would visit every message with one.
    ///
    /// - Parameter isCommon: whether a full page of messages that the user may read has the whole word; checking others
    ///   would reveal them
    fileprivate static func usesPrefix(_ phrases: [SearchPhrase], isCommon: () throws -> Bool) throws -> Bool
    {
        guard let last = phrases.last, last.mayBePrefix else { return false }
        let length = last.content.unicodeScalars.count
        guard length >= indexedPrefixLengths.lowerBound else { return false }
        return try length <= indexedPrefixLengths.upperBound || !isCommon()
    }

    fileprivate static func match(
        _ phrases: [SearchPhrase], usesPrefix: Bool, _ facets: [String]
    ) -> String? {
        let terms = phrases.enumerated().map { index, phrase in
            phrase.text(asBeginning: usesPrefix && index == phrases.count - 1)
        }
        let text = terms.isEmpty ? [] : ["text : (" + terms.joined(separator: " AND ") + ")"]
        let parts = text + facets
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    fileprivate static func hit(_ row: Row, _ highlighter: SearchHighlighter) throws -> ChatSearchHit {
        let found = try Hit(row)
        let snippet = SearchSnippet(found.text, matches: highlighter.matches(in: found.text).ranges)
        return ChatSearchHit(
            seq: found.seq, messageId: found.id, conversationId: found.conversationId,
            senderId: found.senderKey, senderName: found.senderName ?? Message.formerMember,
            sentAt: found.sentAt, snippet: snippet.pieces, isCutBefore: snippet.isCutBefore,
            isCutAfter: snippet.isCutAfter,
            file: row.hasNull(atIndex: Hit.count) ? nil : try ChatFileStore.file(row, at: Hit.count),
            number: found.number)
    }
}

extension Reads {
    /// Newest first, up to `limit` + 1. Throws `RoostError.notFound` if the user isn't a member of the query's
    /// conversation, and `.invalidCursor`.
    func searchHits(_ query: ChatSearchQuery, for user: UserID, limit: Int) throws -> [ChatSearchHit] {
        let phrases = query.phrases
        let memberships = try searchedMemberships(of: user, query.conversation)
        guard let first = memberships.map(\.visibleAfter).min() else {
            guard query.conversation == nil else { throw RoostError.unknownConversation }
            return []
        }
        let facets = try searchFacets(of: query, in: memberships)
        let last = try query.position.map { try seq(at: $0, for: user) } ?? .max
        let bound = try query.before.map { try firstSeq(after: $0 + ChatSearchStore.clockSlack) }
        let end = (bound ?? nil) ?? .max
        let arguments: StatementArguments = [
            "user": user, "conversation": query.conversation == nil ? nil : memberships.first?.id,
            "first": first,
            "before": query.before?.stored, "image": query.hasImage,
            "from": query.from.map { String($0) },
        ]
        let usesPrefix = try ChatSearchStore.usesPrefix(phrases) {
            let wholeWordMatch = ChatSearchStore.match(phrases, usesPrefix: false, facets)
            let count = try database.value(
                Int.self, ChatSearchStore.count,
                arguments + ["match": wholeWordMatch, "last": end, "limit": limit])
            return (count ?? 0) >= limit
        }
        guard let match = ChatSearchStore.match(phrases, usesPrefix: usesPrefix, facets) else { return [] }
        let highlighter = SearchHighlighter(phrases, isBeginning: usesPrefix)
        return try database.cursor(
            ChatSearchStore.sql,
            arguments + ["match": match, "last": min(last, end), "limit": limit + 1]
        ).readable { try ChatSearchStore.hit($0, highlighter) }
    }

    /// Returns the seq of a position's message, which the user must still be able to read.
    private func seq(at position: ChatSearchPosition, for user: UserID) throws -> Int64 {
        guard
            let seq = try database.value(
                Int64.self,
                """
                SELECT message.seq FROM chat_messages AS message
                JOIN chat_members AS member ON member.conversation_id = message.conversation_id
                WHERE message.conversation_id = ? AND message.number = ? AND member.user_id = ?
                    AND member.left_seq IS NULL AND message.seq > member.visible_after
                """, [position.conversation, position.number, user])
        else { throw RoostError.invalidCursor }
        return seq
    }

    /// Returns the user's conversations, or only `conversation` if they are a member.
    private func searchedMemberships(
        of user: UserID, _ conversation: ConversationID?
    ) throws -> [ChatSearchStore.Membership] {
        let rows = try database.rows(
            """
            SELECT conversation_id, visible_after, message_count FROM chat_members
            JOIN chat_conversations ON chat_conversations.id = conversation_id
            WHERE user_id = :user AND left_seq IS NULL
                AND (:conversation IS NULL OR conversation_id = (
                    SELECT id FROM chat_conversations WHERE id = :conversation COLLATE NOCASE))
            """, ["user": user, "conversation": conversation])
        return try rows.map { row in
            ChatSearchStore.Membership(
                id: try row.text("conversation_id"), visibleAfter: try row.value("visible_after"),
                messageCount: try row.value("message_count"))
        }
    }

    /// Returns the first message sent at this time or later, or nil. Uses a binary search, because times grow with the
    /// seq; `clockSlack` covers clocks that were set back.
    private func firstSeq(after date: Date) throws -> Int64? {
        let time = date.timeIntervalSince1970
        let statement = try database.cachedStatement(
            sql: "SELECT seq, sent_at FROM chat_messages WHERE seq >= ? ORDER BY seq LIMIT 1")
        guard let end = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM chat_messages") else {
            return nil
        }
        // Messages before `low` are earlier; messages from `high` on are later.
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

    private func searchFacets(
        of query: ChatSearchQuery, in memberships: [ChatSearchStore.Membership]
    ) throws -> [String] {
        var facets: [String] = []
        let all = try database.value(Int.self, "SELECT sum(message_count) FROM chat_conversations")
        let count = memberships.reduce(0) { $0 + $1.messageCount }
        if memberships.count <= ChatSearchStore.maximumConversations,
            Double(count * memberships.count) < ChatSearchStore.maximumShare * Double(all ?? 0)
        {
            let names = memberships.map { "\"c" + $0.id.replacingBytes(of: "-", with: "") + "\"" }
            facets.append("facets : (" + names.joined(separator: " OR ") + ")")
        }
        if let from = query.from { facets.append("facets : \"s\(from)\"") }
        if query.hasImage { facets.append("facets : \"file\"") }
        return facets
    }
}
