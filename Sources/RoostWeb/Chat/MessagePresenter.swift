import Chat
import Foundation
import HTMLTemplates
import RoostSupport
import TextFormats

/// How messages become views: first what is the same for everybody, then what is the reader's own.
struct MessagePresenter: Sendable {
    /// A message follows the one before it if it is from the same person and so many seconds later at most.
    private static let groupedWithin: TimeInterval = 300
    /// Under which the markup of an entry is stored with it.
    private static let form = "html"

    let site: WebContext

    /// A message as it is for everybody.
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

    /// A message as one of its readers has it.
    func view(_ message: Message, for user: UserID, cards: [LinkCard] = []) -> MessageView {
        var view = view(message)
        view.isMine = message.isFromCurrentUser(user)
        view.timeAgo = RelativeTime.longAgo(message.sentAt, now: site.services.clock.now())
        for index in view.reactions.indices {
            view.reactions[index].isMine = view.reactions[index].users.contains { $0.id == user }
        }
        view.cards = cards.map(card)
        return view
    }

    private func text(of message: Message) -> MessageText? {
        guard !message.isDeleted, !message.text.isBlank else { return nil }
        let names = message.mentions.compactMap { site.services.accounts.known($0)?.username }
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
            address: file.url, thumbnail: file.isImage ? file.url + "/thumbnail" : nil, name: file.name,
            byteCount: file.byteCount,
            width: file.isImage ? file.width : nil, height: file.isImage ? file.height : nil)
    }

    private func name(of user: UserID) -> String {
        site.services.accounts.known(user)?.name ?? Message.formerMember
    }

    private func card(_ card: LinkCard) -> MessageView.Card {
        var state: String?
        var facts = [card.subtitle]
        var asOf: Date?
        for fact in card.facts {
            switch fact {
            case .words(let words) where state == nil: state = words
            case .words(let words): facts.append(words)
            case .count(let count, let what): facts.append("\(NumberText.grouped(count)) \(what)")
            case .price(let price):
                facts.append(PriceText(price, currency: site.services.currency)?.text ?? "no price")
            case .change(let change): facts.append(ChangeText(change).text)
            case .updated: break
            case .asOf(let date): asOf = date
            }
        }
        let shown = facts.filter { !$0.isEmpty }.joined(separator: " · ")
        return MessageView.Card(
            address: card.address, title: card.title, facts: shown.isEmpty ? nil : shown, state: state,
            asOf: asOf, now: site.services.clock.now())
    }

    // MARK: Lists

    /// The messages of a page, with the lines between them.
    ///
    /// - Parameters:
    ///   - cards: of each message, in their order
    ///   - after: the number that the page was asked to begin after
    ///   - chosen: the number of the message that the page was opened for
    func entries(
        _ page: ChatPage, of summary: ConversationSummary, cards: [[LinkCard]], after: Int? = nil,
        chosen: Int? = nil
    ) -> [ConversationView.Entry] {
        let me = summary.userId
        var last: Message?
        var isLineToCome = Self.hasUnreadLine(page, summary, after: after)
        return zip(page.messages, cards).map { message, cards in
            let isNewDay = last.map { Self.day($0.sentAt) != Self.day(message.sentAt) } ?? true
            let isFirstUnread =
                isLineToCome && message.number > summary.readNumber && !message.isFromCurrentUser(me)
            if isFirstUnread { isLineToCome = false }
            var view = view(message, for: me, cards: cards)
            view.isChosen = message.number == chosen
            view.isFollowing =
                !isNewDay && !isFirstUnread
                && last.map {
                    $0.senderId == message.senderId && $0.senderName == message.senderName
                        && message.sentAt.timeIntervalSince($0.sentAt) <= Self.groupedWithin
                        && message.replyTo == nil
                } ?? false
            last = message
            return ConversationView.Entry(
                day: isNewDay ? Self.day(message.sentAt) : nil, sentAt: message.sentAt,
                isFirstUnread: isFirstUnread, message: view)
        }
    }

    /// Whether the first unread message of a page is the first of all.
    private static func hasUnreadLine(
        _ page: ChatPage, _ summary: ConversationSummary, after: Int?
    ) -> Bool {
        guard summary.unread > 0, let first = page.messages.first else { return false }
        if !page.hasOlder || first.number <= summary.readNumber { return true }
        if let after, after <= summary.readNumber { return true }
        let shown = page.messages.count {
            $0.number > summary.readNumber && !$0.isFromCurrentUser(summary.userId)
        }
        return !page.hasNewer && shown == summary.unread
    }

    /// "2025-11-20", in the server's zone; a script moves the lines to where the reader's days begin.
    private static func day(_ date: Date) -> String {
        let date = CivilDate(date, zone: .current)
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }

    /// The cards that one reader may see, of each message.
    func cards(of messages: [Message], for user: UserID) async throws -> [[LinkCard]] {
        let forwarding = site.forwarding
        return try await site.services.chatCards.cards(
            in: messages.map { $0.isDeleted ? "" : $0.text }, for: user, isOwnHost: { forwarding.isOurs($0) })
    }

    // MARK: The log

    /// An entry as JSON; that of a message has its markup, which is rendered once for all who hear of it.
    func json(of entry: ChatLogEntry) throws -> [UInt8] {
        guard let message = entry.message else { return try entry.json }
        return try entry.rendered(Self.form) { entry in
            var json = try entry.json
            guard json.popLast() == UInt8(ascii: "}") else { return try entry.json }
            let forwarding = site.forwarding
            let addition = Addition(
                html: html(of: message),
                cards: site.services.chatCards.mayHaveCards(
                    message.isDeleted ? "" : message.text, isOwnHost: { forwarding.isOurs($0) }) ? true : nil)
            json.append(UInt8(ascii: ","))
            return json + Array(try JSONEncoder().encode(addition)).dropFirst()
        }
    }

    private struct Addition: Encodable {
        let html: String
        let cards: Bool?
    }

    /// Without a form's token: it is the same for everybody.
    private func html(of message: Message) -> String {
        String(
            decoding: view(message).html(in: TemplateContext(assets: site.assets), capacity: 2_048),
            as: UTF8.self)
    }

    /// `{"entries": [...], "hasMore": false, "next": "CURSOR"}`.
    ///
    /// - Parameter hasHTML: whether messages have their markup
    func json(of page: ChatLogPage, hasHTML: Bool) throws -> [UInt8] {
        let next = site.services.chat.cursor(at: page.next)
        var json = Array("{\"entries\":[".utf8)
        for (place, entry) in page.entries.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            json += hasHTML ? try self.json(of: entry) : try entry.json
        }
        json += "],\"hasMore\":\(page.hasMore),\"next\":\"\(next)\"}".utf8
        return json
    }
}
