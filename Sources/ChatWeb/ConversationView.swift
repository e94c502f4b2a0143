import Foundation
import RoostSupport
import RoostWeb
import TextFormats

struct ConversationView: Pictured, Sendable {
    /// A message with the separator lines above it and the actions below it.
    struct Entry: Sendable {
        /// "2025-11-20" for the first message of a day.
        let day: String?
        let sentAt: Date
        let isFirstUnread: Bool
        let message: MessageView
        var actions: MessageActionsView?

        var dayTime: String { ISO8601.seconds(sentAt) }
        var dayText: String { RelativeTime.day(sentAt) }
    }

    /// A command that can be typed into the composer.
    struct Command: Sendable {
        /// With the slash.
        let name: String
        let example, summary: String

        init(_ command: LinkCommand) {
            (name, example, summary) = ("/" + command.name, command.example, command.summary)
        }
    }

    let conversationId: String
    let title: String
    let avatar: String?
    let initials: String
    let tone: Int
    /// "Grace, Kurt and you · 2 online".
    let facts: String
    let isGroup: Bool
    let commands: [Command]
    /// Everyone else has left.
    let isClosed: Bool
    let me: PersonView
    let entries: [Entry]
    let hasOlder, hasNewer: Bool
    let unread: Int
    /// Numbers of messages: the last one read, and the last of all.
    let read, last: Int
    /// The next message's id. Sending it twice creates one message.
    let newId: String
    /// The names of the topics that cards of links depend on.
    var cardTopics: [String] = []
    var draft = ""
    var reply: MessageView.Quote?
    var replySeq: Int?
    var error: String?
    /// The file of a rejected message, which need not be chosen again.
    var uploadedFile: (id: String, name: String)?
    /// An image that marks the page as read when it loads, or nil.
    var readImage: String?

    var address: String { "/chat/\(conversationId)" }

    var detailsAddress: String { "\(address)/details" }
    var sendAddress: String { "\(address)/send" }
    var reactAddress: String { "\(address)/react" }
    var saveAddress: String { "\(address)/save" }
    var typingAddress: String { "\(address)/typing" }
    /// That of the typing line first; a script updates the cards when one of the others changes.
    var liveTopics: String { ([Topic.chatTyping(conversationId)] + cardTopics).joined(separator: " ") }
    var emojis: [String] { EmojiNames.quick }
    var examples: String { commands.map(\.example).joined(separator: ", ") }
    var replyTo: String { replySeq.map { "\($0)" } ?? "" }
    var composerError: TimedText? { error.map(TimedText.init) }
    var fileId: String? { uploadedFile?.id }
    var uploadedName: String? { uploadedFile?.name }
    var beginning: String {
        isGroup ? "This is the start of \(title)." : "This is the start of your conversation with \(title)."
    }

    var olderAddress: String? {
        guard hasOlder, let first = entries.first else { return nil }
        return "\(address)?before=\(first.message.seq)"
    }

    var newerAddress: String? {
        guard hasNewer, let last = entries.last else { return nil }
        return "\(address)?after=\(last.message.seq)"
    }

    /// The first unread message, on this page or another.
    var unreadAddress: String? {
        guard unread > 0 else { return nil }
        return entries.contains(where: \.isFirstUnread) ? "#unread" : "\(address)?after=\(read)#unread"
    }

    var unreadText: String { unread == 1 ? "1 new message" : "\(unread) new messages" }
}
