package import Foundation
package import RoostSupport
import TextFormats

/// Exports the part of a conversation that a user may read, page by page to save memory. Throws `RoostError.notFound`
/// from the sequence if the user is removed during the export.
package struct ChatExport: Sendable {
    package let conversation: ConversationSummary
    package let exportedAt: Date
    private let chat: ChatService
    private let files: ChatFileService

    static let pageSize = 200

    init(_ conversation: ConversationSummary, chat: ChatService, files: ChatFileService, at now: Date) {
        self.conversation = conversation
        self.chat = chat
        self.files = files
        exportedAt = now
    }

    /// "Chat with Grace Hopper 2026-11-23", safe as a file name.
    package var fileName: String {
        let day = ISO8601.seconds(exportedAt).prefix("2026-11-23".count)
        let name = conversation.conversation.isGroup ? "" : "Chat with "
        return ChatFileName.safe("\(name)\(conversation.displayName) \(day)", type: "")
    }

    /// All messages in pages, oldest first.
    package var pages: Pages { Pages(export: self) }

    /// Returns an image as a URL: "data:image/png;base64,...". Nil if the file isn't an image or was deleted.
    package func dataURL(of file: MessageFile) async throws -> String? {
        guard file.isImage else { return nil }
        do { return try await files.content(of: file.id, for: conversation.userId).dataURL } catch RoostError
            .notFound
        { return nil }
    }

    /// The export as JSON, with one message per line.
    package var json: JSON { JSON(export: self) }

    package struct Pages: AsyncSequence, Sendable {
        fileprivate let export: ChatExport

        package func makeAsyncIterator() -> Iterator { Iterator(export: export) }

        package struct Iterator: AsyncIteratorProtocol {
            fileprivate let export: ChatExport
            private var last = 0
            private var isAtEnd = false

            fileprivate init(export: ChatExport) { self.export = export }

            package mutating func next() async throws -> [Message]? {
                guard !isAtEnd else { return nil }
                try Task.checkCancellation()
                let page = try await export.chat.page(
                    of: export.conversation.id, for: export.conversation.userId, after: last,
                    limit: ChatExport.pageSize)
                isAtEnd = !page.hasNewer
                guard let newest = page.messages.last?.number else { return nil }
                last = newest
                return page.messages
            }
        }
    }

    package struct JSON: AsyncSequence, Sendable {
        fileprivate let export: ChatExport

        package func makeAsyncIterator() -> Iterator { Iterator(export: export) }

        package struct Iterator: AsyncIteratorProtocol {
            private enum Part { case head, messages, end }

            private let export: ChatExport
            private var pages: Pages.Iterator
            private var part = Part.head
            private var isFirst = true

            fileprivate init(export: ChatExport) {
                self.export = export
                pages = export.pages.makeAsyncIterator()
            }

            package mutating func next() async throws -> [UInt8]? {
                switch part {
                case .head:
                    part = .messages
                    let head = #"{"program":"Roost","kind":"conversation","version":1,"exportedAt":""#
                    return Array(
                        (head + ISO8601.milliseconds(export.exportedAt) + "\",\"conversation\":").utf8)
                        + (try StableJSON.bytes(of: export.conversation.conversation))
                        + Array(",\"messages\":[".utf8)
                case .messages:
                    guard let messages = try await pages.next() else {
                        part = .end
                        return Array("\n]}\n".utf8)
                    }
                    var bytes: [UInt8] = []
                    for message in messages {
                        bytes += Array((isFirst ? "\n" : ",\n").utf8)
                        bytes += try StableJSON.bytes(of: message)
                        isFirst = false
                    }
                    return bytes
                case .end: return nil
                }
            }
        }
    }
}

package final class ChatExportService: Sendable {
    private let chat: ChatService
    private let files: ChatFileService
    private let clock: WallClock

    package init(chat: ChatService, files: ChatFileService, clock: WallClock) {
        self.chat = chat
        self.files = files
        self.clock = clock
    }

    /// Throws `RoostError.notFound` if the user isn't a member.
    package func export(_ conversation: ConversationID, for user: UserID) async throws -> ChatExport {
        let conversation = try await chat.conversation(conversation, for: user)
        return ChatExport(conversation, chat: chat, files: files, at: clock.now())
    }
}
