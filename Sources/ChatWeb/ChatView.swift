import RoostWeb

/// `/chat` and `/chat/{id}`: the conversations and the open one.
struct ChatView: PageView {
    static let scripts = ["chat"]

    let layout: LayoutView
    let list: ChatListView
    let conversation: ConversationView?
    let me: Int64
    /// The chat log's cursor from before the page was read. Scripts fetch newer entries from here.
    let log: String

    var pageTitle: String { conversation?.title ?? "Chat" }
    var listAddress: String {
        conversation.map { "/chat/list?open=\($0.conversationId)" } ?? "/chat/list"
    }

    var expectedBytes: Int { 98_304 }
}

/// `/chat/new`: chooses recipients, or a conversation for a shared link.
struct ChatNewView: PageView {
    let layout: LayoutView
    let people: [PersonChoiceView]
    /// Empty unless something is shared.
    let conversations: [ConversationRow]
    let sharedText: String?
    let newId: String
    var groupName = ""
    var error: String?

    var hasConversations: Bool { !conversations.isEmpty }
    var hasPeople: Bool { !people.isEmpty }
    var formError: TimedText? { error.map(TimedText.init) }
}

struct ChatTypingView: Sendable {
    private let people: [(id: Int64, name: String)]

    init(_ people: [(id: Int64, name: String)]) {
        self.people = people
    }

    var userIds: String { people.map { "\($0.id)" }.joined(separator: " ") }

    var text: String? {
        guard !people.isEmpty else { return nil }
        return NameList.text(people.map(\.name), limit: 4)
            + (people.count == 1 ? " is typing…" : " are typing…")
    }
}

struct ChatListView: Sendable {
    let conversations: [ConversationRow]
}
