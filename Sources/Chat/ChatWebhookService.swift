import Accounts
import Foundation
package import Logging
package import RoostSupport

/// Secret addresses at which programs post to a conversation.
package final class ChatWebhookService: Service {
    /// Of one conversation.
    private static let limit = 20
    /// The last use is written down this often at most, in seconds.
    private static let useInterval: TimeInterval = 60

    private let store: ChatWebhookStore
    private let chat: ChatService
    private let clock: WallClock
    private let log: Logger

    package init(store: ChatWebhookStore, chat: ChatService, clock: WallClock, log: Logger) {
        self.store = store
        self.chat = chat
        self.clock = clock
        self.log = log
    }

    /// In the order of their making. Throws `RoostError.notFound` for those who are no members.
    package func webhooks(of conversation: ConversationID, for user: UserID) async throws -> [ChatWebhook] {
        try await store.webhooks(of: chat.checkMember(user, of: conversation))
    }

    /// Makes a webhook and answers its secret, the only time it is ever shown: the address is `/hooks/SECRET`. It ends
    /// when the user leaves the conversation, is removed from it, or deletes the account.
    ///
    /// In a group an admin may; in a conversation of two both may. Throws `RoostError.notAllowed`, `.notFound`,
    /// `.invalid(field: "name")`, and `.conflict(field: "name")` for the name of a member.
    package func add(
        _ name: String, to conversation: ConversationID, by user: UserID
    ) async throws -> (webhook: ChatWebhook, secret: String) {
        let conversation = try await checkMayManage(conversation, user)
        let secret = Secret.make(bytes: 24)
        let webhook = try await store.add(
            try Self.checked(name), to: conversation, tokenHash: Secret.hash(secret), by: user,
            at: clock.now(), limit: Self.limit)
        return (webhook, secret)
    }

    /// Its address posts nothing any more; its messages stay. Throws `RoostError.notAllowed` and `.notFound`.
    package func withdraw(_ id: Int64, from conversation: ConversationID, by user: UserID) async throws {
        let conversation = try await checkMayManage(conversation, user)
        guard try await store.remove(id, from: conversation) else {
            throw RoostError.notFound("There is no such webhook.")
        }
    }

    /// Posts under the webhook's name, within the limits of a person.
    ///
    /// - Parameter id: a UUID of the program's, so that posting may be repeated; nil: a new one
    /// - Throws: `RoostError.notFound` for a secret that opens nothing, `.invalid` and `.tooMany` as `ChatService.send`
    package func post(
        _ text: String, id: String? = nil, secret: String
    ) async throws -> (message: Message, isNew: Bool) {
        guard (16...64).contains(secret.utf8.count),
            let webhook = try await store.webhook(tokenHash: Secret.hash(secret))
        else { throw Self.isUnknown }
        let message = NewMessage(id: id ?? UUID().uuidString.lowercased(), text: text)
        let sent = try await chat.send(
            message, to: webhook.conversationId, by: .bot(id: webhook.id, name: webhook.name))
        await noteUse(of: webhook)
        return sent
    }

    /// Whether there is a webhook with this secret.
    package func opens(_ secret: String) async throws -> Bool {
        try await store.webhook(tokenHash: Secret.hash(secret)) != nil
    }

    private func noteUse(of webhook: ChatWebhook) async {
        let now = clock.now()
        if let last = webhook.lastUsedAt, !ClockSkew.isOver(last, lifetime: Self.useInterval, now: now) {
            return
        }
        do { try await store.markUsed(webhook.id, at: now) } catch {
            // The message is sent: its sender has nothing to mend.
            log.error("A webhook’s use could not be noted", metadata: ["error": "\(error)"])
        }
    }

    /// The conversation's stored id.
    private func checkMayManage(
        _ conversation: ConversationID, _ user: UserID
    ) async throws -> ConversationID {
        let conversation = try await chat.conversation(conversation, for: user).conversation
        guard !conversation.isGroup || conversation.isAdmin(user) else {
            throw RoostError.notAllowed("Only the group’s admins may do this.")
        }
        return conversation.id
    }

    private static func checked(_ name: String) throws -> String {
        let name = name.trimmed
        // Code points, as the schema counts them.
        guard !name.isBlank, name.unicodeScalars.count <= 64, name == name.sanitized else {
            throw RoostError.invalid(field: "name", why: "A webhook’s name has 1 to 64 characters.")
        }
        guard !NameLookalikes().isReserved(name) else {
            throw RoostError.invalid(
                field: "name", why: "Roost uses this name itself. Choose another one.")
        }
        guard !Profile.holdsHandle(name) else {
            throw RoostError.invalid(
                field: "name", why: "A webhook’s name can’t contain a user name such as “@ada”.")
        }
        return name
    }

    package static let isUnknown = RoostError.notFound(
        "This address isn’t a webhook. It was revoked, or the person who made it has left the conversation.")

    package var userData: [UserData] {
        [.deleted("Chat webhooks that this account made", from: ["chat_webhooks"])]
    }
}
