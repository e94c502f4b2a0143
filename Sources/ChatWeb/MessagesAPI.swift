import Accounts
import Chat
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

struct MessagesAPI: Sendable {
    private static let pageSize = 50
    private static let maximumPageSize = 200

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks
    private var chat: ChatService { services.conversations }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let all = "/api/v1/conversations/{id}/messages"
        let one = all + "/{seq}"
        return [
            guarded.member(
                .get, all,
                query: Request.paging(Self.pageSize, atMost: Self.maximumPageSize)
                    + ["before", "after", "around"].map { .number($0) },
                api: .answers(PageJSON.self, "The messages of a conversation, the newest first."), list),
            guarded.member(
                .post, all,
                api: .makes(MessageJSON.self, "Sends a message.").taking(
                    SendRequest.self, ["text": .text(atMost: Message.maximumTextBytes)]
                ).status(201, 200),
                send),
            guarded.member(.get, one, api: .answers(MessageJSON.self, "One message."), show),
            guarded.member(
                .patch, one,
                api: .answers(MessageJSON.self, "Changes the text of your message.").taking(
                    EditRequest.self, ["text": .text(1...Message.maximumTextBytes)]),
                edit),
            guarded.member(.delete, one, api: .answers(MessageJSON.self, "Deletes your message."), delete),
            guarded.member(
                .put, one + "/reactions/{emoji}", api: .answers(MessageJSON.self, "Adds your reaction.")
            ) { try await react($0, $1, isOn: true) },
            guarded.member(
                .delete, one + "/reactions/{emoji}", api: .answers(MessageJSON.self, "Removes your reaction.")
            ) { try await react($0, $1, isOn: false) },
            guarded.member(
                .get, one + "/receipts", query: Request.paging,
                api: .lists(ReceiptJSON.self, "The message’s status with each member."), receipts),
        ]
    }

    private struct SendRequest: Decodable {
        let id: String
        let text: String?
        let replyTo: Int?
        let fileId: String?
    }

    private struct EditRequest: Decodable {
        let text: String
    }

    private struct Position: Codable {
        let before: Int
    }

    /// With `before`, `after` or `around` a page around a message, otherwise a page with a cursor.
    private struct PageJSON: Encodable, JSONExamples {
        static var examples: [PageJSON] {
            [
                PageJSON(items: [], next: API.Nullable(nil)),
                PageJSON(items: [], hasOlder: true, hasNewer: true),
            ]
        }

        let items: [MessageJSON]
        var next: API.Nullable<String>?
        var hasOlder, hasNewer: Bool?
    }

    private struct ReceiptJSON: Codable {
        let userId: JSONUserID
        let name, username: String
        let status: MessageStatus
    }

    /// With `cursor`, the newest first; with `before`, `after` or `around`, the oldest first.
    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = request.parameters["id"]
        try chat.checkMember(reads, user.userId, of: id)
        let (limit, position) = try request.page(
            Position.self, default: Self.pageSize, maximum: Self.maximumPageSize)
        let (before, after, around) = (
            try ChatAPI.number("before", of: request), try ChatAPI.number("after", of: request),
            try ChatAPI.number("around", of: request)
        )
        guard before == nil, after == nil, around == nil else {
            let page = try chat.page(
                reads, of: id, for: user.userId, before: before, after: after, around: around, limit: limit)
            return .response(
                API.json(
                    PageJSON(
                        items: page.messages.map(json), hasOlder: page.hasOlder, hasNewer: page.hasNewer)))
        }
        let page = try chat.page(reads, of: id, for: user.userId, before: position?.before, limit: limit)
        let next = page.hasOlder ? page.messages.first.map { Position(before: $0.number) } : nil
        return .response(API.json(try Page(page.messages.reversed().map(json), next: next)))
    }

    private func send(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let body = try await chat.body(SendRequest.self, of: request, for: user)
        let typed = body.text ?? ""
        let text: String
        do {
            text = try await links.commands.text(for: typed, by: user.userId)
        } catch {
            try await chat.checkMember(user.userId, of: id)
            throw error
        }
        let sent = try await chat.send(
            NewMessage(id: body.id, text: text, fileId: body.fileId, replyTo: body.replyTo), to: id,
            by: .user(user.userId))
        var response = API.json(json(sent.message), status: sent.isNew ? 201 : 200)
        response["Location"] =
            "/api/v1/conversations/\(sent.message.conversationId)/messages/\(sent.message.number)"
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        answer(try message(reads, request, user))
    }

    private func answer(_ message: Message) -> HandlerResult {
        let editedAt = message.editedAt.map { "\($0.timeIntervalSince1970)" }
        let version = API.version(of: [message.text, editedAt, "\(message.isDeleted)"])
        return .response(API.json(json(message), version: version))
    }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await message(of: request, user)
        let text = try request.body(EditRequest.self).text
        return answer(try await chat.edit(message.seq, text: text, by: user.userId))
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await message(of: request, user)
        return answer(try await chat.delete(message.seq, by: user.userId))
    }

    private func react(_ request: Request, _ user: User, isOn: Bool) async throws -> HandlerResult {
        let message = try await message(of: request, user)
        let emoji = request.parameters["emoji"]
        return .response(
            API.json(json(try await chat.react(emoji, on: message.seq, by: user.userId, isOn: isOn))))
    }

    private func receipts(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let message = try message(reads, request, user)
        let receipts = try chat.receipts(reads, of: message.seq, for: user.userId).map {
            ReceiptJSON(
                userId: JSONUserID($0.userId), name: $0.name, username: $0.username, status: $0.status)
        }
        let page = try request.items(of: receipts) { "\($0.userId.id)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func json(_ message: Message) -> MessageJSON {
        MessageJSON(message, now: site.clock.now())
    }

    private func message(of request: Request, _ user: User) async throws -> Message {
        try await site.database.read { try message($0, request, user) }
    }

    private func message(_ reads: Reads, _ request: Request, _ user: User) throws -> Message {
        try ChatController(site: site, services: services, links: links)
            .message(reads, of: request, for: user)
    }
}

/// A message with its age. The log omits ages, which would soon be wrong in a client's store.
struct MessageJSON: JSONExamples {
    static var examples: [MessageJSON] {
        let now = Date()
        let message = try? Message(id: "1", conversationId: "1", senderId: "1", text: "Hello", sentAt: now)
        return message.map { [MessageJSON($0, now: now)] } ?? []
    }

    private enum CodingKeys: String, CodingKey { case timeAgo }

    private let message: Message
    private let now: Date

    init(_ message: Message, now: Date) {
        self.message = message
        self.now = now
    }

    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(RelativeTime.longAgo(message.sentAt, now: now), forKey: .timeAgo)
    }
}
