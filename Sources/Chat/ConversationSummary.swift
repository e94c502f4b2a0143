package import RoostSupport

/// What a member wants to hear of in a conversation.
package enum ChatNotify: String, Codable, CaseIterable, Sendable {
    case all, mentions, none
}

/// A conversation as one of its members has it.
package struct ConversationSummary: Equatable, Sendable, Identifiable {
    package var conversation: Conversation
    package let userId: UserID
    /// The user has read everything up to the message of this number.
    package var readNumber: Int
    package var unread: Int
    package var notify: ChatNotify
    package var draft: String?
    /// Nothing up to here may be seen: what was written before a member came, unless it is shown.
    var visibleAfter: Int64
    /// Members who have Roost open now, the user aside.
    package var present: [UserID] = []
    /// The position in the log that this state is as new as: apply only later entries to it.
    var logSeq: Int64
    /// The same for clients.
    var logCursor = ""

    package var id: ConversationID { conversation.id }
    package var displayName: String { conversation.displayName(for: userId) }
    package var displayPhotoURL: String? { conversation.displayPhotoURL(for: userId) }
}

extension ConversationSummary: Encodable {
    private enum CodingKeys: String, CodingKey { case readSeq, unread, notify, draft, present, logCursor }

    /// The conversation's fields, with the user's own count, and then the user's own fields.
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
