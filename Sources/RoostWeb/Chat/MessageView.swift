import Chat
import Foundation
import RoostSupport
import TextFormats

/// A message. Without what is one reader's own (`isMine`, cards, the reader's reactions) it is the same for everybody,
/// and is rendered once for all who hear of it.
struct MessageView: Pictured, Sendable {
    /// What is quoted above an answer.
    struct Quote: Sendable {
        let address, name, text: String
        var quoteName: String { self.name }
    }

    /// A picture that is shown, or another file that is offered.
    struct File: Sendable {
        let address: String
        let thumbnail: String?
        let name: String
        let byteCount: Int
        /// In pixels, as it is shown: without them the page would shift when it comes.
        let width, height: Int?

        /// Longer sides are shown smaller, in the same proportion.
        static let maximumWidth = 420
        static let maximumHeight = 320

        init(
            address: String, thumbnail: String? = nil, name: String, byteCount: Int, width: Int? = nil,
            height: Int? = nil
        ) {
            self.address = address
            self.thumbnail = thumbnail
            self.name = name
            self.byteCount = byteCount
            let size = Self.shown(width: width, height: height)
            self.width = size?.width
            self.height = size?.height
        }

        private static func shown(width: Int?, height: Int?) -> (width: Int, height: Int)? {
            guard let width, let height, width > 0, height > 0 else { return nil }
            let scale = min(
                1, Double(maximumWidth) / Double(width), Double(maximumHeight) / Double(height))
            return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
        }

        var isPicture: Bool { width != nil && height != nil }
        var thumbnailAddress: String { thumbnail ?? address }
        var fileName: String { self.name }
        var fileSize: String { ByteCountText.of(byteCount) }
    }

    /// What Roost knows of what a link in the message leads to, and this reader may see.
    struct Card: Sendable {
        let address, title: String
        let facts, state: String?
        /// Since when it is known, where that is long ago.
        var asOf: Date?
        let now: Date
        var cardTime: String? { asOf.map(ISO8601.seconds) }
        var cardAge: String? { asOf.map { RelativeTime.ago($0, now: now) } }
    }

    struct Reaction: Sendable {
        /// Of the message.
        let seq: Int
        let emoji: String
        let users: [(id: UserID, name: String)]
        /// One of them is the reader.
        var isMine = false

        var reactionValue: String { "\(seq) \(emoji)" }
        var count: Int { users.count }
        var userIds: String { users.map { "\($0.id)" }.joined(separator: " ") }
        var names: String { NameList.text(users.map(\.name)) }
    }

    let conversation: String
    /// The message's number in the conversation.
    let seq: Int
    let messageId: String
    /// The sender's user id, or that of a bot: "bot-3".
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
    /// Raw value and words of the mission's `MessageStatus`.
    let status, statusText: String
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [Reaction]
    var cards: [Card] = []
    var isMine = false
    /// "2 hours ago"; nil where the view is rendered once for everybody, and a script adds it.
    var timeAgo: String?
    /// It belongs to the one before it: same sender, within minutes, on the same day.
    var isFollowing = false
    /// The page was opened for it.
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
    /// The first page elsewhere that the message names: it may be kept to be read.
    var savableLink: String? { isDeleted ? nil : text?.links.first { $0.utf8.starts(with: "http".utf8) } }
}

/// Sizes of files in words: "812 bytes", "48 KB", "2.4 MB".
enum ByteCountText {
    static func of(_ count: Int) -> String {
        switch count {
        case ..<1_000: return count == 1 ? "1 byte" : "\(max(0, count)) bytes"
        case ..<999_500: return "\((count + 500) / 1_000) KB"
        default:
            let tenths = (count + 50_000) / 100_000
            return "\(tenths / 10).\(tenths % 10) MB"
        }
    }
}
