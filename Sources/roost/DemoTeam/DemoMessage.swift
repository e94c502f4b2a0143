/// A message that is there when the demo begins.
package struct DemoMessage: Sendable {
    package enum Attachment: Sendable, Equatable {
        case picture(name: String)
        case text(name: String, content: String)
    }

    package let conversation: String
    /// A user's name, or a webhook's where nobody is called so.
    package let sender: String
    package let minutesAgo: Int
    package let text: String
    /// What others answer to.
    package var label: String?
    package var replyTo: String?
    package var attachment: Attachment?
    /// What it said at first.
    package var before: String?
    package var isDeleted = false
    /// Who reacted, by emoji.
    package var reactions: [(emoji: String, by: [String])] = []

    package init(_ conversation: String, _ sender: String, _ minutesAgo: Int, _ text: String) {
        self.conversation = conversation
        self.sender = sender
        self.minutesAgo = minutesAgo
        self.text = text
    }

    func labelled(_ label: String) -> DemoMessage { with { $0.label = label } }
    func answering(_ label: String) -> DemoMessage { with { $0.replyTo = label } }
    func carrying(_ attachment: Attachment) -> DemoMessage { with { $0.attachment = attachment } }
    func edited(from before: String) -> DemoMessage { with { $0.before = before } }
    func deleted() -> DemoMessage { with { $0.isDeleted = true } }
    func reacted(_ emoji: String, _ users: String...) -> DemoMessage {
        with { $0.reactions.append((emoji, users)) }
    }

    private func with(_ change: (inout DemoMessage) -> Void) -> DemoMessage {
        var message = self
        change(&message)
        return message
    }
}
