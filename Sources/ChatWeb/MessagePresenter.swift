import Chat
import Foundation
import HTMLTemplates
import RoostSupport
import RoostWeb
import TextFormats

/// Makes views of messages: first the part that is equal for all readers, then the reader's own.
struct MessagePresenter: Sendable {
    /// In seconds. Messages of one sender within this time are shown as a group.
    private static let groupInterval: TimeInterval = 300
    /// The name under which an entry's markup is cached.
    private static let renderedName = "html"

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks

    /// Returns the view that is the same for all readers.
    func view(_ message: Message) -> MessageView {
        MessageView(
            conversation: message.conversationId, seq: message.number, messageId: message.id,
            sender: message.senderId, senderName: message.senderName ?? Message.formerMember,
            avatar: message.senderPhotoURL, isBot: message.isFromBot,
            sentAt: message.sentAt, text: text(of: message), quote: message.replyTo.map(quote(of: message)),
            file: message.file.map(file), status: message.status.rawValue, statusText: message.status.text,
            isEdited: message.editedAt != nil && !message.isDeleted, isDeleted: message.isDeleted,
            reactions: message.reactions.map { reaction in
                MessageView.Reaction(
                    seq: message.number, emoji: reaction.emoji,
                    users: reaction.userIds.map { ($0, name(of: $0)) })
            })
    }

    /// Returns the view for one reader.
    func view(_ message: Message, for user: UserID, cards: [LinkCard] = []) -> MessageView {
        var view = view(message)
        view.isOwn = message.isFromCurrentUser(user)
        view.timeAgo = RelativeTime.longAgo(message.sentAt, now: site.clock.now())
        for index in view.reactions.indices {
            view.reactions[index].isOwn = view.reactions[index].users.contains { $0.id == user }
        }
        view.cards = cards.map(card)
        return view
    }

    private func text(of message: Message) -> MessageText? {
        guard !message.isDeleted, !message.text.isBlank else { return nil }
        let names = message.mentions.compactMap { site.identity.accounts.cachedUser($0)?.username }
        return MessageText(message.text, members: names)
    }

    private func quote(of message: Message) -> (Message.Quote) -> MessageView.Quote {
        { quote in
            MessageView.Quote(
                address: MessageView.permalink(quote.number, in: message.conversationId),
                name: quote.senderName,
                text: quote.text.isEmpty ? Message.deletedText : MessageText.plain(quote.text))
        }
    }

    private func file(_ file: MessageFile) -> MessageView.File {
        MessageView.File(
            address: file.url,
            thumbnail: file.isImage || file.previewType != nil ? file.url + "/thumbnail" : nil,
            name: file.name, byteCount: file.byteCount, previewType: file.previewType,
            width: file.isImage ? file.width : nil, height: file.isImage ? file.height : nil)
    }

    private func name(of user: UserID) -> String {
        site.identity.accounts.cachedUser(user)?.name ?? Message.formerMember
    }

    private func card(_ card: LinkCard) -> MessageView.Card {
        var state: String?
        var facts = [card.subtitle]
        var asOf: Date?
        for fact in card.facts {
            switch fact {
            case .text(let text) where state == nil: state = text
            case .text(let text): facts.append(text)
            case .count(let count, let what): facts.append("\(NumberText.grouped(count)) \(what)")
            case .price(let price):
                facts.append(PriceText(price, currency: links.currency)?.text ?? "no price")
            case .change(let change): facts.append(ChangeText(change).text)
            case .updated: break
            case .asOf(let date): asOf = date
            }
        }
        let factsText = facts.filter { !$0.isEmpty }.joined(separator: " · ")
        return MessageView.Card(
            address: card.address, title: card.title, facts: factsText.isEmpty ? nil : factsText,
            state: state,
            asOf: asOf, now: site.clock.now())
    }

    // MARK: Lists

    /// Returns the messages of a page, with the separator lines.
    ///
    /// - Parameters:
    ///   - after: the number after which the page begins
    ///   - chosen: the number of the message that the page was opened for
    func entries(
        _ page: ChatPage, of summary: ConversationSummary, cards: [[LinkCard]], after: Int? = nil,
        chosen: Int? = nil
    ) -> [ConversationView.Entry] {
        let me = summary.userId
        var last: Message?
        var needsUnreadLine = Self.hasUnreadLine(page, summary, after: after)
        return zip(page.messages, cards).map { message, cards in
            let isNewDay = last.map { Self.day($0.sentAt) != Self.day(message.sentAt) } ?? true
            let isFirstUnread =
                needsUnreadLine && message.number > summary.readNumber && !message.isFromCurrentUser(me)
            if isFirstUnread { needsUnreadLine = false }
            var view = view(message, for: me, cards: cards)
            view.isChosen = message.number == chosen
            view.isFollowing =
                !isNewDay && !isFirstUnread
                && last.map {
                    $0.senderId == message.senderId && $0.senderName == message.senderName
                        && message.sentAt.timeIntervalSince($0.sentAt) <= Self.groupInterval
                        && message.replyTo == nil
                } ?? false
            last = message
            return ConversationView.Entry(
                day: isNewDay ? Self.day(message.sentAt) : nil, sentAt: message.sentAt,
                isFirstUnread: isFirstUnread, message: view)
        }
    }

    /// True if the first unread message of the page is the first of all.
    private static func hasUnreadLine(
        _ page: ChatPage, _ summary: ConversationSummary, after: Int?
    ) -> Bool {
        guard summary.unread > 0, let first = page.messages.first else { return false }
        if !page.hasOlder || first.number <= summary.readNumber { return true }
        if let after, after <= summary.readNumber { return true }
        let unreadCount = page.messages.count {
            $0.number > summary.readNumber && !$0.isFromCurrentUser(summary.userId)
        }
        return !page.hasNewer && unreadCount == summary.unread
    }

    /// "2025-11-20" in the reader's time zone.
    private static func day(_ date: Date) -> String {
        let date = CivilDate(date, zone: Formats.current.zone)
        let padded = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(padded(date.month))-\(padded(date.day))"
    }

    func cards(_ reads: Reads, of messages: [Message], for user: UserID) throws -> [[LinkCard]] {
        try links.cards.cards(
            reads, in: messages.map { $0.isDeleted ? "" : $0.text }, for: user,
            isOwnHost: site.visitors.isOwnHost)
    }

    // MARK: The log

    /// Returns an entry as JSON. A message includes its markup, which is rendered once for all readers.
    func json(of entry: ChatLogEntry) throws -> [UInt8] {
        guard let message = entry.message else { return try entry.json }
        return try entry.rendered(Self.renderedName) { entry in
            var json = try entry.json
            guard json.popLast() == UInt8(ascii: "}") else { return try entry.json }
            let addition = Addition(
                html: html(of: message),
                cards: links.cards.mayHaveCards(
                    message.isDeleted ? "" : message.text, isOwnHost: site.visitors.isOwnHost)
                    ? true : nil)
            json.append(UInt8(ascii: ","))
            return json + Array(try JSONEncoder().encode(addition)).dropFirst()
        }
    }

    fileprivate struct Addition: Codable {
        let html: String
        let cards: Bool?
    }

    /// Has no form token and no reader's formats, because it is shared by all readers; a script rewrites the time.
    private func html(of message: Message) -> String {
        Formats.standard.use {
            String(
                decoding: view(message)
                    .html(in: TemplateContext(assets: site.assets.address), capacity: 2_048),
                as: UTF8.self)
        }
    }

    /// `{"entries": [...], "hasMore": false, "next": "CURSOR"}`.
    func json(of page: ChatLogPage, hasHTML: Bool) throws -> [UInt8] {
        let next = services.conversations.cursor(at: page.next)
        var json = Array("{\"entries\":[".utf8)
        for (index, entry) in page.entries.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += hasHTML ? try self.json(of: entry) : try entry.json
        }
        json += "],\"hasMore\":\(page.hasMore),\"next\":\"\(next)\"}".utf8
        return json
    }
}

/// An entry of the log with its markup, which describes what `MessagePresenter.json(of:)` writes.
struct ChatLogEntryJSON: JSONExamples {
    static var examples: [ChatLogEntryJSON] {
        ChatLogEntry.examples.map { ChatLogEntryJSON(entry: $0) }
            + ChatLogEntry.examples.map { ChatLogEntryJSON(entry: $0, html: "", cards: true) }
    }

    let entry: ChatLogEntry
    var html: String?
    var cards: Bool?

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        if let html { try MessagePresenter.Addition(html: html, cards: cards).encode(to: encoder) }
    }
}
