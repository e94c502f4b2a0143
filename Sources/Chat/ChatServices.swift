package import Logging
package import RoostSupport

/// The chat's services with their background work.
package final class ChatServices: ServiceGroup {
    package let conversations: ChatService
    package let files: ChatFileService
    package let search: ChatSearchService
    package let webhooks: ChatWebhookService
    package let exports: ChatExportService

    /// - Parameters:
    ///   - burst: messages that a person may send at once
    ///   - rate: messages a second that a person may send after that
    package init(
        database: Database, burst: Int, rate: Int, sealer: Sealer, thumbnails: ThumbnailMaker,
        feed: ChangeFeed, heavyWork: HeavyWorkQueue, clock: WallClock, log: Logger
    ) {
        conversations = ChatService(
            cursors: sealer.numbers(for: "chat log"), database: database, burst: burst, rate: rate,
            feed: feed,
            clock: clock, log: log)
        files = ChatFileService(
            database: database, heavyWork: heavyWork, thumbnails: thumbnails, clock: clock, log: log)
        search = ChatSearchService(database: database)
        webhooks = ChatWebhookService(
            database: database, chat: conversations, clock: clock, log: log)
        exports = ChatExportService(chat: conversations, files: files, clock: clock)
    }

    package var services: [any Service] { [conversations, files, webhooks] }

    /// Their files in an export of all data.
    package var transferParts: [TransferPart] { ChatTransfer(chat: conversations).parts }
}

/// What messages can do with other features.
package struct ChatLinks: Sendable {
    package let cards: ChatCards
    package let commands: ChatCommands
    package let saver: any ReadingListSaver
    /// The server's own currency, by its code.
    package let currency: String

    package init(_ features: [any LinkCards], saver: any ReadingListSaver, currency: String) {
        cards = ChatCards(features)
        commands = ChatCommands(features)
        self.saver = saver
        self.currency = currency
    }
}
