import RoostSupport

/// Posts a user's alerts to the conversations that they name: under a name of their own, and only where the user is a
/// member at that moment.
package struct ChatAlertDelivery: AlertDelivery {
    let chat: ChatService

    package init(chat: ChatService) {
        self.chat = chat
    }

    func conversations(of user: UserID) async throws -> [AlertConversation] {
        try await chat.conversationList(of: user).map { AlertConversation(id: $0.id, name: $0.displayName) }
    }

    func deliver(
        _ text: String, id: String, link: String, to conversation: String, for user: UserID
    ) async throws {
        _ = try await chat.send(
            NewMessage(id: id, text: "\(text) \(link)"), to: conversation, by: .alerts(of: user))
    }
}
