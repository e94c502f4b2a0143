import Accounts
import Chat
import HTTPServer
import RoostSupport
import RoostWeb

struct ChatAPI: Sendable {
    private static let path = "/api/v1/conversations"
    private static let logLimit = 200

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks
    private var chat: ChatService { services.conversations }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: Request.paging,
                api: .lists(
                    ConversationSummary.self, "Your conversations, the one with the newest message first."),
                list),
            guarded.member(
                .post, Self.path,
                api: .makes(ConversationSummary.self, "Starts a conversation.").taking(
                    StartRequest.self,
                    [
                        "participants": .list(atLeast: 1),
                        "groupName": .text(atMost: ChatService.maximumNameLength),
                    ]
                )
                .status(201, 200), start),
            guarded.member(
                .get, Self.path + "/log",
                query: ["after", .limit(Self.logLimit, atMost: ChatService.maximumPage), "html"],
                api: .answers(LogJSON.self, "What happened in all your conversations."), log),
            guarded.member(
                .get, Self.path + "/search",
                query: ChatSearchRequest.fields
                    + Request.paging(ChatSearchService.pageSize, atMost: ChatSearchService.maximumPageSize),
                api: .lists(ChatSearchHit.self, "Messages by their words, the newest first."), search),
            guarded.member(.get, one, api: .answers(ConversationSummary.self, "One conversation.")) {
                reads, request, user in
                answer(try chat.conversation(reads, request.parameters["id"], for: user.userId))
            },
            guarded.member(
                .patch, one,
                api: .answers(ConversationSummary.self, "Changes a conversation.").taking(
                    ChangeRequest.self, ["groupName": .text(atMost: ChatService.maximumNameLength)]),
                change),
            guarded.member(.delete, one, api: .does("Leaves a group."), leave),
            guarded.member(
                .get, one + "/members", query: Request.paging,
                api: .lists(MemberJSON.self, "The members of a conversation."), members),
            guarded.member(
                .post, one + "/members",
                api: .answers(ConversationSummary.self, "Adds people to a group.").taking(AddRequest.self),
                add),
            guarded.member(
                .patch, one + "/members/{user}",
                api: .answers(ConversationSummary.self, "Makes a member an admin, or the reverse.").taking(
                    MemberRequest.self), changeMember),
            guarded.member(.delete, one + "/members/{user}", api: .does("Removes a member."), removeMember),
            guarded.member(
                .post, one + "/receipts",
                api: .does("Marks messages as read or unread.").taking(ReadRequest.self), read),
            guarded.member(
                .get, one + "/typing", query: Request.paging,
                api: .lists(TypingStatus.self, "Who else is typing."), typing),
            guarded.member(
                .post, one + "/typing",
                api: .does("Says that you are typing.").taking(TypingRequest.self, isRequired: false), type),
            guarded.member(
                .put, one + "/draft",
                api: .does("Saves the text in your composer.").taking(
                    DraftRequest.self, ["text": .text(atMost: Message.maximumTextBytes)]), draft),
            guarded.member(
                .post, one + "/files", bodyLimit: ChatActionsController.uploadLimit,
                api: .makes(MessageFile.self, "Uploads a file for a message.").takingForm([
                    .file("thumbnail"), "id",
                ]), upload),
        ]
    }

    // MARK: Conversations

    private struct StartRequest: Decodable {
        let participants: [JSONUserID]
        let groupName: String?
        let id: String?
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let page = try request.items(of: try chat.conversations(reads, of: user.userId), id: \.id)
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func start(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(StartRequest.self)
        let started = try await chat.start(
            with: body.participants.map(\.id), groupName: body.groupName, id: body.id, by: user.userId)
        var response = API.json(started.conversation, status: started.isNew ? 201 : 200)
        response["Location"] = "\(Self.path)/\(started.conversation.id)"
        return .response(response)
    }

    private func show(_ request: Request, _ user: User) async throws -> HandlerResult {
        answer(try await chat.conversation(request.parameters["id"], for: user.userId))
    }

    private func answer(_ summary: ConversationSummary) -> HandlerResult {
        let conversation = summary.conversation
        let members = conversation.participants.map { "\($0) \(conversation.isAdmin($0))" }
        let version = API.version(
            of: [
                conversation.groupName, conversation.isGroup ? summary.displayPhotoURL : nil,
                summary.notify.rawValue,
            ] + members)
        return .response(API.json(summary, version: version))
    }

    private struct ChangeRequest: Decodable {
        let groupName: String?
        /// A file of the conversation; "" removes the photo.
        let groupPhotoId: String?
        let notify: ChatNotify?
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let body = try await chat.body(ChangeRequest.self, of: request, for: user)
        if let name = body.groupName {
            try await chat.rename(id, to: name.isBlank ? nil : name, by: user.userId)
        }
        if let photo = body.groupPhotoId {
            try await chat.setPhoto(id, fileId: photo.isEmpty ? nil : photo, by: user.userId)
        }
        if let notify = body.notify { try await chat.setNotify(notify, in: id, for: user.userId) }
        return try await show(request, user)
    }

    private func leave(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await chat.leave(request.parameters["id"], by: user.userId)
        return .response(Response(status: 204))
    }

    // MARK: Members

    private struct MemberJSON: Codable {
        let userId: JSONUserID
        let name: String
        /// The name that mentions the member after an `@`.
        let username: String
        let photoURL: String?
        let isAdmin: Bool
    }

    private struct AddRequest: Decodable {
        let userIds: [JSONUserID]
        let showEarlier: Bool?
    }

    private struct MemberRequest: Decodable {
        let isAdmin: Bool
    }

    private func members(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let conversation = try chat.conversation(reads, request.parameters["id"], for: user.userId)
            .conversation
        let members = conversation.members.map {
            MemberJSON(
                userId: JSONUserID($0.userId), name: $0.name, username: $0.username, photoURL: $0.photoURL,
                isAdmin: conversation.isAdmin($0.userId))
        }
        let page = try request.items(of: members) { "\($0.userId.id)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try await chat.body(AddRequest.self, of: request, for: user)
        let conversation = try await chat.add(
            body.userIds.map(\.id), to: request.parameters["id"], showingEarlier: body.showEarlier ?? false,
            by: user.userId)
        return .response(API.json(conversation))
    }

    private func changeMember(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let body = try await chat.body(MemberRequest.self, of: request, for: user)
        let member = try Self.member(of: request)
        let conversation =
            body.isAdmin
            ? try await chat.promote(member, in: id, by: user.userId)
            : try await chat.demote(member, in: id, by: user.userId)
        return .response(API.json(conversation))
    }

    private func removeMember(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await chat.remove(Self.member(of: request), from: request.parameters["id"], by: user.userId)
        return .response(Response(status: 204))
    }

    private static func member(of request: Request) throws -> UserID {
        guard let user = UserID(request.parameters["user"]) else {
            throw RoostError.notFound("There is no such member.")
        }
        return user
    }

    // MARK: The user's own state

    private struct ReadRequest: Decodable {
        let readSeq: Int?
        /// Marks this message and all later ones as unread.
        let unreadFrom: Int?
    }

    private struct TypingRequest: Decodable {
        /// Defaults to true, as in the mission's models.
        let isTyping: Bool?
    }

    private struct DraftRequest: Decodable {
        let text: String
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let body = try await chat.body(ReadRequest.self, of: request, for: user)
        if let number = body.readSeq {
            try await chat.markRead(id, upTo: number, by: user.userId)
        } else if let number = body.unreadFrom {
            try await chat.markUnread(id, from: number, by: user.userId)
        } else {
            try await chat.checkMember(user.userId, of: id)
            throw RoostError.invalid(field: "readSeq", why: "“readSeq” is missing.")
        }
        return .response(Response(status: 204))
    }

    private func type(_ request: Request, _ user: User) async throws -> HandlerResult {
        let isTyping =
            request.body.isEmpty
            ? nil : try await chat.body(TypingRequest.self, of: request, for: user).isTyping
        try await chat.setTyping(request.parameters["id"], by: user.userId, isTyping: isTyping ?? true)
        return .response(Response(status: 204))
    }

    private func typing(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let typing = try chat.typing(reads, in: request.parameters["id"], for: user.userId)
        let page = try request.items(of: typing) { "\($0.userId)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func draft(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try await chat.body(DraftRequest.self, of: request, for: user)
        try await chat.saveDraft(body.text, in: request.parameters["id"], by: user.userId)
        return .response(Response(status: 204))
    }

    private func upload(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        // Checked before the form is parsed, so that non-members learn nothing about its fields.
        try await chat.checkMember(user.userId, of: id)
        let form = try request.form()
        guard let file = form.files.first(where: { $0.name == "file" }) else {
            throw RoostError.invalid(field: "file", why: "“file” is missing.")
        }
        let thumbnail = form.files.first { $0.name == "thumbnail" && !$0.bytes.isEmpty }
        let stored = try await services.files.upload(
            file.bytes, name: file.filename, thumbnail: thumbnail?.bytes, id: form["id"], to: id,
            by: user.userId)
        var response = API.json(stored, status: 201)
        response["Location"] = stored.url
        return .response(response)
    }

    // MARK: All conversations

    /// The shape of the log, whose JSON is put together from entries that are encoded once for all readers.
    private struct LogJSON: JSONExamples {
        static var examples: [LogJSON] { [LogJSON(entries: [], hasMore: false, next: "")] }

        let entries: [ChatLogEntryJSON]
        let hasMore: Bool
        let next: String
    }

    private func log(_ request: Request, _ user: User) async throws -> HandlerResult {
        let after = try position(of: request)
        let limit = try request.limit(default: Self.logLimit, maximum: ChatService.maximumPage)
        let page = try await chat.log(for: user.userId, after: after, limit: limit)
        let json = try MessagePresenter(site: site, services: services, links: links).json(
            of: page, hasHTML: request.query["html"] == "1")
        var response = Response.content(json, type: "application/json")
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    private func position(of request: Request) throws -> Int64 {
        guard let cursor = request.query["after"], !cursor.isEmpty else { return 0 }
        guard let position = chat.position(of: cursor) else {
            throw RoostError.invalid(
                field: "after", why: "“after” isn’t a cursor of this Roost. Read the conversations again.")
        }
        return position
    }

    private func search(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let (limit, position) = try request.page(
            ChatSearchPosition.self, default: ChatSearchService.pageSize,
            maximum: ChatSearchService.maximumPageSize)
        let asked = ChatSearchRequest(request.query)
        try asked.check(request.query)
        var query = asked.query
        query.position = position
        let found = try services.search.search(reads, query, for: user.userId, limit: limit)
        return .response(API.json(try Page(found.hits, next: found.next)))
    }

    /// Returns a whole number from the query, or nil if it is missing. Throws `RoostError.invalid` for anything else.
    static func number(_ name: String, of request: Request) throws -> Int? {
        guard let text = request.query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), number >= 0, number < 1 << 53 else {
            throw RoostError.invalid(field: name, why: "“\(name)” must be a whole number.")
        }
        return number
    }
}

extension ChatService {
    /// Decodes the body of a request to a conversation. Non-members get 404 whatever they send.
    func body<Body: Decodable>(_ type: Body.Type, of request: Request, for user: User) async throws -> Body {
        do { return try request.body(type) } catch {
            try await checkMember(user.userId, of: request.parameters["id"])
            throw error
        }
    }
}
