import Accounts
import Chat
import Foundation
import HTTPServer
import RoostSupport
import TextFormats

/// What people do in a conversation, as forms.
struct ChatActionsController: Sendable {
    /// A file of ten megabytes, its thumbnail, and the form around them.
    static let uploadLimit = 12 << 20

    let site: WebContext
    private var chat: ChatService { site.services.chat }
    private var pages: ChatController { ChatController(site: site) }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.post, "/chat/new", start),
            guarded.member(.post, "/chat/{id}/send", bodyLimit: Self.uploadLimit, send),
            guarded.member(.post, "/chat/{id}/react", reactInPage),
            guarded.member(.post, "/chat/{id}/read", read),
            guarded.member(.post, "/chat/{id}/save", saveLink),
            guarded.member(.post, "/chat/{id}/messages/{seq}/edit", edit),
            guarded.member(.post, "/chat/{id}/messages/{seq}/delete", delete),
            guarded.member(.post, "/chat/{id}/messages/{seq}/react", react),
            guarded.member(.post, "/chat/{id}/messages/{seq}/unread", markUnread),
        ]
    }

    private func start(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let chosen = form.all("participants").compactMap { UserID($0) }
        let text = form["text"].flatMap { $0.isBlank ? nil : $0 }
        let name = form["groupName"].flatMap { $0.isBlank ? nil : $0 }
        do {
            guard !chosen.isEmpty else {
                throw RoostError.invalid(field: "participants", why: "Choose somebody.")
            }
            let isGroup = chosen.count > 1
            let started = try await chat.start(
                with: chosen, groupName: isGroup ? name : nil, id: isGroup ? form["id"] : nil,
                by: user.userId)
            let draft = text.map { "?text=\(PercentEncoding.encode($0))#composer" } ?? ""
            return .response(.redirect(to: "/chat/\(started.conversation.id)\(draft)"))
        } catch let error as RoostError {
            guard case .invalid = error else { throw error }
            return .response(
                try await pages.newView(
                    request, user, text: text, chosen: Set(chosen), groupName: name ?? "", id: form["id"],
                    error: Failure(error)))
        }
    }

    /// A refused message stays in the composer, and its file with it.
    private func send(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        let form = try request.form()
        var refused = ChatController.Refused()
        refused.text = form["text"] ?? ""
        refused.replyTo = form["replyTo"].flatMap { Int($0) }
        do {
            if let held = form["fileId"], !held.isEmpty {
                refused.file = try await site.services.chatFiles.file(held, for: user.userId)
            }
            if let file = form.files.first(where: { $0.name == "file" && !$0.filename.isEmpty }) {
                refused.file = try await site.services.chatFiles.upload(
                    file.bytes, name: file.filename, to: id, by: user.userId)
            }
            let message = NewMessage(
                id: Self.messageId(of: form, refused),
                text: try await site.services.chatCommands.text(
                    for: Self.lines(refused.text), by: user.userId),
                fileId: refused.file?.id, replyTo: refused.replyTo)
            _ = try await chat.send(message, to: id, by: .user(user.userId))
        } catch {
            return try await answer(error, refused, request, user)
        }
        try await chat.saveDraft("", in: id, by: user.userId)
        return .response(.redirect(to: "/chat/\(id)"))
    }

    /// A form that is sent twice sends one message. A page from the cache has the same number as another one: its other words
    /// are another message.
    private static func messageId(of form: Form, _ typed: ChatController.Refused) -> String {
        guard let number = form["id"], UUID(uuidString: number) != nil else { return form["id"] ?? "" }
        let file = typed.file.map { "\($0.byteCount) \($0.name)" } ?? ""
        return NameBasedUUID.of(
            "message", number.lowercased(), "\(typed.replyTo ?? 0)", file, typed.text)
    }

    /// Browsers send a text area's lines with CR LF.
    private static func lines(_ text: String) -> String { text.replacingBytes(of: "\r\n", with: "\n") }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await pages.message(of: request, for: user)
        let form = try request.form()
        var refused = ChatController.Refused()
        refused.text = form["text"] ?? ""
        refused.edited = message.number
        do {
            _ = try await chat.edit(message.seq, text: Self.lines(refused.text), by: user.userId)
            return .response(.redirect(to: Self.address(of: message)))
        } catch {
            return try await answer(error, refused, request, user)
        }
    }

    /// The page again, with what was typed and why it was refused; any other error is thrown on.
    private func answer(
        _ error: any Error, _ refused: ChatController.Refused, _ request: Request, _ user: User
    ) async throws -> HandlerResult {
        let failure = Failure(error)
        guard [409, 422, 429, 503, 507].contains(failure.status) else { throw error }
        var refused = refused
        refused.error = failure.message
        refused.status = failure.status
        refused.retryAfter = failure.retryAfter
        return try await pages.shown(request, user, refused: refused).answer
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await pages.message(of: request, for: user)
        try await chat.delete(message.seq, by: user.userId)
        return .response(.redirect(to: Self.address(of: message)))
    }

    private func react(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await pages.message(of: request, for: user)
        return try await toggle(request.form()["emoji"] ?? "", on: message, user)
    }

    /// The buttons below all messages of a page belong to one form: "12 👍".
    private func reactInPage(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try await chat.checkMember(user.userId, of: request.parameters["id"])
        let parts = (try request.form()["reaction"] ?? "").splitBytes(at: " ", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else {
            throw RoostError.invalid(field: "reaction", why: "A reaction names a message and an emoji.")
        }
        let message = try await chat.message(number: number, in: id, for: user.userId)
        return try await toggle(String(parts[1]), on: message, user)
    }

    private func toggle(_ emoji: String, on message: Message, _ user: User) async throws -> HandlerResult {
        let isOn = message.reactions.contains { $0.emoji == emoji && $0.userIds.contains(user.userId) }
        try await chat.react(emoji, on: message.seq, by: user.userId, isOn: !isOn)
        return .response(.redirect(to: Self.address(of: message)))
    }

    private func markUnread(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await pages.message(of: request, for: user)
        try await chat.markUnread(message.conversationId, from: message.number, by: user.userId)
        // Not back to the conversation: seeing it would mark it as read again.
        return site.redirect(
            to: ChatController.path, showing: NoticeView(text: "Marked as unread."), to: user)
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let summary = try await chat.conversation(id, for: user.userId)
        let number = try request.form()["upTo"].flatMap { Int($0) } ?? summary.conversation.lastNumber
        try await chat.markRead(id, upTo: number, by: user.userId)
        return .response(.redirect(to: "/chat/\(id)"))
    }

    /// Keeps a page that a message names, to be read.
    private func saveLink(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        let link = try request.form()["link"] ?? ""
        guard WebLink(link)?.host != nil else {
            throw RoostError.invalid(field: "link", why: "This is no web address.")
        }
        let saved = try await site.services.readingListSaver.save(
            link, title: nil, from: "chat", for: user.userId)
        return site.redirect(to: "/chat/\(id)", showing: NoticeView(text: saved.message), to: user)
    }

    private static func address(of message: Message) -> String {
        MessageView.permalink(message.number, in: message.conversationId)
    }
}
