import Chat
import HTTPServer

/// `/hooks/SECRET`: a program posts to a conversation, as a bot.
struct ChatWebhooksController: Sendable {
    /// The first part of the address: what follows it is never logged.
    static let word = "hooks"

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.post, "/\(Self.word)/{secret}", .async(post))]
    }

    static func path(of secret: String) -> String { "/\(word)/\(secret)" }

    private struct PostRequest: Decodable {
        let text: String
        let id: String?
    }

    private struct PostAnswer: Encodable {
        let id: String
    }

    /// Takes `{"text", "id"?}`, or a form with these fields.
    private func post(_ request: Request) async throws -> HandlerResult {
        let secret = request.parameters["secret"]
        let text: String
        let id: String?
        do {
            if request.hasJSON {
                let body = try request.fields(PostRequest.self)
                (text, id) = (body.text, body.id)
            } else {
                let form = try request.form()
                (text, id) = (form["text"] ?? "", form["id"])
            }
        } catch {
            // Nobody learns of the form without the secret.
            guard try await site.services.chatWebhooks.opens(secret) else {
                throw ChatWebhookService.isUnknown
            }
            throw error
        }
        let sent = try await site.services.chatWebhooks.post(text, id: id, secret: secret)
        // Not its number: that would tell the program how many messages the members write.
        return .response(API.json(PostAnswer(id: sent.message.id), status: sent.isNew ? 201 : 200))
    }
}
