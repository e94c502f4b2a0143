package import Foundation
package import RoostSupport

package struct TypingStatus: Equatable, Hashable, Sendable, Identifiable {
    /// Without an update.
    package static let lifetime = Duration.seconds(3)

    package let userId: UserID
    package let conversationId: ConversationID
    package var isTyping = true
    package var startedAt = Date()

    package var id: UserID { userId }

    package func isStale(at now: Date) -> Bool { now.timeIntervalSince(startedAt) > Self.lifetime.inSeconds }
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
