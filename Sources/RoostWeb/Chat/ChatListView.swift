/// `/chat/list`: the reader's conversations, the latest first.
struct ChatListView: Sendable {
    let conversations: [ConversationRow]
}
