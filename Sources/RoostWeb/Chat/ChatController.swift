import Accounts
import Chat
import Foundation
import HTTPServer
import RoostSupport
import TextFormats

/// `/chat`: the conversations and their messages as pages and fragments.
struct ChatController: Sendable {
    static let path = "/chat"
    private static let pageSize = 50
    private static let titleLimit = 200
    /// Of a text that another page puts into the composer, in bytes.
    private static let sharedTextLimit = 4_096

    let site: WebContext
    private var chat: ChatService { site.services.chat }
    private var presenter: MessagePresenter { MessagePresenter(site: site) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/chat", topics: { [Topic.chat($1.userId)] }, list),
            guarded.member(.get, "/chat/list", listFragment),
            guarded.member(.get, "/chat/tile", tile),
            guarded.member(.get, "/chat/count", count),
            guarded.member(.get, "/chat/new", new),
            guarded.member(.get, "/chat/search", search),
            guarded.page("/chat/{id}", topics: { topics($1) }, openConversation),
            guarded.member(.get, "/chat/{id}/typing", typing),
            guarded.member(.get, "/chat/{id}/messages/{seq}", message),
            guarded.member(.get, "/chat/{id}/read.gif", markRead),
        ]
    }

    /// Cards show what the other features know.
    private func topics(_ user: User) -> [String] {
        [
            Topic.chat(user.userId), Topic.pulls(user.userId), Topic.bookmarks(user.userId),
            Topic.reading(user.userId), Topic.watchlist(user.userId), Topic.allPrices,
        ]
    }

    private func list(_ request: Request, _ user: User) async throws -> RenderedPage {
        let log = chat.cursor(at: try await chat.position())
        let cursor = site.services.feed.cursor
        let list = ChatListView(conversations: try await rows(user))
        let layout = try await site.layout(for: user, request, place: Self.path, cursor: cursor)
        return site.rendered(
            ChatView(layout: layout, list: list, conversation: nil, me: user.userId, log: log))
    }

    private func openConversation(_ request: Request, _ user: User) async throws -> RenderedPage {
        guard let text = request.query["at"], let seq = Int64(text) else {
            return try await shown(request, user)
        }
        let message = try await chat.message(
            ofOlderLink: seq, in: request.parameters["id"], for: user.userId)
        return RenderedPage(
            response: .redirect(to: MessageView.permalink(message.number, in: message.conversationId)),
            isRepeatable: false)
    }

    private func listFragment(_ request: Request, _ user: User) async throws -> HandlerResult {
        let open = request.query["open"]
        let tag = site.tag(of: [Topic.chat(user.userId)], for: user) + "-list-\(Self.word(open))"
        let view = ChatListView(conversations: try await rows(user, open: open))
        return .response(site.fragment(view, version: tag, for: request))
    }

    private func tile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.chat(user.userId)], for: user)
        return .response(site.fragment(try await tileView(user), version: tag, for: request))
    }

    private func count(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.chat(user.userId)], for: user)
        let unread = try await chat.unreadTotal(of: user.userId)
        var response = Response.html(unread > 0 ? "\(unread)" : "")
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(tag)-\(unread)\""
        return .response(response)
    }

    private func typing(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let typing = try await chat.typing(in: id, for: user.userId)
        let view = ChatTypingView(
            typing.map { ($0.userId, site.services.accounts.known($0.userId)?.name ?? Message.formerMember) })
        return .response(site.fragment(view, version: "typing-\(view.userIds)", for: request))
    }

    /// One message as this reader has it, with its cards.
    private func message(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await message(of: request, for: user)
        let cards = try await presenter.cards(of: [message], for: user.userId)
        let view = presenter.view(message, for: user.userId, cards: cards.first ?? [])
        var response = site.fragment(view, version: "", for: request)
        // What a card says has no version.
        response.etag = nil
        return .response(response)
    }

    /// Loading the image says that the page was read: only browsers without scripts load it.
    private func markRead(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try await chat.checkMember(user.userId, of: request.parameters["id"])
        let number = request.query["upTo"].flatMap { Int($0) } ?? 0
        let visitor = site.visitor(of: request)
        guard let proof = request.query["proof"],
            ReadProof(visitor, conversation: id, upTo: number)?.accepts(proof) == true
        else { throw RoostError.notAllowed("Only the conversation’s own page says that it was read.") }
        if request.method == .get { try await chat.markRead(id, upTo: number, by: user.userId) }
        var response = Response.content(Self.emptyImage, type: "image/gif")
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    /// A transparent GIF of one pixel.
    private static let emptyImage: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 0xF9, 4, 1, 0, 0,
        0,
        0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
    ]

    /// Fit for an ETag.
    private static func word(_ text: String?) -> String {
        String(
            (text ?? "").lowercased().utf8.filter {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            }
            .prefix(40).map { Character(UnicodeScalar($0)) })
    }
}

/// How the pages are filled.
extension ChatController {
    /// What a form that was refused shows again.
    struct Refused {
        var text = ""
        var error: String?
        var status = 422
        var retryAfter: Int?
        /// A file that is here already.
        var file: MessageFile?
        /// The number of the message whose new text was refused; nil: a new message was.
        var edited: Int?
        var replyTo: Int?
    }

    func rows(_ user: User, open: ConversationID? = nil) async throws -> [ConversationRow] {
        let now = site.services.clock.now()
        return try await chat.conversationList(of: user.userId).map { row($0, open: open, now: now) }
    }

    private func row(_ summary: ConversationSummary, open: ConversationID?, now: Date) -> ConversationRow {
        let conversation = summary.conversation
        let last = MessageText.plain(String(conversation.lastMessage.prefix(300))).sanitized
        var preview: String? = conversation.lastMessage.isEmpty ? nil : last
        if let draft = summary.draft, !draft.isBlank {
            preview = "Draft: \(draft.sanitized)"
        } else if let said = preview, let sender = conversation.lastMessageSenderId.flatMap({ UserID($0) }) {
            if sender == summary.userId {
                preview = "You: \(said)"
            } else if conversation.isGroup,
                let member = conversation.members.first(where: { $0.userId == sender })
            {
                preview = "\(site.services.accounts.shortName(of: member.userId) ?? member.name): \(said)"
            }
        }
        return ConversationRow(
            conversationId: summary.id, title: summary.displayName, avatar: summary.displayPhotoURL,
            toneKey: summary.toneKey, preview: preview.map { String($0.prefix(120)) },
            lastAt: conversation.lastMessageAt,
            unread: summary.unread, isMuted: summary.notify == .none, isGroup: conversation.isGroup,
            isCurrent: summary.id.lowercased() == open?.lowercased(), now: now)
    }

    func tileView(_ user: User) async throws -> ChatTileView { ChatTileView(try await rows(user)) }

    /// The message of the address.
    func message(of request: Request, for user: User) async throws -> Message {
        guard let number = Int(request.parameters["seq"]) else {
            throw RoostError.notFound("There is no such message.")
        }
        return try await chat.message(number: number, in: request.parameters["id"], for: user.userId)
    }

    /// The page of a conversation.
    ///
    /// - Parameter refused: what the form that this answers sent
    func shown(_ request: Request, _ user: User, refused: Refused? = nil) async throws -> RenderedPage {
        // Both are read before the messages: what comes meanwhile is heard of, and applied a second time.
        let log = chat.cursor(at: try await chat.position())
        let cursor = site.services.feed.cursor
        let summary = try await chat.conversation(request.parameters["id"], for: user.userId)
        let id = summary.id
        let chosen = refused?.edited ?? Self.number("message", of: request)
        let page = try await chat.page(
            of: id, for: user.userId, before: refused == nil ? Self.number("before", of: request) : nil,
            after: refused == nil ? Self.number("after", of: request) : nil, around: chosen,
            limit: Self.pageSize
        )
        let cards = try await presenter.cards(of: page.messages, for: user.userId)
        var entries = presenter.entries(
            page, of: summary, cards: cards, after: Self.number("after", of: request), chosen: chosen)
        if let place = page.messages.firstIndex(where: { $0.number == chosen }) {
            entries[place].actions = try await actions(page.messages[place], user, refused)
        }
        var view = conversation(summary, user, entries, page)
        let isNewMessage = refused?.edited == nil
        let waiting = [summary.draft, Self.sharedText(of: request)].compactMap { $0 }.filter { !$0.isBlank }
        view.draft = isNewMessage ? refused?.text ?? waiting.joined(separator: "\n") : ""
        view.error = isNewMessage ? refused?.error : nil
        view.heldFile = isNewMessage ? refused?.file.map { ($0.id, $0.name) } : nil
        if let replyTo = refused?.replyTo ?? Self.number("reply", of: request),
            let quoted = try? await chat.message(number: replyTo, in: id, for: user.userId)
        {
            view.reply = MessageView.Quote(
                address: "", name: quoted.senderName ?? Message.formerMember,
                text: String(quoted.preview.sanitized.prefix(120)))
            view.replySeq = replyTo
        }
        if let last = page.messages.last, last.number > summary.readNumber,
            let proof = ReadProof(site.visitor(of: request), conversation: id, upTo: last.number)
        {
            view.readImage = "/chat/\(id)/read.gif?upTo=\(last.number)&proof=\(proof.field)"
        }
        let list = ChatListView(conversations: try await rows(user, open: id))
        let layout = try await site.layout(for: user, request, place: Self.path, cursor: cursor)
        var rendered = site.rendered(
            ChatView(layout: layout, list: list, conversation: view, me: user.userId, log: log),
            status: refused?.status ?? 200)
        if let seconds = refused?.retryAfter { rendered.response["Retry-After"] = "\(seconds)" }
        return rendered
    }

    private func conversation(
        _ summary: ConversationSummary, _ user: User, _ entries: [ConversationView.Entry], _ page: ChatPage
    ) -> ConversationView {
        let conversation = summary.conversation
        return ConversationView(
            conversationId: summary.id, title: summary.displayName, avatar: summary.displayPhotoURL,
            initials: Initials(summary.displayName).text, tone: Tone.of(summary.toneKey),
            facts: facts(of: summary),
            isGroup: conversation.isGroup, isClosed: conversation.participants.count < 2,
            me: site.person(user), entries: entries, hasOlder: page.hasOlder, hasNewer: page.hasNewer,
            unread: summary.unread, read: summary.readNumber, last: conversation.lastNumber,
            newId: UUID().uuidString.lowercased())
    }

    /// "Grace, Kurt and you · 2 here now"; of two "Here now" alone, or nothing.
    func facts(of summary: ConversationSummary) -> String {
        let here = summary.present.count
        guard summary.conversation.isGroup else { return here > 0 ? "Here now" : "Not here now" }
        let others = summary.conversation.members.filter { $0.userId != summary.userId }
        let short = others.map { site.services.accounts.shortName(of: $0.userId) ?? $0.name }
        let names = NameList.text(short + ["you"], limit: 6)
        return here > 0 ? "\(names) · \(here + 1) here now" : names
    }

    private func actions(
        _ message: Message, _ user: User, _ refused: Refused?
    ) async throws -> MessageActionsView? {
        guard !message.isDeleted else { return nil }
        let isOwn = message.isFromCurrentUser(user.userId)
        let receipts = isOwn ? try await chat.receipts(of: message.seq, for: user.userId) : []
        return MessageActionsView(
            conversation: message.conversationId, seq: message.number, isOwn: isOwn,
            rawText: refused?.edited == nil ? message.text : refused?.text ?? "",
            editError: refused?.edited == nil ? nil : refused?.error,
            receipts: receipts.map {
                .init(name: $0.name, status: $0.status.rawValue, text: $0.status.text)
            })
    }

    private static func number(_ name: String, of request: Request) -> Int? {
        request.query[name].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// What another page puts into the composer.
    private static func sharedText(of request: Request) -> String? {
        request.query["text"].flatMap { $0.isBlank || $0.utf8.count > sharedTextLimit ? nil : $0 }
    }

    private func new(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(try await newView(request, user, text: Self.sharedText(of: request)))
    }

    /// The page that asks whom to write to.
    func newView(
        _ request: Request, _ user: User, text: String?, chosen: Set<UserID> = [], groupName: String = "",
        id: String? = nil, error: Failure? = nil
    ) async throws -> Response {
        let people = try await chat.people(for: user.userId).map {
            PersonChoiceView(
                userId: $0.userId, name: $0.name, username: $0.username, avatar: $0.photoURL,
                isPresent: $0.isPresent, isChosen: chosen.contains($0.userId))
        }
        var conversations = text == nil ? [] : try await rows(user)
        for index in conversations.indices { conversations[index].sharedText = text }
        let layout = try await site.layout(for: user, request, place: Self.path)
        let view = ChatNewView(
            layout: layout, people: people, conversations: conversations, sharedText: text,
            newId: id ?? UUID().uuidString.lowercased(), groupName: groupName, error: error?.message)
        return site.html(view, status: error?.status ?? 200)
    }

    private func search(_ request: Request, _ user: User) async throws -> HandlerResult {
        let asked = ChatSearchRequest(request.query)
        let summaries = try await chat.conversations(of: user.userId)
        var found = ChatSearchPage(hits: [], next: nil)
        var failure: Failure?
        do {
            if asked.isAsked {
                found = try await site.services.chatSearch.search(asked.query, for: user.userId)
            }
        } catch let error as RoostError {
            guard case .invalid = error else { throw error }
            failure = Failure(error)
        }
        let now = site.services.clock.now()
        let titles = Dictionary(summaries.map { ($0.id, $0.displayName) }, uniquingKeysWith: { $1 })
        let names = TextFilter(asked.query.text, ignoresAccents: true)
        let matches =
            names.isEmpty
            ? []
            : summaries.filter { names.fits([FoldedText(lines: [$0.displayName], ignoresAccents: true)]) }
        let view = ChatSearchView(
            layout: try await site.layout(for: user, request, place: Self.path), query: asked.query.text,
            conversationChoices: asked.conversationChoices(summaries.map { ($0.id, $0.displayName) }),
            personChoices: asked.personChoices(Self.people(of: summaries)), before: asked.beforeText,
            hasImage: asked.query.hasImage, matches: matches.prefix(5).map { row($0, open: nil, now: now) },
            results: found.hits.map { hit in
                ChatSearchView.Result(
                    conversation: hit.conversationId, place: titles[hit.conversationId] ?? "",
                    seq: hit.number, senderName: hit.senderName ?? Message.formerMember, sentAt: hit.sentAt,
                    excerpt: SearchExcerpt(hit))
            }, nextAddress: found.next.map(asked.address(from:)), isAsked: asked.isAsked,
            error: failure?.message)
        return .response(site.html(view, status: failure?.status ?? 200))
    }

    /// Everybody in any of the conversations, by name.
    private static func people(of summaries: [ConversationSummary]) -> [(UserID, String)] {
        var names: [UserID: String] = [:]
        for member in summaries.flatMap(\.conversation.members) { names[member.userId] = member.name }
        return names.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }
}
