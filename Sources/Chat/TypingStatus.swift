package import Foundation
package import RoostSupport

/// Somebody who types, or has just stopped.
package struct TypingStatus: Equatable, Hashable, Sendable, Identifiable {
    /// How long it holds without news, in seconds.
    package static let lifetime: TimeInterval = 3
    /// When it is forgotten, in seconds.
    package static let memory: TimeInterval = 5

    package let userId: UserID
    package let conversationId: ConversationID
    package var isTyping: Bool
    package var startedAt: Date

    package var id: UserID { userId }

    package init(
        userId: UserID, conversationId: ConversationID, isTyping: Bool = true, startedAt: Date = Date()
    ) {
        self.userId = userId
        self.conversationId = conversationId
        self.isTyping = isTyping
        self.startedAt = startedAt
    }

    /// True when it is more than three seconds old.
    package func isStale(at now: Date) -> Bool { now.timeIntervalSince(startedAt) > Self.lifetime }
}

extension TypingStatus: Codable {
    private enum CodingKeys: String, CodingKey { case userId, conversationId, isTyping, startedAt }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userId: try values.decode(JSONUserID.self, forKey: .userId).id,
            conversationId: try values.decode(String.self, forKey: .conversationId),
            isTyping: try values.decodeIfPresent(Bool.self, forKey: .isTyping) ?? true,
            startedAt: try values.decodeIfPresent(JSONTime.self, forKey: .startedAt)?.date ?? Date())
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(JSONUserID(userId), forKey: .userId)
        try values.encode(conversationId, forKey: .conversationId)
        try values.encode(isTyping, forKey: .isTyping)
        try values.encode(JSONTime(startedAt), forKey: .startedAt)
    }
}
