import RoostWeb

/// `/chat/tile`: the conversations with unread messages, on the home page.
struct ChatTileView: Sendable {
    static let kind = TileKind("chat", "Unread conversations")
    private static let nameLimit = 3

    let rows: [ConversationRow]
    let hasConversations: Bool
    let total: Int
    private let sentences: [String]

    /// - Parameter conversations: all of the reader's, in order; muted ones are skipped
    init(_ conversations: [ConversationRow], limit: Int = TileScope().rows) {
        let new = conversations.filter { $0.unread != nil && !$0.isMuted }
        rows = Array(new.prefix(limit))
        total = new.count
        let people = new.filter { !$0.isGroup }.map(\.title)
        let groups = new.filter(\.isGroup).map(\.title)
        sentences = [
            people.isEmpty ? nil : NameList.text(people, limit: Self.nameLimit) + " wrote.",
            groups.isEmpty ? nil : "New messages in \(NameList.text(groups, limit: Self.nameLimit)).",
        ].compactMap(\.self)
        hasConversations = !conversations.isEmpty
    }

    var tile: HomeTile { HomeTile(Self.kind, topics: ["chat"], self, sentences: sentences) }

    var hasRows: Bool { !rows.isEmpty }
    var more: Int? { total > rows.count ? total - rows.count : nil }
}
