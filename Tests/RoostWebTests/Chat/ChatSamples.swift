import Foundation
import HTMLTemplates

@testable import Accounts
@testable import Chat
@testable import ChatWeb
@testable import RoostSupport
@testable import RoostWeb
@testable import TextFormats

extension ChatDetailsView {
    static let sample = ChatDetailsView(
        layout: .sample, conversationId: MessageView.sampleConversation, title: "Release 2.0", avatar: nil,
        toneKey: "release", groupName: "Release 2.0", isGroup: true, isAdmin: true, notify: "all",
        members: [
            Member(
                conversation: MessageView.sampleConversation, userId: 1, name: "Ada Lovelace",
                username: "ada",
                avatar: nil, isAdmin: true, isYou: true, isPresent: true, mayBeChanged: false),
            Member(
                conversation: MessageView.sampleConversation, userId: 3, name: "Kurt Gödel", username: "kurt",
                avatar: nil, isAdmin: false, isYou: false, isPresent: false, mayBeChanged: true),
        ], candidates: [.sample], mayManageHooks: true,
        hooks: [
            Hook(
                conversation: MessageView.sampleConversation, id: 1, name: "Builds", creator: "Ada Lovelace",
                usedAt: .sample - 240, mayRevoke: true, now: .sample)
        ], newHook: NewHook(name: "Builds", address: "/hooks/0123"), error: "That name is too long.")
}

extension ChatExportMessageView {
    static let sample = ChatExportMessageView(
        message: .sample, image: "data:image/gif;base64,R0lGODlhAQABAAAAACw=")
}

extension ChatExportStartView {
    static let sample = ChatExportStartView(
        title: "Release 2.0", members: "Ada Lovelace and Grace Hopper", exportedAt: .sample)
}

extension ChatListView {
    static let sample = ChatListView(conversations: ConversationRow.samples)
}

extension ChatNewView {
    static let sample = ChatNewView(
        layout: .sample, people: [.sample], conversations: ConversationRow.samples,
        sharedText: "/coins/bitcoin", newId: "5f0b5f0e-3f37-4d1c-8f53-2f6c2d7a9f11", groupName: "Release",
        error: "Choose someone.")
}

extension ChatSearchView {
    static let sample = ChatSearchView(
        layout: .sample, query: "clock", conversationChoices: [.init(value: "", text: "All", isChosen: true)],
        personChoices: [.init(value: "", text: "Anybody", isChosen: true)], before: "", hasImage: true,
        matches: ConversationRow.samples,
        results: [
            Result(
                conversation: MessageView.sampleConversation, conversationTitle: "Release 2.0", seq: 12,
                senderName: "Grace Hopper", sentAt: .sample,
                excerpt: SearchExcerpt([
                    .init(text: "the ", isMatch: false), .init(text: "clock", isMatch: true),
                    .init(text: " goes through", isMatch: false),
                ]))
        ], nextAddress: "/chat/search?q=clock&cursor=c", hasCriteria: true, isIndexing: true,
        error: "Try other words.")
}

extension ChatTileView {
    static let sample = ChatTileView(ConversationRow.samples)
}

extension ChatTypingView {
    static let sample = ChatTypingView([
        (2, "Grace Hopper"), (3, "Katherine Johnson"), (4, "Kurt Gödel"), (5, "Dennis Ritchie"),
    ])
}

extension ChatView {
    static let sample = ChatView(
        layout: .sample, list: .sample, conversation: .sample, me: 1, log: "c12")

    static let emptySample = ChatView(
        layout: .sample, list: ChatListView(conversations: []), conversation: nil, me: 1, log: "c0")
}

extension ConversationView {
    static let sample: ConversationView = {
        var ownMessage = MessageView(
            conversation: MessageView.sampleConversation, seq: 11,
            messageId: "9b2c0a52-9f0c-4d5e-8d6a-0f5f6f1f2a3b", sender: "1", senderName: "Ada Lovelace",
            sentAt: .sample - 300, text: MessageText("Only the session cache."),
            status: "delivered",
            statusText: "Delivered")
        ownMessage.isOwn = true
        ownMessage.isChosen = true
        let actions = MessageActionsView(
            conversation: MessageView.sampleConversation, seq: 11, isOwn: true,
            rawText: "Only the session cache.",
            receipts: [.init(name: "Grace Hopper", status: "delivered", text: "Delivered")])
        var view = ConversationView(
            conversationId: MessageView.sampleConversation, title: "Release 2.0", avatar: nil, initials: "R2",
            tone: 3, facts: "Grace Hopper, Kurt Gödel and you · 2 online", isGroup: true,
            commands: [
                Command(
                    LinkCommand(
                        name: "price", example: "/price bitcoin", summary: "Shows a coin & its price."
                    ) {
                        argument, _ in argument
                    })
            ], isClosed: false, me: .sample,
            entries: [
                Entry(
                    day: "2025-11-20", sentAt: .sample - 300, isFirstUnread: false, message: ownMessage,
                    actions: actions),
                Entry(day: nil, sentAt: .sample, isFirstUnread: true, message: .sample),
            ], hasOlder: true, hasNewer: true, unread: 1, read: 11, last: 12,
            newId: "5f0b5f0e-3f37-4d1c-8f53-2f6c2d7a9f11")
        view.draft = "Thanks"
        view.reply = .init(address: "#m-12", name: "Grace Hopper", text: "Looked at it")
        view.replySeq = 12
        view.error = "A message can have up to 16 KB of text."
        view.readImage = "/chat/\(MessageView.sampleConversation)/read.gif?upTo=12&proof=x"
        return view
    }()
}

extension MessageView {
    static let sample: MessageView = {
        var view = MessageView(
            conversation: sampleConversation, seq: 12, messageId: "0f8fad5b-d9cb-469f-a165-70867728950e",
            sender: "2", senderName: "Grace Hopper", sentAt: .sample,
            text: MessageText(
                "Looked at *it*: `ContinuousClock` is **fine**. @ada merge :+1:", members: ["ada"]),
            quote: Quote(
                address: "/chat/\(sampleConversation)?message=11#m-11", name: "Ada Lovelace",
                text: "Only the session cache …"),
            file: File(
                address: "/chat/files/7c9e6679", thumbnail: "/chat/files/7c9e6679/thumbnail",
                name: "clock.png", byteCount: 48_210, width: 1_600, height: 900),
            status: "read", statusText: "Read", isEdited: true,
            reactions: [
                Reaction(
                    seq: 12, emoji: "👍", users: [(1, "Ada Lovelace"), (3, "Kurt Gödel")], isOwn: true)
            ])
        view.timeAgo = "2 hours ago"
        view.cards = [
            Card(
                address: "/pulls", title: "Cache session expiry on start",
                facts: "open-almanac/tides #1104 · checks passed", state: "ready to merge",
                asOf: .sample - 7_200, now: .sample)
        ]
        return view
    }()

    static let sampleConversation = "6b1b36cb-5a3e-4f2e-9a71-0d4c8a3c5a10"
}

extension PersonChoiceView {
    static let sample = PersonChoiceView(
        userId: 2, name: "Grace Hopper", username: "grace", avatar: nil, isPresent: true, isChosen: true)
}

extension ConversationRow {
    static let samples = [
        ConversationRow(
            conversationId: MessageView.sampleConversation, title: "Release 2.0", avatar: nil,
            preview: "Kurt: checks are green again", lastAt: .sample, unread: 2, isGroup: true,
            isCurrent: true, now: .sample),
        ConversationRow(
            conversationId: "c2d29867-3d0b-4d97-91b7-0b2f2f2a7c55", title: "Grace Hopper", avatar: nil,
            preview: nil, lastAt: .sample - 90_000, unread: 0, isMuted: true, now: .sample),
    ]
}
