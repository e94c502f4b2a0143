package import Foundation
package import RoostSupport
import TextFormats

/// A UUID in its client's spelling. Case is ignored when looking one up; the first spelling is stored and returned.
package typealias ConversationID = String

package struct Conversation: Equatable, Hashable, Sendable, Identifiable {
    package struct Member: Equatable, Hashable, Sendable {
        package let userId: UserID
        package let name: String
        package let username: String
        package let photoURL: String?

        package init(userId: UserID, name: String, username: String, photoURL: String? = nil) {
            self.userId = userId
            self.name = name
            self.username = username
            self.photoURL = photoURL
        }
    }

    package let id: ConversationID
    package let participants: [UserID]
    /// Stays true with fewer than three members.
    package let isGroup: Bool
    package var groupName: String?
    var groupPhotoURL: String?
    /// The newest message's text, "Photo" for an image alone, "Message deleted", or empty.
    package var lastMessage: String
    package var lastMessageAt: Date
    package var lastMessageSenderId: String?
    /// Nil if that account was deleted.
    package let createdBy: UserID?
    package let createdAt: Date
    /// Only known counts; missing ones are 0.
    package var unreadCount: [UserID: Int]
    /// Nil in a conversation of two.
    package var admins: [UserID]?
    /// In the order of joining.
    package var members: [Member]
    /// `Message.seq` of the newest message, or 0.
    var lastSeq: Int64
    /// `Message.number` of the newest message; clients know it as `lastSeq`.
    package var lastNumber: Int

    /// Throws `ValidationError` without an id or a participant.
    package init(
        id: ConversationID, participants: [UserID], isGroup: Bool, groupName: String? = nil,
        groupPhotoURL: String? = nil, lastMessage: String = "", lastMessageAt: Date? = nil,
        lastMessageSenderId: String? = nil, createdBy: UserID?, createdAt: Date,
        unreadCount: [UserID: Int] = [:], admins: [UserID]? = nil, members: [Member] = [], lastSeq: Int64 = 0,
        lastNumber: Int = 0
    ) throws {
        try ValidationError.check(["id": id])
        guard !participants.isEmpty else { throw ValidationError(field: "participants", why: "is empty") }
        self.id = id
        self.participants = participants
        self.isGroup = isGroup
        self.groupName = groupName
        self.groupPhotoURL = groupPhotoURL
        self.lastMessage = lastMessage
        self.lastMessageAt = lastMessageAt ?? createdAt
        self.lastMessageSenderId = lastMessageSenderId
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.unreadCount = unreadCount
        let creators = createdBy.map { [$0] } ?? []
        self.admins = admins ?? (isGroup ? creators : nil)
        self.members = members
        self.lastSeq = lastSeq
        self.lastNumber = lastNumber
    }

    /// The other member of a conversation of two; nil in groups.
    package func otherParticipant(for user: UserID) -> UserID? {
        isGroup ? nil : participants.first { $0 != user }
    }

    package func displayName(for user: UserID) -> String {
        if isGroup { return groupName ?? "Group Chat" }
        return otherMember(for: user)?.name ?? "Unknown"
    }

    /// For a group, the thumbnail of its photo.
    package func displayPhotoURL(for user: UserID) -> String? {
        isGroup ? groupPhotoURL.map { $0 + "/thumbnail" } : otherMember(for: user)?.photoURL
    }

    package func unreadCount(for user: UserID) -> Int { unreadCount[user] ?? 0 }

    package func isAdmin(_ user: UserID) -> Bool { admins?.contains(user) ?? false }

    /// Removes the last message if a member who may only see messages after `seq` may not see it.
    package func visible(after seq: Int64) -> Conversation {
        guard lastSeq > 0, lastSeq <= seq else { return self }
        var conversation = self
        (conversation.lastMessage, conversation.lastMessageSenderId) = ("", nil)
        (conversation.lastSeq, conversation.lastNumber) = (0, 0)
        return conversation
    }

    private func otherMember(for user: UserID) -> Member? {
        otherParticipant(for: user).flatMap { other in members.first { $0.userId == other } }
    }
}

extension Conversation.Member: Codable {
    private enum CodingKeys: String, CodingKey { case userId, name, username, photoURL }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            userId: try values.decode(JSONUserID.self, forKey: .userId).id,
            name: try values.decode(String.self, forKey: .name),
            username: try values.decode(String.self, forKey: .username),
            photoURL: try values.decodeIfPresent(String.self, forKey: .photoURL))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(JSONUserID(userId), forKey: .userId)
        try values.encode(name, forKey: .name)
        try values.encode(username, forKey: .username)
        try values.encodeIfPresent(photoURL, forKey: .photoURL)
    }
}

extension Conversation: Codable, JSONExamples {
    package static var examples: [Conversation] {
        let conversation = try? Conversation(
            id: "1", participants: [1], isGroup: false, createdBy: 1,
            createdAt: Date(timeIntervalSince1970: 0))
        return conversation.map { [$0] } ?? []
    }

    private enum CodingKeys: String, CodingKey {
        case id, participants, isGroup, groupName, groupPhotoURL, lastMessage, lastMessageAt
        case lastMessageSenderId, createdBy, createdAt, unreadCount, admins, members, lastSeq
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let counts = try values.decodeIfPresent([String: Int].self, forKey: .unreadCount) ?? [:]
        try self.init(
            id: values.decode(String.self, forKey: .id),
            participants: values.decode([JSONUserID].self, forKey: .participants).map(\.id),
            isGroup: values.decode(Bool.self, forKey: .isGroup),
            groupName: values.decodeIfPresent(String.self, forKey: .groupName),
            groupPhotoURL: values.decodeIfPresent(String.self, forKey: .groupPhotoURL),
            lastMessage: values.decode(String.self, forKey: .lastMessage),
            lastMessageAt: values.decode(JSONTime.self, forKey: .lastMessageAt).date,
            lastMessageSenderId: values.decodeIfPresent(String.self, forKey: .lastMessageSenderId),
            createdBy: values.decodeIfPresent(JSONUserID.self, forKey: .createdBy)?.id,
            createdAt: values.decode(JSONTime.self, forKey: .createdAt).date,
            unreadCount: Dictionary(
                counts.compactMap { user, count in UserID(user).map { ($0, count) } }, uniquingKeysWith: max),
            members: values.decodeIfPresent([Member].self, forKey: .members) ?? [],
            lastNumber: values.decodeIfPresent(Int.self, forKey: .lastSeq) ?? 0)
        admins = try values.decodeIfPresent([JSONUserID].self, forKey: .admins)?.map(\.id)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(participants.map(JSONUserID.init), forKey: .participants)
        try values.encode(isGroup, forKey: .isGroup)
        try values.encodeIfPresent(groupName, forKey: .groupName)
        try values.encodeIfPresent(groupPhotoURL, forKey: .groupPhotoURL)
        try values.encode(lastMessage, forKey: .lastMessage)
        try values.encode(JSONTime(lastMessageAt), forKey: .lastMessageAt)
        try values.encodeIfPresent(lastMessageSenderId, forKey: .lastMessageSenderId)
        try values.encodeIfPresent(createdBy.map(JSONUserID.init), forKey: .createdBy)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
        let counts = Dictionary(uniqueKeysWithValues: unreadCount.map { (String($0.key), $0.value) })
        try values.encodeIfPresent(counts.isEmpty ? nil : counts, forKey: .unreadCount)
        try values.encodeIfPresent(admins?.map(JSONUserID.init), forKey: .admins)
        try values.encode(members, forKey: .members)
        try values.encode(lastNumber, forKey: .lastSeq)
    }
}
