import Foundation
import RoostSupport
import TextFormats

/// An open conversation: a page of its messages, and the form for the next one.
struct ConversationView: Pictured, Sendable {
    /// A message with the lines above it and what stands below it.
    struct Entry: Sendable {
        /// "2025-11-20", where a day begins.
        let day: String?
        let sentAt: Date
        let isFirstUnread: Bool
        let message: MessageView
        var actions: MessageActionsView?

        var dayTime: String { ISO8601.seconds(sentAt) }
        var dayWords: String { RelativeTime.day(sentAt) }
    }

    let conversationId: String
    let title: String
    let avatar: String?
    let initials: String
    let tone: Int
    /// "Grace, Kurt and you · 2 here now".
    let facts: String
    let isGroup: Bool
    /// Nobody else is left.
    let isClosed: Bool
    let me: PersonView
    let entries: [Entry]
    let hasOlder, hasNewer: Bool
    let unread: Int
    /// Numbers of messages: the last one that was read, and the last of all.
    let read, last: Int
    /// For the next message: sent twice it is one message.
    let newId: String
    var draft = ""
    var reply: MessageView.Quote?
    var replySeq: Int?
    var error: String?
    /// A file that came with a refused message: it is not to be chosen again.
    var heldFile: (id: String, name: String)?
    /// Its loading says that the page was read; nil where it is not to.
    var readImage: String?

    var address: String { "/chat/\(conversationId)" }

    var detailsAddress: String { "\(address)/details" }
    var sendAddress: String { "\(address)/send" }
    var reactAddress: String { "\(address)/react" }
    var saveAddress: String { "\(address)/save" }
    var typingAddress: String { "\(address)/typing" }
    var typingTopic: String { Topic.chatTyping(conversationId) }
    var emojis: [String] { EmojiNames.quick }
    var replyTo: String { replySeq.map { "\($0)" } ?? "" }
    var composerError: TimedText? { error.map(TimedText.init) }
    var fileId: String? { heldFile?.id }
    var heldName: String? { heldFile?.name }
    var beginning: String { isGroup ? "This is the beginning of the group." : "This is the beginning." }

    var olderAddress: String? {
        guard hasOlder, let first = entries.first else { return nil }
        return "\(address)?before=\(first.message.seq)"
    }

    var newerAddress: String? {
        guard hasNewer, let last = entries.last else { return nil }
        return "\(address)?after=\(last.message.seq)"
    }

    /// On this page, or where the unread messages begin.
    var unreadAddress: String? {
        guard unread > 0 else { return nil }
        return entries.contains(where: \.isFirstUnread) ? "#unread" : "\(address)?after=\(read)#unread"
    }

    var unreadWords: String { unread == 1 ? "1 new message" : "\(unread) new messages" }
}
