import Accounts
import Chat
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

struct ChatActionsController: Sendable {
    /// A file of ten megabytes, its thumbnail and the form around them.
    static let uploadLimit = 12 << 20

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks
    private var chat: ChatService { services.conversations }
    private var pages: ChatController { ChatController(site: site, services: services, links: links) }

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
                throw RoostError.invalid(field: "participants", why: "Choose someone.")
            }
            let isGroup = chosen.count > 1
            let started = try await chat.start(
                with: chosen, groupName: isGroup ? name : nil, id: isGroup ? form["id"] : nil,
                by: user.userId)
            let draft = text.map { "?text=\(PercentEncoding.encode($0))#composer" } ?? ""
            return .response(.redirect(to: "/chat/\(started.conversation.id)\(draft)"))
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try pages.newView(
                        $0, request, user, text: text, chosen: Set(chosen), groupName: name ?? "",
                        id: form["id"], refused: refused)
                })
        }
    }

    /// A rejected message stays in the composer, with its file.
    private func send(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        let form = try request.form()
        var rejected = ChatController.RejectedForm()
        rejected.text = form["text"] ?? ""
        rejected.replyTo = form["replyTo"].flatMap { Int($0) }
        do {
            if let fileId = form["fileId"], !fileId.isEmpty {
                rejected.file = try await site.database.read {
                    try services.files.file($0, fileId, for: user.userId)
                }
            }
            if let file = form.files.first(where: { $0.name == "file" && !$0.filename.isEmpty }) {
                rejected.file = try await services.files.upload(
                    file.bytes, name: file.filename, to: id, by: user.userId)
            }
            let message = NewMessage(
                id: Self.messageId(of: form, rejected),
                text: try await links.commands.text(
                    for: Self.lines(rejected.text), by: user.userId),
                fileId: rejected.file?.id, replyTo: rejected.replyTo)
            _ = try await chat.send(message, to: id, by: .user(user.userId))
        } catch {
            return try await answer(error, rejected, request, user)
        }
        try await chat.saveDraft("", in: id, by: user.userId)
        return .response(.redirect(to: "/chat/\(id)"))
    }

    /// Derives the id from the form's number and content, so that sending a form twice sends one message. A cached page
    /// has the same number as another, but its different text makes a different message.
    private static func messageId(of form: Form, _ typed: ChatController.RejectedForm) -> String {
        guard let number = form["id"], UUID(uuidString: number) != nil else { return form["id"] ?? "" }
        let file = typed.file.map { "\($0.byteCount) \($0.name)" } ?? ""
        return NameBasedUUID.of(
            "message", number.lowercased(), "\(typed.replyTo ?? 0)", file, typed.text)
    }

    /// Browsers send line breaks of a text area as CR LF.
    private static func lines(_ text: String) -> String { text.replacingBytes(of: "\r\n", with: "\n") }

    private func edit(_ request: Request, _ user: User) async throws -> HandlerResult {
        let message = try await pages.message(of: request, for: user)
        let form = try request.form()
        var rejected = ChatController.RejectedForm()
        rejected.text = form["text"] ?? ""
        rejected.edited = message.number
        do {
            _ = try await chat.edit(message.seq, text: Self.lines(rejected.text), by: user.userId)
            return .response(.redirect(to: Self.address(of: message)))
        } catch {
            return try await answer(error, rejected, request, user)
        }
    }

    /// Shows the page again with the input and the error. Rethrows other errors.
    private func answer(
        _ error: any Error, _ rejected: ChatController.RejectedForm, _ request: Request, _ user: User
    ) async throws -> HandlerResult {
        let refused = try FormError(error)
        var rejected = rejected
        rejected.error = refused.message
        return refused.answer(
            try await site.html {
                try pages.conversationPage($0, request, user, rejected: rejected)
            })
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

    /// The reaction buttons of all messages on a page share one form: "12 👍".
    private func reactInPage(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try await chat.checkMember(user.userId, of: request.parameters["id"])
        let parts = (try request.form()["reaction"] ?? "").splitBytes(at: " ", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else {
            throw RoostError.invalid(field: "reaction", why: "A reaction needs a message and an emoji.")
        }
        let message = try await site.database.read {
            try chat.message($0, number: number, in: id, for: user.userId)
        }
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
        // Does not return to the conversation, which would mark it as read again.
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

    private func saveLink(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        let link = try request.form()["link"] ?? ""
        guard WebLink(link)?.host != nil else {
            throw RoostError.invalid(field: "link", why: "This isn’t a web address.")
        }
        let saved = try await links.saver.save(
            link, title: nil, from: "chat", for: user.userId)
        return site.redirect(to: "/chat/\(id)", showing: NoticeView(text: saved.message), to: user)
    }

    private static func address(of message: Message) -> String {
        MessageView.permalink(message.number, in: message.conversationId)
    }
}
