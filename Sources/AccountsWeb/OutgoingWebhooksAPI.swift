import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

/// `/api/v1/webhooks`: the user's outgoing webhooks.
struct OutgoingWebhooksAPI: Sendable {
    private static let maximumPageSize = 200

    let site: WebContext
    let service: OutgoingWebhookService

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let all = "/api/v1/webhooks"
        let one = all + "/{id}"
        return [
            guarded.member(
                .get, all, query: Request.paging,
                api: .lists(OutgoingWebhook.self, "Your outgoing webhooks, oldest first."), list),
            guarded.member(
                .post, all, scope: .account,
                api: .makes(OutgoingWebhook.self, secret: "secret", "Creates a webhook.").taking(
                    AddRequest.self, limits), add),
            guarded.member(.get, one, api: .answers(OutgoingWebhook.self, "One webhook."), show),
            guarded.member(
                .patch, one, scope: .account,
                api: .answers(OutgoingWebhook.self, "Changes a webhook.").taking(
                    ChangeRequest.self, limits), change),
            guarded.member(
                .delete, one, scope: .account, api: .does("Deletes a webhook with its log and what waits."),
                remove),
            guarded.member(
                .post, one + "/test", scope: .account, api: .does("Queues a test event.").status(202), test),
            guarded.member(
                .get, one + "/deliveries",
                query: Request.paging(OutgoingWebhookService.pageSize, atMost: Self.maximumPageSize),
                api: .lists(WebhookDelivery.self, "The log of a webhook, newest first."), deliveries),
            guarded.member(
                .post, one + "/deliveries/{delivery}/send", scope: .account,
                api: .answers(WebhookDelivery.self, "Sends a delivery again with the same id.").status(202),
                sendAgain),
        ]
    }

    private var limits: KeyValuePairs<String, APILimit> {
        [
            "url": .text(1...OutgoingWebhookService.maximumAddress),
            "events": .list(atLeast: 1, of: .choice(service.events.map(\.name.rawValue))),
        ]
    }

    private struct AddRequest: Decodable {
        let url: String
        let events: [String]
    }

    private struct ChangeRequest: Decodable {
        let url: String?
        let events: [String]?
        let isOn: Bool?
    }

    private struct Position: Codable {
        let before: Int64
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let page = try request.items(of: try service.webhooks(reads, of: user.userId)) { "\($0.id)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let added = try await service.add(url: body.url, events: body.events, for: user.userId)
        return .response(
            API.created(
                added.webhook, secret: ("secret", added.secret), at: "/api/v1/webhooks/\(added.webhook.id)"))
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try OutgoingWebhooksController.id(request)
        return .response(API.json(try service.webhook(reads, id, of: user.userId)))
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (id, body) = (
            try OutgoingWebhooksController.id(request), try request.body(ChangeRequest.self)
        )
        return .response(
            API.json(
                try await service.change(
                    id, url: body.url, events: body.events, isOn: body.isOn, of: user.userId)))
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await service.remove(try OutgoingWebhooksController.id(request), of: user.userId)
        return .response(Response(status: 204))
    }

    private func test(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await service.sendTest(to: try OutgoingWebhooksController.id(request), by: user.userId)
        return .response(Response(status: 202))
    }

    private func deliveries(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let (limit, position) = try request.page(
            Position.self, default: OutgoingWebhookService.pageSize, maximum: Self.maximumPageSize)
        let found = try service.deliveries(
            reads, of: try OutgoingWebhooksController.id(request), for: user.userId,
            before: position?.before, limit: limit + 1)
        let shown = found.prefix(limit)
        let next = found.count > limit ? shown.last.map { Position(before: $0.id) } : nil
        return .response(API.json(try Page(Array(shown), next: next)))
    }

    private func sendAgain(_ request: Request, _ user: User) async throws -> HandlerResult {
        let delivery = try await service.sendAgain(
            request.parameters["delivery"], of: try OutgoingWebhooksController.id(request),
            by: user.userId)
        return .response(API.json(delivery, status: 202))
    }
}
