import Accounts
import Chat
import HTTPServer
import RoostSupport

/// `/chat/{id}/details`: members, name, notifications and webhooks of a conversation.
struct ChatDetailsController: Sendable {
    let site: WebContext
    private var chat: ChatService { site.services.chat }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/chat/{id}/details") { .response(try await shown($0, $1)) },
            guarded.member(.post, "/chat/{id}/notify", notify),
            guarded.member(.post, "/chat/{id}/rename", rename),
            guarded.member(
                .post, "/chat/{id}/photo", bodyLimit: ChatActionsController.uploadLimit, setPhoto),
            guarded.member(.post, "/chat/{id}/members", add),
            guarded.member(.post, "/chat/{id}/members/{user}", change),
            guarded.member(.post, "/chat/{id}/leave", leave),
            guarded.member(.post, "/chat/{id}/webhooks", addWebhook),
            guarded.member(.post, "/chat/{id}/webhooks/{webhook}/revoke", revokeWebhook),
        ]
    }

    /// Does it and leads back to the page; a refusal in words is shown there.
    private func act(
        _ request: Request, _ user: User, _ notice: String? = nil,
        _ act: (ConversationID, Form) async throws -> Void
    ) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        do {
            try await act(id, try request.form())
        } catch let error as RoostError {
            let failure = Failure(error)
            guard [403, 409, 422, 429, 507].contains(failure.status) else { throw error }
            return .response(try await shown(request, user, error: failure))
        }
        return site.redirect(
            to: "/chat/\(id)/details", showing: notice.map { NoticeView(text: $0) }, to: user)
    }

    private func notify(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user) { id, form in
            guard let notify = ChatNotify(rawValue: form["notify"] ?? "") else {
                throw RoostError.invalid(field: "notify", why: "Choose all, mentions or none.")
            }
            try await chat.setNotify(notify, in: id, for: user.userId)
        }
    }

    private func rename(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user, "The group is renamed.") { id, form in
            let name = form["groupName"].flatMap { $0.isBlank ? nil : $0 }
            try await chat.rename(id, to: name, by: user.userId)
        }
    }

    private func setPhoto(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user, "The photo is changed.") { id, form in
            guard let file = form.files.first(where: { $0.name == "photo" && !$0.filename.isEmpty }) else {
                throw RoostError.invalid(field: "photo", why: "Choose an image.")
            }
            let image = try await site.services.chatFiles.upload(
                file.bytes, name: file.filename, to: id, by: user.userId)
            try await chat.setPhoto(id, fileId: image.id, by: user.userId)
        }
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user) { id, form in
            let people = form.all("participants").compactMap { UserID($0) }
            guard !people.isEmpty else {
                throw RoostError.invalid(field: "participants", why: "Choose somebody.")
            }
            try await chat.add(
                people, to: id, showingEarlier: form["showEarlier"] == "yes", by: user.userId)
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user) { id, form in
            guard let member = UserID(request.parameters["user"]) else {
                throw RoostError.notFound("There is no such member.")
            }
            switch form["act"] {
            case "promote": try await chat.promote(member, in: id, by: user.userId)
            case "demote": try await chat.demote(member, in: id, by: user.userId)
            case "remove": try await chat.remove(member, from: id, by: user.userId)
            default: throw RoostError.invalid(field: "act", why: "Choose promote, demote or remove.")
            }
        }
    }

    private func leave(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let name = try await chat.conversation(id, for: user.userId).displayName
        try await chat.leave(id, by: user.userId)
        return site.redirect(
            to: ChatController.path, showing: NoticeView(text: "You have left “\(name)”."), to: user)
    }

    private func addWebhook(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        do {
            let made = try await site.services.chatWebhooks.add(
                try request.form()["name"] ?? "", to: id, by: user.userId)
            let link = site.link(to: ChatWebhooksController.path(of: made.secret), for: request)
            // Not by way of a redirect: the secret is in no address but its own.
            let hook = ChatDetailsView.NewHook(name: made.webhook.name, address: link.address)
            return .response(try await shown(request, user, newHook: hook))
        } catch let error as RoostError {
            let failure = Failure(error)
            guard [403, 409, 422].contains(failure.status) else { throw error }
            return .response(try await shown(request, user, error: failure))
        }
    }

    private func revokeWebhook(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user, "Webhook deleted.") { id, _ in
            guard let webhook = Int64(request.parameters["webhook"]) else {
                throw RoostError.notFound("There is no such webhook.")
            }
            try await site.services.chatWebhooks.withdraw(webhook, from: id, by: user.userId)
        }
    }

    private func shown(
        _ request: Request, _ user: User, newHook: ChatDetailsView.NewHook? = nil, error: Failure? = nil
    ) async throws -> Response {
        let summary = try await chat.conversation(request.parameters["id"], for: user.userId)
        let id = summary.id
        let conversation = summary.conversation
        let names = Dictionary(conversation.members.map { ($0.userId, $0.name) }) { first, _ in first }
        let isAdmin = conversation.isAdmin(user.userId)
        let present = Set(summary.present + [user.userId])
        let now = site.services.clock.now()
        let isIn = Set(conversation.participants)
        let others =
            conversation.isGroup && isAdmin
            ? try await chat.people(for: user.userId).filter { !isIn.contains($0.userId) } : []
        let mayHook = !conversation.isGroup || isAdmin
        let hooks = try await site.services.chatWebhooks.webhooks(of: id, for: user.userId)
        let view = ChatDetailsView(
            layout: try await site.layout(for: user, request, place: ChatController.path),
            conversationId: id, title: summary.displayName, avatar: summary.displayPhotoURL,
            toneKey: summary.toneKey, groupName: conversation.groupName ?? "", isGroup: conversation.isGroup,
            isAdmin: isAdmin,
            notify: summary.notify.rawValue,
            members: conversation.members.map { member in
                ChatDetailsView.Member(
                    conversation: id, userId: member.userId, name: member.name, username: member.username,
                    avatar: member.photoURL, isAdmin: conversation.isAdmin(member.userId),
                    isYou: member.userId == user.userId,
                    isPresent: present.contains(member.userId),
                    mayBeChanged: conversation.isGroup && isAdmin && member.userId != user.userId)
            },
            others: others.map {
                PersonChoiceView(
                    userId: $0.userId, name: $0.name, username: $0.username, avatar: $0.photoURL,
                    isPresent: $0.isPresent)
            }, mayHook: mayHook,
            hooks: hooks.map {
                ChatDetailsView.Hook(
                    conversation: id, id: $0.id, name: $0.name, maker: names[$0.createdBy] ?? "",
                    usedAt: $0.lastUsedAt, mayRevoke: mayHook, now: now)
            }, newHook: newHook, error: error?.message)
        return site.html(view, status: error?.status ?? 200)
    }
}
