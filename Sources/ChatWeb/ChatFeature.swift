import Accounts
import ArticleText
package import Chat
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

package struct ChatFeature: Feature {
    /// The page's name of the topic for all conversations of the user.
    static let topic = "chat"
    /// Topics about who is typing in a conversation: "chat-typing/ID".
    private static let typingPrefix = Topic.chatTyping("")

    let tokenArea: TokenArea? = TokenArea("chat", name: "Chat")
    let navigationEntries: [NavigationEntry]
    /// Its notifications are turned on at the list of conversations, and off for one in its details.
    let settingsTabs = [SettingsTab("Chat notifications", at: "/chat", in: .feature)]
    private let services: ChatServices
    private let links: ChatLinks

    package init(_ services: ChatServices, links: ChatLinks) {
        self.services = services
        self.links = links
        navigationEntries = [
            NavigationEntry(
                "Chat", at: "/chat", icon: "chat", key: "c",
                count: .init(
                    address: "/chat/count", topic: Self.topic,
                    waiting: { [chat = services.conversations] in try chat.unreadTotal($0, of: $1.userId) },
                    lastWaiting: { [chat = services.conversations] in chat.lastUnreadTotal(of: $0.userId) },
                    isUnreadTotal: true))
        ]
    }

    let secretPathPrefixes = [ChatWebhooksController.pathSegment]
    let programPathPrefixes = [ChatWebhooksController.pathSegment]

    func metrics(_ reads: Reads) throws -> [MetricFamily] {
        let figures = try services.conversations.figures(reads)
        return [
            .gauge("roost_chat_messages", "Chat messages in all conversations.", figures.messages),
            .gauge("roost_chat_conversations", "Conversations by kind.")
                .with(figures.groups, ["kind": "group"]).with(figures.pairs, ["kind": "pair"]),
        ]
    }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return ChatController(site: site, services: services, links: links).routes(guarded)
            + ChatActionsController(site: site, services: services, links: links).routes(guarded)
            + ChatDetailsController(site: site, services: services, links: links).routes(guarded)
            + ChatFilesController(site: site, services: services, links: links).routes(guarded)
            + ChatWebhooksController(site: site, services: services, links: links).routes(guarded)
            + ChatAPI(site: site, services: services, links: links).routes(guarded)
            + WebhooksAPI(site: site, services: services).routes(guarded)
            + MessagesAPI(site: site, services: services, links: links).routes(guarded)
    }

    var webhookEvents: [WebhookEvent] {
        [
            (WebhookEvent.Name.messageArrived, "Someone writes a message in one of your conversations"),
            (.messageSent, "You write a message"),
        ].map { name, text in
            WebhookEvent(name, text) { [chat = services.conversations] reads, seq, user, now in
                guard let seq = Int64(seq) else { return nil }
                let message = try chat.message(reads, seq, for: user)
                return message.isDeleted ? nil : MessageJSON(message, now: now)
            }
        }
    }

    let searchCommands = [
        SearchCommand("New conversation", or: "chat message group", at: "/chat/new", isOffered: true)
    ]

    func searchSources(in site: WebContext) -> [SearchSource] {
        [ChatSearchSource(services: services).source]
    }

    var tileKind: TileKind? { ChatTileView.kind }

    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile? {
        try ChatController(site: site, services: services, links: links).tileView(reads, user, scope).tile
    }

    func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] {
        let conversations = try services.conversations.conversationList(reads, of: user.userId)
            .filter { $0.notify != .none && $0.conversation.lastMessageAt > since }
        var lines: [TodayLine] = []
        for summary in conversations.prefix(TodayLine.limit) {
            let page = try services.conversations.page(reads, of: summary.id, for: user.userId)
            let new = page.messages.filter {
                $0.sentAt > since && !$0.isDeleted && $0.senderId != "\(user.userId)"
            }
            guard !new.isEmpty else { continue }
            let count = page.hasOlder && new.count == page.messages.count ? "\(new.count)+" : "\(new.count)"
            let texts = new.map { MessageText.plain($0.text).sanitized }.filter { !$0.isBlank }
            lines.append(
                TodayLine(
                    "\(summary.displayName): \(count) new message\(count == "1" ? "" : "s").", from: "Chat",
                    at: "/chat/\(summary.id)", summary: Self.gist(of: texts)))
        }
        return lines
    }

    /// The main sentence, or the last message if there is too little text.
    private static func gist(of texts: [String]) -> String? {
        Summarizer.summary(of: texts.joined(separator: "\n"), length: .sentences(1)).first
            ?? texts.last.map { String($0.prefix(200)) }
    }

    func tileTopics(for user: User) -> [String] { [Topic.chat(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.chat(user.userId): [Topic.chat(user.userId)]
        default: Self.typingConversation(name).map { [Topic.chatTyping($0)] }
        }
    }

    func pollExtension(in site: WebContext) -> (any PollExtension)? {
        ChatPoll(site: site, services: services, links: links)
    }

    /// The conversation of a topic about who is typing.
    static func typingConversation(_ name: String) -> ConversationID? {
        guard name.utf8.starts(with: typingPrefix.utf8) else { return nil }
        let id = String(name.dropFirst(typingPrefix.count))
        return id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) ? nil : id
    }
}

/// Chat's part in the long poll: presence, receipts and the log's new entries.
private struct ChatPoll: PollExtension {
    let site: WebContext
    let services: ChatServices
    let links: ChatLinks

    /// Only members may see who is typing. A removed member's poll continues with its other topics.
    func admits(_ name: String, for user: User) async throws -> Bool {
        guard let conversation = ChatFeature.typingConversation(name) else { return true }
        do { try await services.conversations.checkMember(user.userId, of: conversation) } catch RoostError
            .notFound
        {
            return false
        }
        return true
    }

    func mayWatch(_ name: String, _ user: User) -> Bool? {
        guard let conversation = ChatFeature.typingConversation(name) else { return true }
        return services.conversations.isMemberIfCached(user.userId, of: conversation)
    }

    /// An open poll means that the user is present and has received everything up to its `after`.
    func polled(_ request: Request, topics: [String], by user: User) {
        guard topics.contains(ChatFeature.topic) else { return }
        services.conversations.markPresent(user.userId)
        if let after = after(of: request) {
            services.conversations.acknowledge(after, by: user.userId)
        }
    }

    /// Returns the log's entries since the client's `after`, which saves a second request.
    func news(for request: Request, changed: [String], of user: User) -> PollContent? {
        guard changed.contains(ChatFeature.topic), let after = after(of: request),
            let page = services.conversations.recentLog(for: user.userId, after: after)
        else { return nil }
        return PollContent(name: ChatFeature.topic, key: page.identity) {
            // Null makes the browser fetch the log.
            (try? MessagePresenter(site: site, services: services, links: links).json(of: page, hasHTML: true))
                ?? Array("null".utf8)
        }
    }

    private func after(of request: Request) -> Int64? {
        request.query["after"].flatMap { services.conversations.position(of: $0) }
    }
}
