/// `/chat` and `/chat/{id}`: the conversations, and the one that is open.
struct ChatView: PageView {
    let layout: LayoutView
    let list: ChatListView
    let conversation: ConversationView?
    let me: Int64
    /// How far the chat's log had come before the page was read: what is newer is asked for from here on.
    let log: String

    var pageTitle: String { conversation?.title ?? "Chat" }
    var listAddress: String {
        conversation.map { "/chat/list?open=\($0.conversationId)" } ?? "/chat/list"
    }

    var expectedBytes: Int { 98_304 }
}

/// `/chat/new`: whom to write to, and where a shared link goes.
struct ChatNewView: PageView {
    let layout: LayoutView
    let people: [PersonChoiceView]
    /// Offered only where something is shared.
    let conversations: [ConversationRow]
    let sharedText: String?
    let newId: String
    var groupName = ""
    var error: String?

    var hasConversations: Bool { !conversations.isEmpty }
    var hasPeople: Bool { !people.isEmpty }
    var formError: TimedText? { error.map(TimedText.init) }
}

/// `/chat/{id}/typing`: who is writing just now.
struct ChatTypingView: Sendable {
    private let people: [(id: Int64, name: String)]

    init(_ people: [(id: Int64, name: String)]) {
        self.people = people
    }

    var userIds: String { people.map { "\($0.id)" }.joined(separator: " ") }

    /// Nil while no one types.
    var words: String? {
        guard !people.isEmpty else { return nil }
        return NameList.text(people.map(\.name), limit: 4)
            + (people.count == 1 ? " is typing…" : " are typing…")
    }
}

/// `/chat/list`: the reader's conversations, the latest first.
struct ChatListView: Sendable {
    let conversations: [ConversationRow]
}
