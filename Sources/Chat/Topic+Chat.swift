package import RoostSupport

extension Topic {
    /// All conversations of a user: messages, receipts, members, and what is the user's own.
    package static func chat(_ user: UserID) -> String { "chat/\(user)" }
    /// Who is typing in a conversation; the same topic whatever case its id is in.
    package static func chatTyping(_ conversation: ConversationID) -> String {
        "chat-typing/\(conversation.lowercased())"
    }
}
