/// A message that exists when the demo starts.
struct DemoMessage: Sendable {
    enum Attachment: Sendable, Equatable {
        case picture(name: String)
        case text(name: String, content: String)
    }

    let conversation: String
    /// A user name, or else a webhook's name.
    let sender: String
    let minutesAgo: Int
    let text: String
    /// A label that replies refer to.
    var label: String?
    var replyTo: String?
    var attachment: Attachment?
    /// The text before it was edited.
    var originalText: String?
    var isDeleted = false
    /// User names by emoji.
    var reactions: [(emoji: String, by: [String])] = []

    init(_ conversation: String, _ sender: String, _ minutesAgo: Int, _ text: String) {
        self.conversation = conversation
        self.sender = sender
        self.minutesAgo = minutesAgo
        self.text = text
    }

    func labelled(_ label: String) -> DemoMessage { with { $0.label = label } }
    func answering(_ label: String) -> DemoMessage { with { $0.replyTo = label } }
    func carrying(_ attachment: Attachment) -> DemoMessage { with { $0.attachment = attachment } }
    func edited(from originalText: String) -> DemoMessage { with { $0.originalText = originalText } }
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
