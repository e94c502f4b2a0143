package import Foundation
package import RoostSupport
import TextFormats

/// A UUID as its client spelled it. In lower and upper case it is the same: members are looked up by either, and what is
/// stored and answered has the first spelling.
package typealias ConversationID = String

/// Two people who write to each other, or a group.
package struct Conversation: Equatable, Hashable, Sendable, Identifiable {
    /// Somebody who takes part.
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
    /// A group stays one when fewer than three people are left.
    package let isGroup: Bool
    package var groupName: String?
    var groupPhotoURL: String?
    /// The newest message's text, "Photo" for an image alone, "Message deleted", or nothing.
    package var lastMessage: String
    package var lastMessageAt: Date
    package var lastMessageSenderId: String?
    /// Nil when that account is deleted.
    package let createdBy: UserID?
    package let createdAt: Date
    /// Only the counts that are known; what is absent is 0.
    package var unreadCount: [UserID: Int]
    /// Nil in a conversation of two.
    package var admins: [UserID]?
    /// Everybody who takes part, in the order of coming.
    package var members: [Member]
    /// As `Message.seq` of the newest message; 0 without one.
    var lastSeq: Int64
    /// As `Message.number`; clients know it as `lastSeq`.
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

    /// The one whom the user writes to; nil in groups.
    package func otherParticipant(for user: UserID) -> UserID? {
        isGroup ? nil : participants.first { $0 != user }
    }

    package func displayName(for user: UserID) -> String {
        if isGroup { return groupName ?? "Group Chat" }
        return otherMember(for: user)?.name ?? "Unknown"
    }

    /// A group's photo as a thumbnail.
    package func displayPhotoURL(for user: UserID) -> String? {
        isGroup ? groupPhotoURL.map { $0 + "/thumbnail" } : otherMember(for: user)?.photoURL
    }

    package func unreadCount(for user: UserID) -> Int { unreadCount[user] ?? 0 }

    package func isAdmin(_ user: UserID) -> Bool { admins?.contains(user) ?? false }

    /// As a member sees it who may see nothing up to this place: without an older last message.
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

extension Conversation: Codable {
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
        if !unreadCount.isEmpty {
            let counts = unreadCount.map { (String($0.key), $0.value) }
            try values.encode(Dictionary(uniqueKeysWithValues: counts), forKey: .unreadCount)
        }
        try values.encodeIfPresent(admins?.map(JSONUserID.init), forKey: .admins)
        try values.encode(members, forKey: .members)
        try values.encode(lastNumber, forKey: .lastSeq)
    }
}
