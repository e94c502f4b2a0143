import Chat
import Foundation
import HTMLTemplates
import RoostSupport
import RoostWeb

/// Exports a conversation as a self-contained HTML file. Written message by message, so that memory never holds all
/// images.
struct ChatExportPages: AsyncSequence, Sendable {
    let export: ChatExport
    let presenter: MessagePresenter
    /// Of the user who exports. The pages are written later, outside of the request.
    private let formats = Formats.current

    init(export: ChatExport, presenter: MessagePresenter) {
        self.export = export
        self.presenter = presenter
    }

    func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let export: ChatExport
        private let presenter: MessagePresenter
        private let formats: Formats
        private var source: ChatExport.Pages.Iterator
        private var pending: ArraySlice<Message> = []
        private var hasStarted = false

        fileprivate init(pages: ChatExportPages) {
            export = pages.export
            presenter = pages.presenter
            formats = pages.formats
            source = pages.export.pages.makeAsyncIterator()
        }

        mutating func next() async throws -> [UInt8]? {
            let context = TemplateContext(assets: "")
            guard hasStarted else {
                hasStarted = true
                let conversation = export.conversation
                let start = ChatExportStartView(
                    title: conversation.displayName,
                    members: NameList.text(conversation.conversation.members.map(\.name), limit: 100),
                    exportedAt: export.exportedAt)
                return formats.use { start.html(in: context) }
            }
            if pending.isEmpty { pending = (try await source.next() ?? [])[...] }
            guard let message = pending.popFirst() else { return nil }
            var image: String?
            if let file = message.file, !message.isDeleted { image = try await export.dataURL(of: file) }
            return formats.use {
                ChatExportMessageView(message: presenter.view(message), image: image)
                    .html(in: context, capacity: 1_024 + (image?.utf8.count ?? 0))
            }
        }
    }
}
