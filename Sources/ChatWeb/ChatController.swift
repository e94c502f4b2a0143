import Accounts
import Chat
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

struct ChatController: Sendable {
    static let path = "/chat"
    private static let pageSize = 50
    /// In bytes, for text that another page puts into the composer.
    private static let sharedTextLimit = 4_096

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks
    private var chat: ChatService { services.conversations }
    private var presenter: MessagePresenter { MessagePresenter(site: site, services: services, links: links) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.page("/chat", topics: { [Topic.chat($1.userId)] }, list),
            guarded.fragment(
                "/chat/list", topics: { [Topic.chat($1.userId)] },
                variant: { "-list-\(Self.tagPart($0.query["open"]))" }
            ) { ChatListView(conversations: try rows($0, $2, open: $1.query["open"])) },
            guarded.tile(ChatTileView.kind, topics: { [Topic.chat($0.userId)] }, tileView),
            guarded.member(.get, "/chat/new", new),
            guarded.member(.get, "/chat/search", search),
            guarded.page("/chat/{id}", topics: { topics($1) }, openConversation),
            guarded.member(.get, "/chat/{id}/typing", typing),
            guarded.member(.get, "/chat/{id}/messages/{seq}", message),
            guarded.member(.get, "/chat/{id}/read.gif", markRead),
        ]
    }

    /// Cards show data of other features.
    private func topics(_ user: User) -> [String] {
        [Topic.chat(user.userId)] + links.cards.topics(of: user.userId)
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> ChatView {
        let log = chat.cursor(at: try chat.position(reads))
        let list = ChatListView(conversations: try rows(reads, user))
        let layout = try site.layout(reads, for: user, request, currentEntry: Self.path)
        return ChatView(layout: layout, list: list, conversation: nil, me: user.userId, log: log)
    }

    private func openConversation(_ request: Request, _ user: User) async throws -> RenderedPage {
        guard let text = request.query["at"], let seq = Int64(text) else {
            return site.rendered(
                try await site.database.read { try conversationPage($0, request, user) })
        }
        let message = try await site.database.read {
            try chat.message($0, ofOlderLink: seq, in: request.parameters["id"], for: user.userId)
        }
        return RenderedPage(
            response: .redirect(to: MessageView.permalink(message.number, in: message.conversationId)),
            isRepeatable: false)
    }

    private func typing(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = request.parameters["id"]
        let typing = try chat.typing(reads, in: id, for: user.userId)
        let view = ChatTypingView(
            typing.map {
                ($0.userId, site.identity.accounts.cachedUser($0.userId)?.name ?? Message.formerMember)
            })
        let ids = view.userIds.replacingBytes(of: " ", with: "-")
        return .response(site.fragment(view, version: "typing-\(ids)", for: request))
    }

    private func message(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let message = try message(reads, of: request, for: user)
        let cards = try presenter.cards(reads, of: [message], for: user.userId)
        let view = presenter.view(message, for: user.userId, cards: cards.first ?? [])
        var response = site.fragment(view, version: "", for: request)
        // The data of cards has no version.
        response.etag = nil
        return .response(response)
    }

    /// Marks a page as read when its image loads. Only browsers without scripts load it.
    private func markRead(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try await chat.checkMember(user.userId, of: request.parameters["id"])
        let number = request.query["upTo"].flatMap { Int($0) } ?? 0
        let visitor = site.visitors.visitor(of: request)
        guard let proof = request.query["proof"],
            ReadProof(visitor, conversation: id, upTo: number)?.accepts(proof) == true
        else { throw RoostError.notAllowed("Only the conversation’s own page can mark it as read.") }
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

    /// The letters, digits and hyphens of the text, which are safe in an ETag.
    private static func tagPart(_ text: String?) -> String {
        String(
            (text ?? "").lowercased().utf8.filter {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            }
            .prefix(40).map { Character(UnicodeScalar($0)) })
    }
}

extension ChatController {
    /// The input and error of a rejected form.
    struct RejectedForm {
        var text = ""
        var error: String?
        /// An uploaded file that need not be chosen again.
        var file: MessageFile?
        /// The number of the message whose edit was rejected, or nil for a new message.
        var edited: Int?
        var replyTo: Int?
    }

    func rows(_ reads: Reads, _ user: User, open: ConversationID? = nil) throws -> [ConversationRow] {
        let now = site.clock.now()
        return try chat.conversationList(reads, of: user.userId).map { row($0, open: open, now: now) }
    }

    private func row(_ summary: ConversationSummary, open: ConversationID?, now: Date) -> ConversationRow {
        let conversation = summary.conversation
        let last = MessageText.plain(String(conversation.lastMessage.prefix(300))).sanitized
        var preview: String? = conversation.lastMessage.isEmpty ? nil : last
        if let draft = summary.draft, !draft.isBlank {
            preview = "Draft: \(draft.sanitized)"
        } else if let text = preview, let sender = conversation.lastMessageSenderId.flatMap({ UserID($0) }) {
            if sender == summary.userId {
                preview = "You: \(text)"
            } else if conversation.isGroup,
                let member = conversation.members.first(where: { $0.userId == sender })
            {
                preview = "\(site.identity.accounts.shortName(of: member.userId) ?? member.name): \(text)"
            }
        }
        return ConversationRow(
            conversationId: summary.id, title: summary.displayName, avatar: summary.displayPhotoURL,
            toneKey: summary.toneKey, preview: preview.map { String($0.prefix(120)) },
            lastAt: conversation.lastMessageAt,
            unread: summary.unread, isMuted: summary.notify == .none, isGroup: conversation.isGroup,
            isCurrent: summary.id.lowercased() == open?.lowercased(), now: now)
    }

    func tileView(_ reads: Reads, _ user: User, _ scope: TileScope) throws -> ChatTileView {
        ChatTileView(try rows(reads, user), limit: scope.rows)
    }

    func message(of request: Request, for user: User) async throws -> Message {
        try await site.database.read { try message($0, of: request, for: user) }
    }

    func message(_ reads: Reads, of request: Request, for user: User) throws -> Message {
        guard let number = Int(request.parameters["seq"]) else {
            throw RoostError.notFound("There is no such message.")
        }
        return try chat.message(reads, number: number, in: request.parameters["id"], for: user.userId)
    }

    /// - Parameter rejected: the rejected form, if this responds to one
    func conversationPage(
        _ reads: Reads, _ request: Request, _ user: User, rejected: RejectedForm? = nil
    ) throws -> ChatView {
        let log = chat.cursor(at: try chat.position(reads))
        let summary = try chat.conversation(reads, request.parameters["id"], for: user.userId)
        let id = summary.id
        let chosen = rejected?.edited ?? Self.number("message", of: request)
        let page = try chat.page(
            reads, of: id, for: user.userId,
            before: rejected == nil ? Self.number("before", of: request) : nil,
            after: rejected == nil ? Self.number("after", of: request) : nil, around: chosen,
            limit: Self.pageSize
        )
        let cards = try presenter.cards(reads, of: page.messages, for: user.userId)
        var entries = presenter.entries(
            page, of: summary, cards: cards, after: Self.number("after", of: request), chosen: chosen)
        if let index = page.messages.firstIndex(where: { $0.number == chosen }) {
            entries[index].actions = try actions(reads, page.messages[index], user, rejected)
        }
        var view = conversation(summary, user, entries, page)
        let isNewMessage = rejected?.edited == nil
        let drafts = [summary.draft, Self.sharedText(of: request)].compactMap { $0 }.filter { !$0.isBlank }
        view.draft = isNewMessage ? rejected?.text ?? drafts.joined(separator: "\n") : ""
        view.error = isNewMessage ? rejected?.error : nil
        view.uploadedFile = isNewMessage ? rejected?.file.map { ($0.id, $0.name) } : nil
        if let replyTo = rejected?.replyTo ?? Self.number("reply", of: request),
            let quoted = try? chat.message(reads, number: replyTo, in: id, for: user.userId)
        {
            view.reply = MessageView.Quote(
                address: "", name: quoted.senderName ?? Message.formerMember,
                text: String(quoted.preview.sanitized.prefix(120)))
            view.replySeq = replyTo
        }
        if let last = page.messages.last, last.number > summary.readNumber,
            let proof = ReadProof(site.visitors.visitor(of: request), conversation: id, upTo: last.number)
        {
            view.readImage = "/chat/\(id)/read.gif?upTo=\(last.number)&proof=\(proof.text)"
        }
        let list = ChatListView(conversations: try rows(reads, user, open: id))
        let layout = try site.layout(reads, for: user, request, currentEntry: Self.path)
        return ChatView(layout: layout, list: list, conversation: view, me: user.userId, log: log)
    }

    private func conversation(
        _ summary: ConversationSummary, _ user: User, _ entries: [ConversationView.Entry], _ page: ChatPage
    ) -> ConversationView {
        let conversation = summary.conversation
        var view = ConversationView(
            conversationId: summary.id, title: summary.displayName, avatar: summary.displayPhotoURL,
            initials: Initials(summary.displayName).text, tone: Tone.of(summary.toneKey),
            facts: facts(of: summary),
            isGroup: conversation.isGroup,
            commands: links.commands.all.map(ConversationView.Command.init),
            isClosed: conversation.participants.count < 2,
            me: site.person(user), entries: entries, hasOlder: page.hasOlder, hasNewer: page.hasNewer,
            unread: summary.unread, read: summary.readNumber, last: conversation.lastNumber,
            newId: UUID().uuidString.lowercased())
        view.cardTopics = links.cards.topicNames
        return view
    }

    /// "Grace, Kurt and you · 2 online" for a group; "Online" or "Offline" for two.
    func facts(of summary: ConversationSummary) -> String {
        let presentCount = summary.present.count
        guard summary.conversation.isGroup else { return presentCount > 0 ? "Online" : "Offline" }
        let otherMembers = summary.conversation.members.filter { $0.userId != summary.userId }
        let short = otherMembers.map { site.identity.accounts.shortName(of: $0.userId) ?? $0.name }
        let names = NameList.text(short + ["you"], limit: 6)
        return presentCount > 0 ? "\(names) · \(presentCount + 1) online" : names
    }

    private func actions(
        _ reads: Reads, _ message: Message, _ user: User, _ rejected: RejectedForm?
    ) throws -> MessageActionsView? {
        guard !message.isDeleted else { return nil }
        let isOwn = message.isFromCurrentUser(user.userId)
        let receipts = isOwn ? try chat.receipts(reads, of: message.seq, for: user.userId) : []
        return MessageActionsView(
            conversation: message.conversationId, seq: message.number, isOwn: isOwn,
            rawText: rejected?.edited == nil ? message.text : rejected?.text ?? "",
            editError: rejected?.edited == nil ? nil : rejected?.error,
            receipts: receipts.map {
                .init(name: $0.name, status: $0.status.rawValue, text: $0.status.text)
            })
    }

    private static func number(_ name: String, of request: Request) -> Int? {
        request.query[name].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func sharedText(of request: Request) -> String? {
        request.query["text"].flatMap { $0.isBlank || $0.utf8.count > sharedTextLimit ? nil : $0 }
    }

    private func new(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let chosen = Set(request.query.all("participants").compactMap { UserID($0) })
        return .response(
            site.html(try newView(reads, request, user, text: Self.sharedText(of: request), chosen: chosen)))
    }

    func newView(
        _ reads: Reads, _ request: Request, _ user: User, text: String?, chosen: Set<UserID> = [],
        groupName: String = "",
        id: String? = nil, refused: FormError? = nil
    ) throws -> ChatNewView {
        let people = try chat.people(reads, for: user.userId).map {
            PersonChoiceView(
                userId: $0.userId, name: $0.name, username: $0.username, avatar: $0.photoURL,
                isPresent: $0.isPresent, isChosen: chosen.contains($0.userId))
        }
        var conversations = text == nil ? [] : try rows(reads, user)
        for index in conversations.indices { conversations[index].sharedText = text }
        let layout = try site.layout(reads, for: user, request, currentEntry: Self.path)
        return ChatNewView(
            layout: layout, people: people, conversations: conversations, sharedText: text,
            newId: id ?? UUID().uuidString.lowercased(), groupName: groupName, error: refused?.message)
    }

    private func search(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        var searchRequest = ChatSearchRequest(request.query)
        let summaries = try chat.conversations(reads, of: user.userId)
        var found = ChatSearchPage(hits: [], next: nil)
        var refused: FormError?
        do {
            if searchRequest.hasCriteria {
                searchRequest.query.position = try request.cursor(ChatSearchPosition.self)
                found = try services.search.search(reads, searchRequest.query, for: user.userId)
            }
        } catch {
            refused = try FormError(error)
        }
        let now = site.clock.now()
        let titles = Dictionary(summaries.map { ($0.id, $0.displayName) }, uniquingKeysWith: { $1 })
        let nameFilter = TextFilter(searchRequest.query.text, ignoresAccents: true)
        let matches =
            nameFilter.isEmpty
            ? []
            : summaries.filter {
                nameFilter.matches([FoldedText(lines: [$0.displayName], ignoresAccents: true)])
            }
        let view = ChatSearchView(
            layout: try site.layout(reads, for: user, request, currentEntry: Self.path),
            query: searchRequest.query.text,
            conversationChoices: searchRequest.conversationChoices(summaries.map { ($0.id, $0.displayName) }),
            personChoices: searchRequest.personChoices(Self.people(of: summaries)),
            before: searchRequest.beforeText,
            hasImage: searchRequest.query.hasImage,
            matches: matches.prefix(5).map { row($0, open: nil, now: now) },
            results: found.hits.map { hit in
                ChatSearchView.Result(
                    conversation: hit.conversationId, conversationTitle: titles[hit.conversationId] ?? "",
                    seq: hit.number, senderName: hit.senderName ?? Message.formerMember, sentAt: hit.sentAt,
                    excerpt: SearchExcerpt(hit))
            }, nextAddress: try found.next.map { searchRequest.address(from: try Cursor.text($0)) },
            hasCriteria: searchRequest.hasCriteria, isIndexing: try reads.isIndexing(),
            error: refused?.message)
        let response = site.html(view)
        return refused?.answer(response) ?? .response(response)
    }

    private static func people(of summaries: [ConversationSummary]) -> [(UserID, String)] {
        var names: [UserID: String] = [:]
        for member in summaries.flatMap(\.conversation.members) { names[member.userId] = member.name }
        return names.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }
}
