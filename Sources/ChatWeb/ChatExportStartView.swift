import Foundation
import HTMLTemplates
import RoostSupport
import RoostWeb
import TextFormats

struct ChatExportStartView: Sendable {
    let title, members: String
    let exportedAt: Date

    var exportedTime: String { ISO8601.seconds(exportedAt) }
    var exportedTimeText: String { "\(RelativeTime.day(exportedAt)), \(RelativeTime.clock(exportedAt))" }
    /// Nil for the server's.
    var zoneName: String? { Formats.current.zoneName }
    var sheet: Sheet { Sheet() }

    /// The exported file needs its own style sheet.
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

struct ChatExportMessageView: Sendable {
    let message: MessageView
    /// As a data URL.
    let image: String?

    var sentTimeText: String { "\(RelativeTime.day(message.sentAt)), \(RelativeTime.clock(message.sentAt))" }
    var fileName: String? { message.isDeleted ? nil : message.file?.name }
}
