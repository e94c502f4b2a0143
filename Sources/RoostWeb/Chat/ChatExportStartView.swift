import Foundation
import HTMLTemplates
import TextFormats

/// The beginning of an exported conversation: what follows are its messages.
struct ChatExportStartView: Sendable {
    let title, members: String
    let exportedAt: Date

    var exportedTime: String { ISO8601.seconds(exportedAt) }
    var exportedWords: String { "\(RelativeTime.day(exportedAt)), \(RelativeTime.clock(exportedAt))" }
    var sheet: Sheet { Sheet() }

    /// The file stands alone: its style is in it.
    struct Sheet: HTMLText {
        func write(into html: inout HTMLBuffer) {
            html.literal(
                """
                <style>
                body { font: 15px/1.45 system-ui, sans-serif; max-width: 80ch; margin: 24px auto; padding: 0 16px; color-scheme: light dark; }
                .message { margin: 12px 0; }
                .message p { margin: 0; }
                .facts, .quote { opacity: .7; font-size: 13px; }
                .text { white-space: pre-wrap; overflow-wrap: anywhere; }
                pre { overflow-x: auto; }
                img { max-width: 100%; height: auto; }
                </style>
                """)
        }
    }
}

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
