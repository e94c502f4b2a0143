/// `/chat/tile`: the conversations with something new, on the home page.
struct ChatTileView: Sendable {
    /// More rows than this are not shown.
    static let limit = 5

    let rows: [ConversationRow]
    let hasConversations: Bool
    private let unreadConversations: Int
    private let unread: Int

    /// - Parameter conversations: all of the reader's, in their order; muted ones are left out
    init(_ conversations: [ConversationRow]) {
        let new = conversations.filter { $0.unread != nil && !$0.isMuted }
        rows = Array(new.prefix(Self.limit))
        unreadConversations = new.count
        unread = new.reduce(0) { $0 + ($1.unread ?? 0) }
        hasConversations = !conversations.isEmpty
    }

    /// Its place on the home page.
    var tile: HomeTile { HomeTile("Chat", at: "/chat/tile", topics: ["chat"], self) }

    var hasRows: Bool { !rows.isEmpty }
    var total: Int { unread }
    var more: Int? { unreadConversations > rows.count ? unreadConversations - rows.count : nil }
}
