package import Foundation
package import RoostSupport
import TextFormats

package struct Message: Equatable, Hashable, Sendable, Identifiable {
    /// The quoted message, with its current text.
    package struct Quote: Equatable, Hashable, Sendable {
        package let seq: Int64
        package let number: Int
        package let id: String
        package let senderName: String
        /// The first words; empty if the message was deleted.
        package let text: String

        package init(seq: Int64, number: Int, id: String, senderName: String, text: String) {
            self.seq = seq
            self.number = number
            self.id = id
            self.senderName = senderName
            self.text = text
        }
    }

    /// All users who reacted with an emoji, sorted by id.
    package struct Reaction: Equatable, Hashable, Sendable {
        package let emoji: String
        package let userIds: [UserID]

        package init(emoji: String, userIds: [UserID]) {
            self.emoji = emoji
            self.userIds = userIds
        }
    }

    package static let maximumTextBytes = 16_384
    package static let formerMember = "Former member"
    package static let deletedText = "Message deleted"

    /// The client's UUID in its own spelling. Case is ignored in comparisons.
    package let id: String
    package let conversationId: ConversationID
    /// A user's id, "bot-3" for a webhook, or "alerts-3" for a user's alerts. Stays when the account is deleted.
    package let senderId: String
    /// Empty if the message was deleted; may be empty with a file.
    package var text: String
    package var imageURL: String?
    /// The browser's time until the commit, then the server's.
    package let sentAt: Date
    var deliveredAt: Date?
    var readAt: Date?
    package private(set) var status: MessageStatus
    package var senderName: String?
    /// Nil for a bot and a deleted account.
    var senderUsername: String?
    package var senderPhotoURL: String?
    /// The position in the log of all conversations, or 0 before the commit. It must not reach clients, because it
    /// would reveal how much others write.
    package var seq: Int64 = 0
    /// The position in the conversation, from 1, or 0 before the commit. Clients know it as `seq`.
    package var number = 0
    package var editedAt: Date?
    var deletedAt: Date?
    package var replyTo: Quote?
    package var reactions: [Reaction] = []
    package var mentions: [UserID] = []
    package var file: MessageFile?

    /// Throws `ValidationError` for an empty id, a text that is too long, and a blank text without a file.
    package init(
        id: String, conversationId: ConversationID, senderId: String, text: String, imageURL: String? = nil,
        sentAt: Date, deliveredAt: Date? = nil, readAt: Date? = nil, status: MessageStatus = .sending,
        senderName: String? = nil, senderPhotoURL: String? = nil, deletedAt: Date? = nil,
        file: MessageFile? = nil
    ) throws {
        try ValidationError.check(["id": id, "conversationId": conversationId, "senderId": senderId])
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw ValidationError(field: "text", why: "is too long")
        }
        guard !text.isBlank || imageURL != nil || file != nil || deletedAt != nil else {
            throw ValidationError(field: "text", why: "is empty")
        }
        self.id = id
        self.conversationId = conversationId
        self.senderId = senderId
        self.text = text
        self.imageURL = imageURL
        self.sentAt = sentAt
        self.deliveredAt = deliveredAt
        self.readAt = readAt
        self.status = status
        self.senderName = senderName
        self.senderPhotoURL = senderPhotoURL
        self.deletedAt = deletedAt
        self.file = file
    }

    /// Nil for a bot.
    package var senderUserId: UserID? { UserID(senderId) }
    package var isFromBot: Bool { senderUserId == nil }
    package func isFromCurrentUser(_ user: UserID) -> Bool { senderUserId == user }
    var isDelivered: Bool { status == .delivered || status == .read }
    var isRead: Bool { status == .read }
    package var isDeleted: Bool { deletedAt != nil }

    package var preview: String { isDeleted ? Self.deletedText : Self.preview(text, file) }

    static func preview(_ text: String, _ file: MessageFile?) -> String {
        guard let file else { return text.isEmpty ? "Photo" : text }
        if !text.isBlank { return text }
        return file.isImage ? "Photo" : file.name
    }

    /// Removes the quoted text if a member who may only see messages after `seq` may not see it.
    package func visible(after seq: Int64) -> Message {
        guard let quote = replyTo, quote.seq <= seq, !quote.text.isEmpty else { return self }
        var message = self
        message.replyTo = Quote(
            seq: quote.seq, number: quote.number, id: quote.id, senderName: quote.senderName, text: "")
        return message
    }

    /// Changes the status and sets its time. Throws `ValidationError` for an impossible change, such as from read back
    /// to sent.
    package mutating func move(to next: MessageStatus, at now: Date) throws {
        guard status.canBecome(next) else {
            throw ValidationError(
                field: "status", why: "cannot go from \(status.rawValue) to \(next.rawValue)")
        }
        status = next
        if next == .delivered { deliveredAt = now }
        if next == .read { readAt = now }
    }
}

extension Message {
    init(_ record: ChatMessageRecord, _ context: ChatMessageContext) throws {
        (id, conversationId, senderId) = (record.id, record.conversationId, record.senderKey)
        (text, file, sentAt) = (record.text, record.file, record.sentAt)
        imageURL = record.file.flatMap { $0.isImage ? $0.url : nil }
        (deliveredAt, readAt, editedAt) = (record.deliveredAt, record.readAt, record.editedAt)
        deletedAt = record.deletedAt
        status = record.readAt != nil ? .read : record.deliveredAt != nil ? .delivered : .sent
        senderName = record.botName ?? context.shownName ?? Self.formerMember
        senderUsername = context.username
        senderPhotoURL = ChatMessageStore.photo(of: record.senderId, context.avatar)
        (seq, number, mentions) = (record.seq, record.number, record.mentions ?? [])
        replyTo = context.quote
        reactions = try context.reactions
    }
}

extension Message.Quote: Codable {
    private enum CodingKeys: String, CodingKey { case seq, id, senderName, text }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            seq: 0, number: try values.decode(Int.self, forKey: .seq),
            id: try values.decode(String.self, forKey: .id),
            senderName: try values.decode(String.self, forKey: .senderName),
            text: try values.decode(String.self, forKey: .text))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(number, forKey: .seq)
        try values.encode(id, forKey: .id)
        try values.encode(senderName, forKey: .senderName)
        try values.encode(text, forKey: .text)
    }
}

extension Message.Reaction: Codable {
    private enum CodingKeys: String, CodingKey { case emoji, userIds }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            emoji: try values.decode(String.self, forKey: .emoji),
            userIds: try values.decode([JSONUserID].self, forKey: .userIds).map(\.id))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(emoji, forKey: .emoji)
        try values.encode(userIds.map(JSONUserID.init), forKey: .userIds)
    }
}

extension Message: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, conversationId, senderId, text, imageURL, sentAt, deliveredAt, readAt, status, senderName,
            senderUsername
        case senderPhotoURL, seq, number, editedAt, deletedAt, replyTo, reactions, mentions, file
    }

    /// Throws for a missing field and an unknown status.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Date? {
            try values.decodeIfPresent(JSONTime.self, forKey: key)?.date
        }
        try self.init(
            id: values.decode(String.self, forKey: .id),
            conversationId: values.decode(String.self, forKey: .conversationId),
            senderId: values.decode(String.self, forKey: .senderId),
            text: values.decode(String.self, forKey: .text),
            imageURL: values.decodeIfPresent(String.self, forKey: .imageURL),
            sentAt: values.decode(JSONTime.self, forKey: .sentAt).date,
            deliveredAt: time(.deliveredAt), readAt: time(.readAt),
            status: values.decodeIfPresent(MessageStatus.self, forKey: .status) ?? .sending,
            senderName: values.decodeIfPresent(String.self, forKey: .senderName),
            senderPhotoURL: values.decodeIfPresent(String.self, forKey: .senderPhotoURL),
            deletedAt: time(.deletedAt),
            file: values.decodeIfPresent(MessageFile.self, forKey: .file))
        senderUsername = try values.decodeIfPresent(String.self, forKey: .senderUsername)
        // The field `seq` has the number too; the position in the log is not in JSON.
        number = try values.decodeIfPresent(Int.self, forKey: .number) ?? 0
        editedAt = try time(.editedAt)
        replyTo = try values.decodeIfPresent(Quote.self, forKey: .replyTo)
        reactions = try values.decodeIfPresent([Reaction].self, forKey: .reactions) ?? []
        mentions = try values.decodeIfPresent([JSONUserID].self, forKey: .mentions)?.map(\.id) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(conversationId, forKey: .conversationId)
        try values.encode(senderId, forKey: .senderId)
        try values.encode(text, forKey: .text)
        try values.encodeIfPresent(imageURL, forKey: .imageURL)
        try values.encode(JSONTime(sentAt), forKey: .sentAt)
        try values.encodeIfPresent(deliveredAt.map(JSONTime.init), forKey: .deliveredAt)
        try values.encodeIfPresent(readAt.map(JSONTime.init), forKey: .readAt)
        try values.encode(status, forKey: .status)
        try values.encodeIfPresent(senderName, forKey: .senderName)
        try values.encodeIfPresent(senderUsername, forKey: .senderUsername)
        try values.encodeIfPresent(senderPhotoURL, forKey: .senderPhotoURL)
        // Both have the number, because the API has always used `seq` for a message's position.
        try values.encode(number, forKey: .seq)
        try values.encode(number, forKey: .number)
        try values.encodeIfPresent(editedAt.map(JSONTime.init), forKey: .editedAt)
        try values.encodeIfPresent(deletedAt.map(JSONTime.init), forKey: .deletedAt)
        try values.encodeIfPresent(replyTo, forKey: .replyTo)
        try values.encode(reactions, forKey: .reactions)
        try values.encode(mentions.map(JSONUserID.init), forKey: .mentions)
        try values.encodeIfPresent(file, forKey: .file)
    }
}
