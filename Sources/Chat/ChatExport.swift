package import Foundation
import RoostSupport
import TextFormats

/// One conversation as its reader may read it now, to be written to a file page by page.
///
/// Nothing of it is held but the page that is being written. Who is removed meanwhile gets no further page: the
/// sequence throws `RoostError.notFound`.
package struct ChatExport: Sendable {
    package let conversation: ConversationSummary
    package let exportedAt: Date
    private let chat: ChatService
    private let files: ChatFileService

    /// Messages of a page.
    static let pageSize = 200

    init(_ conversation: ConversationSummary, chat: ChatService, files: ChatFileService, at now: Date) {
        self.conversation = conversation
        self.chat = chat
        self.files = files
        exportedAt = now
    }

    /// "Chat with Grace Hopper 2026-11-23", fit for a file's name.
    package var fileName: String {
        let day = ISO8601.seconds(exportedAt).prefix("2026-11-23".count)
        let name = conversation.conversation.isGroup ? "" : "Chat with "
        return ChatFileName.safe("\(name)\(conversation.displayName) \(day)", type: "")
    }

    /// All messages, the oldest first, in pages.
    package var pages: Pages { Pages(export: self) }

    /// An image's address that holds the image itself: "data:image/png;base64,...". Nil for what is no image, and where
    /// it was deleted meanwhile.
    package func dataURL(of file: MessageFile) async throws -> String? {
        guard file.isImage else { return nil }
        do { return try await files.content(of: file.id, for: conversation.userId).dataURL } catch RoostError
            .notFound
        { return nil }
    }

    /// The same as JSON, a message a line.
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
            private let encoder = JSONEncoder()

            fileprivate init(export: ChatExport) {
                self.export = export
                pages = export.pages.makeAsyncIterator()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            }

            package mutating func next() async throws -> [UInt8]? {
                switch part {
                case .head:
                    part = .messages
                    let head = #"{"program":"Roost","kind":"conversation","version":1,"exportedAt":""#
                    return Array(
                        (head + ISO8601.milliseconds(export.exportedAt) + "\",\"conversation\":").utf8)
                        + (try encoder.encode(export.conversation.conversation))
                        + Array(",\"messages\":[".utf8)
                case .messages:
                    guard let messages = try await pages.next() else {
                        part = .end
                        return Array("\n]}\n".utf8)
                    }
                    var bytes: [UInt8] = []
                    for message in messages {
                        bytes += Array((isFirst ? "\n" : ",\n").utf8)
                        bytes += try encoder.encode(message)
                        isFirst = false
                    }
                    return bytes
                case .end: return nil
                }
            }
        }
    }
}
