import RoostWeb

/// `/chat/tile`: the conversations with unread messages, on the home page.
struct ChatTileView: Sendable {
    static let limit = 5

    let rows: [ConversationRow]
    let hasConversations: Bool
    private let unreadConversations: Int
    let unread: Int

    /// - Parameter conversations: all of the reader's, in order; muted ones are skipped
    init(_ conversations: [ConversationRow]) {
        let new = conversations.filter { $0.unread != nil && !$0.isMuted }
        rows = Array(new.prefix(Self.limit))
        unreadConversations = new.count
        unread = new.reduce(0) { $0 + ($1.unread ?? 0) }
        hasConversations = !conversations.isEmpty
    }

    var tile: HomeTile { HomeTile("Chat", at: "/chat/tile", topics: ["chat"], self) }

    var hasRows: Bool { !rows.isEmpty }
    var more: Int? { unreadConversations > rows.count ? unreadConversations - rows.count : nil }
}
