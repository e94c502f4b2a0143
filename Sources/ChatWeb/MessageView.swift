import Chat
import Foundation
import RoostSupport
import RoostWeb
import TextFormats

/// A message. Without the reader's own parts (`isOwn`, cards, their reactions) it is equal for all readers and
/// rendered once.
struct MessageView: Pictured, Sendable {
    /// The quoted message above a reply.
    struct Quote: Sendable {
        let address, name, text: String
    }

    struct File: Sendable {
        let address: String
        let thumbnail: String?
        let name: String
        let byteCount: Int
        /// The type of a picture that only some browsers can show.
        let previewType: String?
        /// In pixels as shown. Without them, the page would shift when the image loads.
        let width, height: Int?

        /// Larger images are scaled down in proportion.
        static let maximumWidth = 420
        static let maximumHeight = 320

        init(
            address: String, thumbnail: String? = nil, name: String, byteCount: Int,
            previewType: String? = nil, width: Int? = nil, height: Int? = nil
        ) {
            self.address = address
            self.thumbnail = thumbnail
            self.name = name
            self.byteCount = byteCount
            self.previewType = previewType
            let size = Self.scaledSize(width: width, height: height)
            self.width = size?.width
            self.height = size?.height
        }

        private static func scaledSize(width: Int?, height: Int?) -> (width: Int, height: Int)? {
            guard let width, let height, width > 0, height > 0 else { return nil }
            let scale = min(
                1, Double(maximumWidth) / Double(width), Double(maximumHeight) / Double(height))
            return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
        }

        var isPicture: Bool { width != nil && height != nil }
        var thumbnailAddress: String { thumbnail ?? address }
        var previewAddress: String { address + "/preview" }
        var fileSize: String { ByteCountText.of(byteCount) }
    }

    /// A preview of a link's target, from data that this reader may see.
    struct Card: Sendable {
        let address, title: String
        let facts, state: String?
        /// The time of the data, if it is old.
        var asOf: Date?
        let now: Date
        var cardTime: String? { asOf.map(ISO8601.seconds) }
        var cardAge: String? { asOf.map { RelativeTime.ago($0, now: now) } }
    }

    struct Reaction: Sendable {
        let seq: Int
        let emoji: String
        let users: [(id: UserID, name: String)]
        var isOwn = false

        var reactionValue: String { "\(seq) \(emoji)" }
        var userIds: String { users.map { "\($0.id)" }.joined(separator: " ") }
        var names: String { NameList.text(users.map(\.name)) }
    }

    let conversation: String
    /// The message's number in the conversation.
    let seq: Int
    let messageId: String
    /// A user id, or a bot's: "bot-3".
    let sender: String
    let senderName: String
    let avatar: String?
    let initials: String
    let tone: Int
    let isBot: Bool
    let sentAt: Date
    let text: MessageText?
    let quote: Quote?
    let file: File?
    /// The raw value and text of the mission's `MessageStatus`.
    let status, statusText: String
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [Reaction]
    var cards: [Card] = []
    var isOwn = false
    /// "2 hours ago"; nil in the shared view, where a script adds it.
    var timeAgo: String?
    /// Grouped with the previous message: same sender and day, within minutes.
    var isFollowing = false
    var isChosen = false

    init(
        conversation: String, seq: Int, messageId: String, sender: String, senderName: String,
        avatar: String? = nil, isBot: Bool = false, sentAt: Date, text: MessageText?,
        quote: Quote? = nil, file: File? = nil, status: String, statusText: String, isEdited: Bool = false,
        isDeleted: Bool = false, reactions: [Reaction] = []
    ) {
        self.conversation = conversation
        self.seq = seq
        self.messageId = messageId
        self.sender = sender
        self.senderName = senderName
        self.avatar = avatar
        initials = Initials(senderName).text
        tone = Tone.of(sender)
        self.isBot = isBot
        self.sentAt = sentAt
        self.text = text
        self.quote = quote
        self.file = file
        self.status = status
        self.statusText = statusText
        self.isEdited = isEdited
        self.isDeleted = isDeleted
        self.reactions = reactions
    }

    var sentTime: String { ISO8601.seconds(sentAt) }
    var sentClock: String { RelativeTime.clock(sentAt) }
    var permalink: String { Self.permalink(seq, in: conversation) }
    static func permalink(_ number: Int, in conversation: ConversationID) -> String {
        "/chat/\(conversation)?message=\(number)#m-\(number)"
    }
    var picture: File? { isDeleted ? nil : file.flatMap { $0.isPicture ? $0 : nil } }
    var attachment: File? { isDeleted ? nil : file.flatMap { $0.isPicture ? nil : $0 } }
    var hasReactions: Bool { !reactions.isEmpty }
    /// The first external link, which can be added to the reading list.
    var savableLink: String? { isDeleted ? nil : text?.links.first { $0.utf8.starts(with: "http".utf8) } }
}
