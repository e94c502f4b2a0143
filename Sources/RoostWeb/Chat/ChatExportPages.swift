import Chat
import Foundation
import HTMLTemplates

/// A conversation as one HTML file that needs nothing else: written a message at a time, so that its images are never
/// in memory together.
struct ChatExportPages: AsyncSequence, Sendable {
    let export: ChatExport
    let presenter: MessagePresenter

    func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let export: ChatExport
        private let presenter: MessagePresenter
        private var source: ChatExport.Pages.Iterator
        private var waiting: ArraySlice<Message> = []
        private var isBegun = false

        fileprivate init(pages: ChatExportPages) {
            export = pages.export
            presenter = pages.presenter
            source = pages.export.pages.makeAsyncIterator()
        }

        mutating func next() async throws -> [UInt8]? {
            let context = TemplateContext(assets: "")
            guard isBegun else {
                isBegun = true
                let conversation = export.conversation
                let start = ChatExportStartView(
                    title: conversation.displayName,
                    members: NameList.text(conversation.conversation.members.map(\.name), limit: 100),
                    exportedAt: export.exportedAt)
                return start.html(in: context)
            }
            if waiting.isEmpty { waiting = (try await source.next() ?? [])[...] }
            guard let message = waiting.popFirst() else { return nil }
            var image: String?
            if let file = message.file, !message.isDeleted { image = try await export.dataURL(of: file) }
            return ChatExportMessageView(message: presenter.view(message), image: image)
                .html(in: context, capacity: 1_024 + (image?.utf8.count ?? 0))
        }
    }
}
