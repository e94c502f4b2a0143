/// `/chat/list`: the reader's conversations, the latest first.
package struct ChatListView: Sendable {
    let conversations: [ConversationRow]

    package static let sample = ChatListView(conversations: ConversationRow.samples)
}
