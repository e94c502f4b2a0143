import Accounts
import Chat
import HTTPServer
import RoostSupport
import RoostWeb

/// A conversation's webhooks, and who is here, as JSON.
struct WebhooksAPI: Sendable {
    let site: WebContext
    let services: ChatServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let all = "/api/v1/conversations/{id}/webhooks"
        let one = all + "/{webhook}"
        return [
            guarded.member(
                .get, all, query: Request.paging,
                api: .lists(ChatWebhook.self, "The webhooks of a conversation."), list),
            guarded.member(
                .post, all,
                api: .makes(ChatWebhook.self, secret: "address", "Makes a webhook.").taking(
                    AddRequest.self, ["name": .text(1...ChatWebhookService.maximumName)]),
                add),
            guarded.member(
                .get, one, api: .answers(ChatWebhook.self, "One webhook, without its address."), show),
            guarded.member(.delete, one, api: .does("Deletes a webhook; its messages stay."), revoke),
            guarded.member(
                .get, "/api/v1/presence", query: Request.paging,
                api: .lists(PersonJSON.self, "Everyone else, and who is here now."), presence),
        ]
    }

    private struct AddRequest: Decodable {
        let name: String
    }

    private struct PersonJSON: Codable {
        let userId: JSONUserID
        let name, username: String
        let isPresent: Bool
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let webhooks = try services.webhooks.webhooks(
            reads, of: request.parameters["id"], for: user.userId)
        let page = try request.items(of: webhooks) { "\($0.id)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = request.parameters["id"]
        let body = try await services.conversations.body(AddRequest.self, of: request, for: user)
        let made = try await services.webhooks.add(body.name, to: id, by: user.userId)
        let link = site.link(to: ChatWebhooksController.path(of: made.secret), for: request)
        return .response(
            API.created(
                made.webhook, secret: ("address", link.address),
                at: "/api/v1/conversations/\(made.webhook.conversationId)/webhooks/\(made.webhook.id)"))
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let number = try Self.number(request)
        let webhooks = try services.webhooks.webhooks(
            reads, of: request.parameters["id"], for: user.userId)
        guard let webhook = webhooks.first(where: { $0.id == number }) else { throw Self.noWebhook }
        return .response(API.json(webhook, version: API.version(of: [webhook.name])))
    }

    private func revoke(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await services.webhooks.revoke(
            Self.number(request), from: request.parameters["id"], by: user.userId)
        return .response(Response(status: 204))
    }

    private static let noWebhook = RoostError.notFound("There is no such webhook.")

    private static func number(_ request: Request) throws -> Int64 {
        guard let number = Int64(request.parameters["webhook"]) else { throw noWebhook }
        return number
    }

    /// Everyone else, and whether they have Roost open now.
    private func presence(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let people = try services.conversations.people(reads, for: user.userId)
        let page = try request.items(of: people) { "\($0.userId)" }
        let items = page.items.map {
            PersonJSON(
                userId: JSONUserID($0.userId), name: $0.name, username: $0.username, isPresent: $0.isPresent)
        }
        return .response(API.json(try Page(items, next: page.next)))
    }
}
