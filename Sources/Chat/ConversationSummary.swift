package import RoostSupport

package enum ChatNotify: String, Codable, CaseIterable, Sendable, ColumnValue {
    case all, mentions, none
}

package struct ConversationSummary: Equatable, Sendable, Identifiable {
    package var conversation: Conversation
    package let userId: UserID
    /// The number of the last message that the user has read.
    package var readNumber: Int
    package var unread: Int
    package var notify: ChatNotify
    package var draft: String?
    /// The user may only see messages after this log position.
    var visibleAfter: Int64
    /// Other members who have Roost open now.
    package var present: [UserID] = []
    /// The log position of this state; only later entries apply to it.
    var logSeq: Int64
    var logCursor = ""

    package var id: ConversationID { conversation.id }
    package var displayName: String { conversation.displayName(for: userId) }
    package var displayPhotoURL: String? { conversation.displayPhotoURL(for: userId) }
}

extension ConversationSummary: JSONExamples {
    package static var examples: [ConversationSummary] {
        Conversation.examples.map {
            ConversationSummary(
                conversation: $0, userId: 1, readNumber: 0, unread: 0, notify: .all, visibleAfter: 0,
                logSeq: 0)
        }
    }

    private enum CodingKeys: String, CodingKey { case readSeq, unread, notify, draft, present, logCursor }

    /// Encodes the conversation's fields and the user's own ones in one object.
    package func encode(to encoder: any Encoder) throws {
        try conversation.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(readNumber, forKey: .readSeq)
        try values.encode(unread, forKey: .unread)
        try values.encode(notify, forKey: .notify)
        try values.encodeIfPresent(draft, forKey: .draft)
        try values.encode(present.map(JSONUserID.init), forKey: .present)
        try values.encode(logCursor, forKey: .logCursor)
    }
}
