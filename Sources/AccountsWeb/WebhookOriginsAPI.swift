import HTTPServer
import RoostSupport
import RoostWeb

/// `/api/v1/webhook-origins`: the addresses that webhooks may have, for owners.
struct WebhookOriginsAPI: Sendable {
    private static let path = "/api/v1/webhook-origins"

    let site: WebContext
    let service: OutgoingWebhookService

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.ownerOrToken(
                .get, Self.path, query: Request.paging,
                api: .lists(WebhookOrigin.self, "The addresses that webhooks may have, for owners."), list),
            guarded.ownerOrToken(
                .post, Self.path,
                api: .makes(WebhookOrigin.self, "Allows webhooks to an address, for owners.").taking(
                    AddRequest.self, ["origin": .text(1...WebOrigin.maximumLength)]), add),
            guarded.ownerOrToken(
                .get, one, api: .answers(WebhookOrigin.self, "One address of the list, for owners."), show),
            guarded.ownerOrToken(
                .delete, one, api: .does("Removes an address; webhooks to it fail. For owners."), remove),
        ]
    }

    private struct AddRequest: Decodable {
        let origin: String
    }

    private func list(_ reads: Reads, _ request: Request, _ owner: Person) throws -> HandlerResult {
        let page = try request.items(of: try service.origins(reads)) { "\($0.id)" }
        return .response(API.json(try Page(page.items, next: page.next)))
    }

    private func add(_ request: Request, _ owner: Person) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let added = try await service.allow(body.origin, by: owner.user.username, from: owner.origin)
        var response = API.json(added, status: 201)
        response["Location"] = "\(Self.path)/\(added.id)"
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ owner: Person) throws -> HandlerResult {
        .response(API.json(try service.origin(reads, try WebhookOriginsController.id(request))))
    }

    private func remove(_ request: Request, _ owner: Person) async throws -> HandlerResult {
        try await service.disallow(
            try WebhookOriginsController.id(request), by: owner.user.username, from: owner.origin)
        return .response(Response(status: 204))
    }
}
