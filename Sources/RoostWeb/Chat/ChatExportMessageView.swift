/// One message of an exported conversation.
struct ChatExportMessageView: Sendable {
    let message: MessageView
    /// Its image, as a data URL.
    let image: String?

    var senderName: String { message.senderName }
    var sentTime: String { message.sentTime }
    var sentWords: String { "\(RelativeTime.day(message.sentAt)), \(RelativeTime.clock(message.sentAt))" }
    var isEdited: Bool { message.isEdited }
    var isDeleted: Bool { message.isDeleted }
    var quote: MessageView.Quote? { message.quote }
    var text: MessageText? { message.text }
    var fileName: String? { isDeleted ? nil : message.file?.name }
    var reactions: [MessageView.Reaction] { message.reactions }
    var hasReactions: Bool { message.hasReactions }
}
