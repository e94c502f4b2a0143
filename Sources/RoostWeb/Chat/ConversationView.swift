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

    private var address: String { "/chat/\(conversationId)" }

    var detailsAddress: String { "\(address)/details" }
    var sendAddress: String { "\(address)/send" }
    var reactAddress: String { "\(address)/react" }
    var saveAddress: String { "\(address)/save" }
    var latestAddress: String { address }
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

    static let sample: ConversationView = {
        var mine = MessageView(
            conversation: MessageView.sampleConversation, seq: 11,
            messageId: "9b2c0a52-9f0c-4d5e-8d6a-0f5f6f1f2a3b", sender: "1", senderName: "Ada Lovelace",
            sentAt: .sample - 300, text: MessageText("Only the session cache."),
            status: "delivered",
            statusText: "Delivered")
        mine.isMine = true
        mine.isChosen = true
        let actions = MessageActionsView(
            conversation: MessageView.sampleConversation, seq: 11, isOwn: true,
            rawText: "Only the session cache.",
            receipts: [.init(name: "Grace Hopper", status: "delivered", text: "Delivered")])
        var view = ConversationView(
            conversationId: MessageView.sampleConversation, title: "Release 2.0", avatar: nil, initials: "R2",
            tone: 3, facts: "Grace Hopper, Kurt Gödel and you · 2 here now", isGroup: true, isClosed: false,
            me: .sample,
            entries: [
                Entry(
                    day: "2025-11-20", sentAt: .sample - 300, isFirstUnread: false, message: mine,
                    actions: actions),
                Entry(day: nil, sentAt: .sample, isFirstUnread: true, message: .sample),
            ], hasOlder: true, hasNewer: true, unread: 1, read: 11, last: 12,
            newId: "5f0b5f0e-3f37-4d1c-8f53-2f6c2d7a9f11")
        view.draft = "Thanks"
        view.reply = .init(address: "#m-12", name: "Grace Hopper", text: "Looked at it")
        view.replySeq = 12
        view.error = "A message has at most 16 KB."
        view.readImage = "/chat/\(MessageView.sampleConversation)/read.gif?upTo=12&proof=x"
        return view
    }()
}
