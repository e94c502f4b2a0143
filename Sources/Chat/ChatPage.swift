/// Messages of a conversation, the oldest first.
package struct ChatPage: Sendable, Equatable {
    package let messages: [Message]
    package let hasOlder: Bool
    package let hasNewer: Bool

    package init(messages: [Message], hasOlder: Bool, hasNewer: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
    }
}
