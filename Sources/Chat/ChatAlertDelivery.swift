import RoostSupport

/// Posts a user's alerts to their conversations, under the alerts' own name, and only while the user is a member.
package struct ChatAlertDelivery: AlertDelivery {
    let chat: ChatService

    package init(chat: ChatService) {
        self.chat = chat
    }

    func conversations(_ reads: Reads, of user: UserID) throws -> [AlertConversation] {
        try chat.conversationList(reads, of: user).map { AlertConversation(id: $0.id, name: $0.displayName) }
    }

    func topics(of user: UserID) -> [String] { [Topic.chat(user)] }

    func deliver(
        _ text: String, id: String, link: String, to conversation: String, for user: UserID
    ) async throws {
        _ = try await chat.send(
            NewMessage(id: id, text: "\(text) \(link)"), to: conversation, by: .alerts(of: user))
    }
}
