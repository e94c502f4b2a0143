import Accounts
import Foundation
import Logging
package import RoostSupport

/// Manages secret addresses at which programs post to a conversation.
package final class ChatWebhookService: Service {
    /// Per conversation.
    private static let limit = 20
    /// The last use is saved at most this often, in seconds.
    private static let useInterval: TimeInterval = 60

    let database: Database
    private let chat: ChatService
    private let clock: WallClock
    private let log: Logger

    init(database: Database, chat: ChatService, clock: WallClock, log: Logger) {
        self.database = database
        self.chat = chat
        self.clock = clock
        self.log = log
    }

    /// Oldest first. Throws `RoostError.notFound` if the user isn't a member.
    package func webhooks(_ reads: Reads, of conversation: ConversationID, for user: UserID) throws
        -> [ChatWebhook]
    {
        try reads.webhooks(of: reads.requiredMembership(of: user, in: conversation).conversationId)
    }

    /// Creates a webhook and returns its secret, which cannot be read again: the address is `/hooks/SECRET`. It is
    /// deleted when the user leaves the conversation, is removed from it, or deletes the account.
    ///
    /// In a group only admins may do this; in a conversation of two both may. Throws `RoostError.notAllowed`,
    /// `.notFound`, `.invalid(field: "name")`, and `.conflict(field: "name")` for a member's name.
    package func add(
        _ name: String, to conversation: ConversationID, by user: UserID
    ) async throws -> (webhook: ChatWebhook, secret: String) {
        let secret = Secret.make(bytes: 24)
        let webhook = try await database.write { [now = clock.now()] writes in
            let conversation = try Self.checkMayManage(conversation, user, writes)
            let name = try Self.checked(name)
            guard try writes.webhookCount(of: conversation) < Self.limit else {
                throw RoostError.invalid(
                    field: "name", why: "There can be up to \(Self.limit) webhooks. Revoke one first.")
            }
            guard try !writes.hasLookalike(name, except: nil) else {
                throw RoostError.conflict(field: "name", why: "A member already has this name.")
            }
            return try writes.addWebhook(
                name, to: conversation, tokenHash: Secret.hash(secret), by: user, at: now)
        }
        return (webhook, secret)
    }

    /// Deletes a webhook; its messages stay. Throws `RoostError.notAllowed` and `.notFound`.
    package func revoke(_ id: Int64, from conversation: ConversationID, by user: UserID) async throws {
        try await database.write { writes in
            let conversation = try Self.checkMayManage(conversation, user, writes)
            guard try writes.removeWebhook(id, from: conversation) else {
                throw RoostError.notFound("There is no such webhook.")
            }
        }
    }

    /// Posts under the webhook's name, with the same rate limit as a user.
    ///
    /// - Parameter id: the program's UUID, which makes repeating safe; if nil, a new one is made
    /// - Throws: `RoostError.notFound` for an unknown secret, `.invalid` and `.tooMany` as `ChatService.send`
    package func post(
        _ text: String, id: String? = nil, secret: String
    ) async throws -> (message: Message, isNew: Bool) {
        guard (16...64).contains(secret.utf8.count),
            let webhook = try await webhook(secret: secret)
        else { throw Self.unknownWebhook }
        let message = NewMessage(id: id ?? UUID().uuidString.lowercased(), text: text)
        let sent = try await chat.send(
            message, to: webhook.conversationId, by: .bot(id: webhook.id, name: webhook.name))
        await noteUse(of: webhook)
        return sent
    }

    package func hasWebhook(secret: String) async throws -> Bool {
        try await webhook(secret: secret) != nil
    }

    private func webhook(secret: String) async throws -> ChatWebhook? {
        try await database.read { try $0.webhook(tokenHash: Secret.hash(secret)) }
    }

    private func noteUse(of webhook: ChatWebhook) async {
        let now = clock.now()
        if let last = webhook.lastUsedAt, !ClockSkew.isExpired(last, lifetime: Self.useInterval, now: now) {
            return
        }
        do { try await database.write { try $0.markWebhookUsed(webhook.id, at: now) } } catch {
            // The message is already sent, so this is no failure for its sender.
            log.databaseFailure("A webhook’s use could not be recorded", error)
        }
    }

    /// Returns the conversation's stored id.
    private static func checkMayManage(
        _ conversation: ConversationID, _ user: UserID, _ reads: Reads
    ) throws -> ConversationID {
        let membership = try reads.requiredMembership(of: user, in: conversation)
        guard !membership.isGroup || membership.isAdmin else {
            throw RoostError.notAllowed("Only the group’s admins can do this.")
        }
        return membership.conversationId
    }

    /// In code points, as in the schema.
    package static let maximumName = 64

    private static func checked(_ name: String) throws -> String {
        let name = name.trimmed
        guard !name.isBlank, name.unicodeScalars.count <= maximumName, name == name.sanitized else {
            throw RoostError.invalid(
                field: "name", why: "A webhook’s name must have 1 to \(maximumName) characters.")
        }
        guard !NameLookalikes().isReserved(name) else {
            throw RoostError.invalid(
                field: "name", why: "This name is reserved. Choose another one.")
        }
        guard !Profile.containsHandle(name) else {
            throw RoostError.invalid(
                field: "name", why: "A webhook’s name can’t contain a user name such as “@ada”.")
        }
        return name
    }

    package static let unknownWebhook = RoostError.notFound(
        "This address isn’t a webhook. It was revoked, or the person who made it has left the conversation.")

    package var userData: [UserData] {
        [.deleted("Chat webhooks that this account made", from: ["chat_webhooks"])]
    }
}
