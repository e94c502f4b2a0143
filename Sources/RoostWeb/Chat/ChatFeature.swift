import Accounts
import Chat
import HTTPServer
import RoostServices
import RoostSupport

/// Conversations of two and of groups.
struct ChatFeature: Feature {
    /// The topic of everything that concerns one's conversations, as pages name it.
    static let topic = "chat"
    /// Who is typing in a conversation: "chat-typing/ID".
    private static let typingPrefix = Topic.chatTyping("")

    let places = [
        NavigationPlace(
            "Chat", at: "/chat", icon: "chat",
            count: .init(
                address: "/chat/count", topic: topic,
                waiting: { try await $0.chat.unreadTotal(of: $1.userId) },
                lastWaiting: { $0.chat.lastUnreadTotal(of: $1.userId) }, isUnreadTotal: true))
    ]

    let secretWords = [ChatWebhooksController.word]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return ChatController(site: site).routes(guarded) + ChatActionsController(site: site).routes(guarded)
            + ChatDetailsController(site: site).routes(guarded)
            + ChatFilesController(site: site).routes(guarded)
            + ChatWebhooksController(site: site).routes(guarded) + ChatAPI(site: site).routes(guarded)
            + MessagesAPI(site: site).routes(guarded)
    }

    func tile(for user: User, in site: WebContext) async throws -> HomeTile? {
        try await ChatController(site: site).tileView(user).tile
    }

    func tileTopics(for user: User) -> [String] { [Topic.chat(user.userId)] }

    func topics(named name: String, for user: User) -> [String]? {
        switch name {
        case Self.topic, Topic.chat(user.userId): [Topic.chat(user.userId)]
        default: Self.typingConversation(name).map { [Topic.chatTyping($0)] }
        }
    }

    /// Only members hear who types. A removed member still hears of everything else.
    func admits(_ name: String, for user: User, in services: Services) async throws -> Bool {
        guard let conversation = Self.typingConversation(name) else { return true }
        do { try await services.chat.checkMember(user.userId, of: conversation) } catch RoostError.notFound {
            return false
        }
        return true
    }

    func mayWatch(_ name: String, _ user: User, in services: Services) -> Bool? {
        guard let conversation = Self.typingConversation(name) else { return true }
        return services.chat.isKnownMember(user.userId, of: conversation)
    }

    private static func typingConversation(_ name: String) -> ConversationID? {
        guard name.utf8.starts(with: typingPrefix.utf8) else { return nil }
        let id = String(name.dropFirst(typingPrefix.count))
        return id.isEmpty || id.utf8.contains(UInt8(ascii: "/")) ? nil : id
    }

    /// An open poll means that somebody is there, and that everything up to its `after` has come.
    func polled(_ request: Request, topics: [String], by user: User, in services: Services) {
        guard topics.contains(Self.topic) else { return }
        services.chat.markPresent(user.userId)
        if let after = Self.after(of: request, in: services) {
            services.chat.acknowledge(after, by: user.userId)
        }
    }

    /// The log's entries since the client's `after`, so that a wake-up needs no second request.
    func news(for request: Request, changed: [String], of user: User, in site: WebContext) -> PollContent? {
        guard changed.contains(Self.topic), let after = Self.after(of: request, in: site.services),
            let page = site.services.chat.recentLog(for: user.userId, after: after)
        else { return nil }
        return PollContent(name: Self.topic, key: page.identity) {
            // Null has the browser ask for the log.
            (try? MessagePresenter(site: site).json(of: page, hasHTML: true)) ?? Array("null".utf8)
        }
    }

    private static func after(of request: Request, in services: Services) -> Int64? {
        request.query["after"].flatMap { services.chat.position(of: $0) }
    }
}
