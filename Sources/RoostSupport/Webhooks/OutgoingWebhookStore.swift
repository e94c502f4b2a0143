package import Foundation
import GRDB

/// Webhooks, their queue of deliveries, and the origins that owners allow.
package enum OutgoingWebhookStore {
    /// The rows that are kept for each webhook.
    package static let maximumDeliveries = 200
    /// In bytes of UTF-8, of an answer that is kept.
    static let maximumAnswer = 1_024

    fileprivate static let select = """
        SELECT \(OutgoingWebhook.selection(of: "outgoing_webhooks")) FROM outgoing_webhooks
        """
    fileprivate static let selectDelivery = """
        SELECT \(WebhookDelivery.selection(of: "webhook_deliveries")) FROM webhook_deliveries
        """

    package static let stored = [
        StoredRows("outgoing_webhooks", OutgoingWebhook.self),
        StoredRows("outgoing_webhook_events") { row in
            _ = (try row.text("event"), try row.id("webhook_id"))
        },
        StoredRows("webhook_deliveries", WebhookDelivery.self),
        StoredRows("webhook_subjects") { row in
            _ = (try row.id("user_id"), try row.text("event"), try row.text("subject"))
        },
        StoredRows("webhook_origins", WebhookOrigin.self),
    ]

    /// The name of a webhook's sealed secret.
    fileprivate static func secretName(_ id: Int64) -> String { "outgoing webhook \(id)" }
}

extension Reads {
    func outgoingWebhooks(of user: UserID) throws -> [OutgoingWebhook] {
        try database.rows(OutgoingWebhookStore.select + " WHERE user_id = ? ORDER BY id", [user]).readable {
            try OutgoingWebhook($0)
        }
    }

    func outgoingWebhook(_ id: Int64) throws -> OutgoingWebhook? {
        try database.row(OutgoingWebhookStore.select + " WHERE id = ?", [id]).map { try OutgoingWebhook($0) }
    }

    func secret(of webhook: OutgoingWebhook, with sealer: Sealer) throws -> String? {
        try secret(OutgoingWebhookStore.secretName(webhook.id), of: webhook.userId, with: sealer)
    }

    /// Returns the users with a webhook for this event, which are few.
    package func usersWithWebhook(for event: WebhookEvent.Name) throws -> [UserID] {
        try usersWithWebhook(for: event, or: event).map(\.user)
    }

    /// Returns the users with a webhook for one of these events, once for each event.
    package func usersWithWebhook(
        for event: WebhookEvent.Name, or other: WebhookEvent.Name
    ) throws -> [(event: WebhookEvent.Name, user: UserID)] {
        try database.rows(
            """
            SELECT DISTINCT event, user_id FROM outgoing_webhook_events
            JOIN outgoing_webhooks ON outgoing_webhooks.id = webhook_id
            WHERE event IN (?, ?) AND is_on = 1
            """, [event.rawValue, other.rawValue]
        ).map { (WebhookEvent.Name(rawValue: try $0.text("event")), try $0.id("user_id")) }
    }

    func webhookDeliveries(of webhook: Int64, before id: Int64?, limit: Int) throws -> [WebhookDelivery] {
        try database.rows(
            OutgoingWebhookStore.selectDelivery + " WHERE webhook_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
            [webhook, id ?? Int64.max, limit]
        ).readable { try WebhookDelivery($0) }
    }

    func webhookDelivery(_ deliveryId: String, of webhook: Int64) throws -> WebhookDelivery? {
        try database.row(
            OutgoingWebhookStore.selectDelivery + " WHERE delivery_id = ? AND webhook_id = ?",
            [deliveryId, webhook]
        ).map { try WebhookDelivery($0) }
    }

    /// Returns the first due delivery of each webhook that is on, and its user; the longest due first.
    func dueWebhookDeliveries(at now: Date) throws -> [(user: UserID, delivery: WebhookDelivery)] {
        try database.rows(
            """
            SELECT \(WebhookDelivery.selection(of: "webhook_deliveries")), user_id
            FROM webhook_deliveries JOIN outgoing_webhooks ON outgoing_webhooks.id = webhook_id
            WHERE is_on = 1 AND next_at <= ? AND NOT EXISTS (
                SELECT 1 FROM webhook_deliveries AS earlier
                WHERE earlier.webhook_id = webhook_deliveries.webhook_id
                    AND (earlier.next_at, earlier.id) < (webhook_deliveries.next_at, webhook_deliveries.id))
            ORDER BY next_at LIMIT 200
            """, [now.stored]
        ).readable { (try $0.id("user_id"), try WebhookDelivery($0)) }
    }

    /// The next time at which a delivery is due after `now`.
    func nextWebhookDelivery(after now: Date) throws -> Date? {
        try database.value(
            StoredTime.self,
            """
            SELECT min(next_at) FROM webhook_deliveries JOIN outgoing_webhooks ON outgoing_webhooks.id = webhook_id
            WHERE is_on = 1 AND next_at > ?
            """, [now.stored])?.date
    }

    func webhookBody(of delivery: WebhookDelivery) throws -> [UInt8]? {
        try database.value(Data.self, "SELECT body FROM webhook_deliveries WHERE id = ?", [delivery.id])
            .map { Array($0) }
    }

    func webhookOrigins() throws -> [WebhookOrigin] {
        try database.rows(
            "SELECT \(WebhookOrigin.selection(of: "webhook_origins")) FROM webhook_origins ORDER BY origin"
        ).readable { try WebhookOrigin($0) }
    }

    func allowsWebhookOrigin(_ origin: String) throws -> Bool {
        try database.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM webhook_origins WHERE origin = ?)", [origin]) == true
    }

    /// Returns what the user was last notified of, or nil if that is not known yet.
    fileprivate func webhookSubjects(_ event: WebhookEvent.Name, of user: UserID) throws -> Set<String>? {
        let subjects = try database.values(
            String.self, "SELECT subject FROM webhook_subjects WHERE user_id = ? AND event = ?",
            [user, event.rawValue])
        return subjects.contains(where: \.isEmpty) ? Set(subjects).subtracting([""]) : nil
    }
}

extension Writes {
    /// Queues an event for the user's webhooks that are on and have chosen it. It is sent after the commit.
    ///
    /// - Parameter subject: what the event is about, for the feature's `WebhookEvent`
    package func queueWebhooks(
        _ event: WebhookEvent.Name, about subject: String, for user: UserID, at now: Date
    ) throws {
        let webhooks = try database.values(
            Int64.self,
            """
            SELECT id FROM outgoing_webhook_events JOIN outgoing_webhooks ON outgoing_webhooks.id = webhook_id
            WHERE event = ? AND user_id = ? AND is_on = 1
            """, [event.rawValue, user])
        for webhook in webhooks { try queueDelivery(event, about: subject, to: webhook, of: user, at: now) }
    }

    /// Removes what was sent about something that is deleted, so that it is not sent again.
    package func eraseWebhooks(
        _ event: WebhookEvent.Name, or other: WebhookEvent.Name, about subject: String
    ) throws {
        try execute(
            "UPDATE webhook_deliveries SET body = NULL WHERE subject = ? AND event IN (?, ?)",
            [subject, event.rawValue, other.rawValue])
    }

    func queueDelivery(
        _ event: WebhookEvent.Name, about subject: String, to webhook: Int64, of user: UserID, at now: Date
    ) throws {
        let delivery = WebhookDelivery(
            id: 0, webhookId: webhook, deliveryId: UUID().uuidString.lowercased(), event: event.rawValue,
            subject: subject, createdAt: now, nextAt: now)
        try insert(delivery, into: "webhook_deliveries", omitting: ["id"])
        try execute(
            """
            DELETE FROM webhook_deliveries WHERE webhook_id = ? AND id <= (
                SELECT id FROM webhook_deliveries WHERE webhook_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
            """, [webhook, webhook, OutgoingWebhookStore.maximumDeliveries])
        publish(Topic.outgoingWebhooks, Topic.outgoingWebhooks(user))
    }

    /// Queues an event for each subject that the user was not notified of, for events about a state.
    ///
    /// The first call after a webhook was added only remembers the subjects.
    ///
    /// - Parameters:
    ///   - subjects: all that are in this state now, as far as they have loaded
    ///   - isLoading: whether a subject's state has not loaded yet; nil if all have
    package func queueWebhooks(
        _ event: WebhookEvent.Name, aboutNew subjects: [String], isLoading: ((String) -> Bool)? = nil,
        for user: UserID, at now: Date
    ) throws {
        let known = try webhookSubjects(event, of: user)
        guard try usersWithWebhook(for: event).contains(user), known != nil || isLoading == nil else {
            return
        }
        let kept = isLoading.map { isLoading in (known ?? []).filter(isLoading) } ?? []
        let new = Set(subjects).union(kept)
        guard new != known else { return }
        if let known {
            for subject in subjects where !known.contains(subject) {
                try queueWebhooks(event, about: subject, for: user, at: now)
            }
        }
        try execute(
            "DELETE FROM webhook_subjects WHERE user_id = ? AND event = ?", [user, event.rawValue])
        for subject in [""] + new.sorted() {
            try execute(
                "INSERT OR IGNORE INTO webhook_subjects (user_id, event, subject) VALUES (?, ?, ?)",
                [user, event.rawValue, subject])
        }
    }

    /// Forgets what the user was notified of by events that no webhook has chosen any more.
    private func removeUnusedWebhookSubjects(of user: UserID) throws {
        try execute(
            """
            DELETE FROM webhook_subjects WHERE user_id = ? AND event NOT IN (
                SELECT event FROM outgoing_webhook_events
                JOIN outgoing_webhooks ON outgoing_webhooks.id = webhook_id WHERE user_id = ? AND is_on = 1)
            """, [user, user])
    }

    func addOutgoingWebhook(
        _ webhook: OutgoingWebhook, secret: String, with sealer: Sealer
    ) throws -> OutgoingWebhook {
        var webhook = webhook
        webhook.id = try insert(webhook, into: "outgoing_webhooks", omitting: ["id"])
        try setWebhookEvents(webhook)
        try putSecret(secret, of: webhook, with: sealer, at: webhook.createdAt)
        return webhook
    }

    func updateOutgoingWebhook(_ webhook: OutgoingWebhook) throws {
        try update(
            "outgoing_webhooks", with: webhook, omitting: ["id", "user_id"], where: "id = ?", [webhook.id])
        try execute("DELETE FROM outgoing_webhook_events WHERE webhook_id = ?", [webhook.id])
        try setWebhookEvents(webhook)
        try removeUnusedWebhookSubjects(of: webhook.userId)
    }

    private func setWebhookEvents(_ webhook: OutgoingWebhook) throws {
        for event in webhook.events {
            try execute(
                "INSERT INTO outgoing_webhook_events (event, webhook_id) VALUES (?, ?)", [event, webhook.id])
        }
    }

    func putSecret(_ secret: String, of webhook: OutgoingWebhook, with sealer: Sealer, at now: Date) throws {
        try putSecret(
            secret, as: OutgoingWebhookStore.secretName(webhook.id), of: webhook.userId, with: sealer,
            at: now)
    }

    func removeOutgoingWebhook(_ webhook: OutgoingWebhook) throws {
        try execute("DELETE FROM outgoing_webhooks WHERE id = ?", [webhook.id])
        try removeSecret(OutgoingWebhookStore.secretName(webhook.id), of: webhook.userId)
        try removeUnusedWebhookSubjects(of: webhook.userId)
    }

    /// Writes how an attempt ended, unless the webhook is gone.
    func updateWebhookDelivery(_ delivery: WebhookDelivery) throws {
        try update(
            "webhook_deliveries", with: delivery, omitting: ["id"], where: "id = ?", [delivery.id])
    }

    func setWebhookBody(_ body: [UInt8], of delivery: WebhookDelivery) throws {
        try execute("UPDATE webhook_deliveries SET body = ? WHERE id = ?", [Data(body), delivery.id])
    }

    /// Removes old deliveries. After the clock was set back, later ones move to now.
    func trimWebhookDeliveries(before limit: Date, now: Date) throws {
        try execute("DELETE FROM webhook_deliveries WHERE created_at < ?", [limit.stored])
        try clamp("created_at", of: "webhook_deliveries", moving: "next_at", to: now)
    }

    func addWebhookOrigin(_ origin: String, at now: Date) throws -> WebhookOrigin {
        var added = WebhookOrigin(id: 0, origin: origin, createdAt: now)
        added.id = try insert(added, into: "webhook_origins", omitting: ["id"])
        return added
    }

    func removeWebhookOrigin(_ id: Int64) throws -> String? {
        let origin = try database.value(
            String.self, "SELECT origin FROM webhook_origins WHERE id = ?", [id])
        try execute("DELETE FROM webhook_origins WHERE id = ?", [id])
        return origin
    }
}

extension Topic {
    /// Deliveries of all users that are due.
    static let outgoingWebhooks = "outgoing-webhooks"

    package static func outgoingWebhooks(_ user: UserID) -> String { "outgoing-webhooks/\(user)" }
}
