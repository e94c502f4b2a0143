import Accounts
import Chat
import HTTPServer
import RoostSupport
import RoostWeb

struct ChatDetailsController: Sendable {
    let site: WebContext
    let services: ChatServices
    let links: ChatLinks
    private var chat: ChatService { services.conversations }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/chat/{id}/details") {
                .response(site.html(try detailsPage($0, $1, $2)))
            },
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

    /// Runs the action and redirects to the page, or shows the page with the error.
    private func act(
        _ request: Request, _ user: User, _ notice: String? = nil,
        _ action: (ConversationID, Form) async throws -> Void
    ) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        do {
            try await action(id, try request.form())
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try detailsPage($0, request, user, refused: refused) })
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
        try await act(request, user, "Group renamed.") { id, form in
            let name = form["groupName"].flatMap { $0.isBlank ? nil : $0 }
            try await chat.rename(id, to: name, by: user.userId)
        }
    }

    private func setPhoto(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user, "Photo changed.") { id, form in
            guard let file = form.files.first(where: { $0.name == "photo" && !$0.filename.isEmpty }) else {
                throw RoostError.invalid(field: "photo", why: "Choose an image.")
            }
            let image = try await services.files.upload(
                file.bytes, name: file.filename, to: id, by: user.userId)
            try await chat.setPhoto(id, fileId: image.id, by: user.userId)
        }
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user) { id, form in
            let people = form.all("participants").compactMap { UserID($0) }
            guard !people.isEmpty else {
                throw RoostError.invalid(field: "participants", why: "Choose someone.")
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
            to: ChatController.path, showing: NoticeView(text: "You left “\(name)”."), to: user)
    }

    private func addWebhook(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        try await chat.checkMember(user.userId, of: id)
        do {
            let created = try await services.webhooks.add(
                try request.form()["name"] ?? "", to: id, by: user.userId)
            let link = site.link(to: ChatWebhooksController.path(of: created.secret), for: request)
            // A redirect would put the secret into another address.
            let hook = ChatDetailsView.NewHook(name: created.webhook.name, address: link.address)
            return .response(
                try await site.html { try detailsPage($0, request, user, newHook: hook) })
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try detailsPage($0, request, user, refused: refused) })
        }
    }

    private func revokeWebhook(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await act(request, user, "Webhook deleted.") { id, _ in
            guard let webhook = Int64(request.parameters["webhook"]) else {
                throw RoostError.notFound("There is no such webhook.")
            }
            try await services.webhooks.revoke(webhook, from: id, by: user.userId)
        }
    }

    private func detailsPage(
        _ reads: Reads, _ request: Request, _ user: User, newHook: ChatDetailsView.NewHook? = nil,
        refused: FormError? = nil
    ) throws -> ChatDetailsView {
        let summary = try chat.conversation(reads, request.parameters["id"], for: user.userId)
        let id = summary.id
        let conversation = summary.conversation
        let names = Dictionary(conversation.members.map { ($0.userId, $0.name) }) { first, _ in first }
        let isAdmin = conversation.isAdmin(user.userId)
        let present = Set(summary.present + [user.userId])
        let now = site.clock.now()
        let memberIds = Set(conversation.participants)
        let candidates =
            conversation.isGroup && isAdmin
            ? try chat.people(reads, for: user.userId).filter { !memberIds.contains($0.userId) } : []
        let mayManageHooks = !conversation.isGroup || isAdmin
        let hooks = try services.webhooks.webhooks(reads, of: id, for: user.userId)
        return ChatDetailsView(
            layout: try site.layout(reads, for: user, request, currentEntry: ChatController.path),
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
            candidates: candidates.map {
                PersonChoiceView(
                    userId: $0.userId, name: $0.name, username: $0.username, avatar: $0.photoURL,
                    isPresent: $0.isPresent)
            }, mayManageHooks: mayManageHooks,
            hooks: hooks.map {
                ChatDetailsView.Hook(
                    conversation: id, id: $0.id, name: $0.name, creator: names[$0.createdBy] ?? "",
                    usedAt: $0.lastUsedAt, mayRevoke: mayManageHooks, now: now)
            }, newHook: newHook, error: refused?.message)
    }
}
