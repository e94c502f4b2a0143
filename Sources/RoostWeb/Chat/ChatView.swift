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
