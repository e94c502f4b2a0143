package import RoostSupport

/// Conversations to take along.
package final class ChatExportService: Sendable {
    private let chat: ChatService
    private let files: ChatFileService
    private let clock: WallClock

    package init(chat: ChatService, files: ChatFileService, clock: WallClock) {
        self.chat = chat
        self.files = files
        self.clock = clock
    }

    /// What the user may read of a conversation. Throws `RoostError.notFound` for those who are no members.
    package func export(_ conversation: ConversationID, for user: UserID) async throws -> ChatExport {
        let conversation = try await chat.conversation(conversation, for: user)
        return ChatExport(conversation, chat: chat, files: files, at: clock.now())
    }
}
