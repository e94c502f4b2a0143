import Chat
import HTTPServer
import RoostWeb

/// `/hooks/SECRET`: a program posts to a conversation as a bot.
struct ChatWebhooksController: Sendable {
    /// The first path segment; the rest is never logged.
    static let pathSegment = "hooks"

    let site: WebContext
    let services: ChatServices
    let links: ChatLinks

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.post, "/\(Self.pathSegment)/{secret}", .async(post))]
    }

    static func path(of secret: String) -> String { "/\(pathSegment)/\(secret)" }

    private struct PostRequest: Decodable {
        let text: String
        let id: String?
    }

    private struct PostAnswer: Encodable {
        let id: String
    }

    /// Accepts `{"text", "id"?}`, or a form with these fields. Further fields are ignored, because services add their own.
    private func post(_ request: Request) async throws -> HandlerResult {
        let secret = request.parameters["secret"]
        let text: String
        let id: String?
        do {
            if request.hasJSON {
                let body = try request.body(PostRequest.self, ignoresUnknown: true)
                (text, id) = (body.text, body.id)
            } else {
                let form = try request.form()
                (text, id) = (form["text"] ?? "", form["id"])
            }
        } catch {
            // Clients without the secret learn nothing about the form.
            guard try await services.webhooks.hasWebhook(secret: secret) else {
                throw ChatWebhookService.unknownWebhook
            }
            throw error
        }
        let sent = try await services.webhooks.post(text, id: id, secret: secret)
        // Returns no message number, which would reveal how many messages the members write.
        return .response(API.json(PostAnswer(id: sent.message.id), status: sent.isNew ? 201 : 200))
    }
}
