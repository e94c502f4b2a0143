/// `/chat` and `/chat/{id}`: the conversations, and the one that is open.
package struct ChatView: PageView {
    package let layout: LayoutView
    let list: ChatListView
    let conversation: ConversationView?
    let me: Int64
    /// How far the chat's log had come before the page was read: what is newer is asked for from here on.
    let log: String

    var pageTitle: String { conversation?.title ?? "Chat" }
    var listAddress: String {
        conversation.map { "/chat/list?open=\($0.conversationId)" } ?? "/chat/list"
    }

    package var expectedBytes: Int { 98_304 }

    package static let sample = ChatView(
        layout: .sample, list: .sample, conversation: .sample, me: 1, log: "c12")
    package static let emptySample = ChatView(
        layout: .sample, list: ChatListView(conversations: []), conversation: nil, me: 1, log: "c0")
}
