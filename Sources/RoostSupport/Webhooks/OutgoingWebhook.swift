package import Foundation
import TextFormats

/// An address that is notified of a user's events.
package struct OutgoingWebhook: Equatable, Sendable, Identifiable {
    package internal(set) var id: Int64
    package internal(set) var userId: UserID
    package internal(set) var url: String
    package internal(set) var isOn: Bool
    package internal(set) var createdAt: Date
    /// The names of the chosen events, in order.
    package internal(set) var events: [String] = []
}

extension OutgoingWebhook: ColumnRecord {
    package init() {
        self.init(id: 0, userId: 0, url: "", isOn: true, createdAt: .distantPast)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("user_id", &userId)
        try columns.column("url", &url)
        try columns.column("is_on", &isOn)
        try columns.column("created_at", &createdAt)
        try columns.column(
            "events",
            sql: """
                (SELECT json_group_array(CAST(event AS TEXT)) FROM (
                    SELECT event FROM outgoing_webhook_events AS chosen
                    WHERE chosen.webhook_id = outgoing_webhooks.id ORDER BY event))
                """, &events)
    }
}

extension OutgoingWebhook: JSONExamples {
    package static var examples: [OutgoingWebhook] { [OutgoingWebhook()] }

    private enum CodingKeys: CodingKey { case id, url, events, isOn, createdAt }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(String(id), forKey: .id)
        try values.encode(url, forKey: .url)
        try values.encode(events, forKey: .events)
        try values.encode(isOn, forKey: .isOn)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
    }
}

/// An event on its way to a webhook, and how the last attempt ended.
package struct WebhookDelivery: Equatable, Sendable, Identifiable {
    package enum State: String, CaseIterable, Codable, Sendable {
        case waiting, delivered, failed
    }

    package internal(set) var id: Int64
    package internal(set) var webhookId: Int64
    /// A UUID, the same for all attempts.
    package internal(set) var deliveryId: String
    package internal(set) var event: String
    /// What the event is about, in the feature's own terms.
    var subject: String
    package internal(set) var createdAt: Date
    package internal(set) var attempts = 0
    /// When the next attempt begins, or nil if none follows.
    package internal(set) var nextAt: Date?
    package internal(set) var lastAt: Date?
    /// How long the last attempt took.
    package internal(set) var milliseconds: Int?
    /// The HTTP status of the last attempt, or nil without an answer.
    package internal(set) var status: Int?
    package internal(set) var error: String?
    /// The beginning of the last answer.
    package internal(set) var answer: String?

    package var state: State {
        if nextAt != nil { return .waiting }
        return error == nil ? .delivered : .failed
    }
}

extension WebhookDelivery: ColumnRecord {
    package init() {
        self.init(id: 0, webhookId: 0, deliveryId: "", event: "", subject: "", createdAt: .distantPast)
    }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("webhook_id", &webhookId)
        try columns.column("delivery_id", &deliveryId)
        try columns.column("event", &event)
        try columns.column("subject", &subject)
        try columns.column("created_at", &createdAt)
        try columns.column("attempts", &attempts)
        try columns.column("next_at", &nextAt)
        try columns.column("last_at", &lastAt)
        try columns.column("milliseconds", &milliseconds)
        try columns.column("status", &status)
        try columns.column("error", &error)
        try columns.column("answer", &answer)
    }
}

extension WebhookDelivery: JSONExamples {
    package static var examples: [WebhookDelivery] { [WebhookDelivery()] }

    private enum CodingKeys: CodingKey {
        case id, event, state, createdAt, attempts, lastAttemptAt, nextAttemptAt, milliseconds, status, error
        case answer
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(deliveryId, forKey: .id)
        try values.encode(event, forKey: .event)
        try values.encode(state, forKey: .state)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
        try values.encode(attempts, forKey: .attempts)
        try values.encodeIfPresent(lastAt.map(JSONTime.init), forKey: .lastAttemptAt)
        try values.encodeIfPresent(nextAt.map(JSONTime.init), forKey: .nextAttemptAt)
        try values.encodeIfPresent(milliseconds, forKey: .milliseconds)
        try values.encodeIfPresent(status, forKey: .status)
        try values.encodeIfPresent(error, forKey: .error)
        try values.encodeIfPresent(answer, forKey: .answer)
    }
}

/// A scheme, host and port that webhooks may have.
package struct WebhookOrigin: Equatable, Sendable, Identifiable {
    package internal(set) var id: Int64
    /// Such as "https://example.org".
    package internal(set) var origin: String
    package internal(set) var createdAt: Date
}

extension WebhookOrigin: ColumnRecord {
    package init() { self.init(id: 0, origin: "", createdAt: .distantPast) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try columns.column("origin", &origin)
        try columns.column("created_at", &createdAt)
    }
}

extension WebhookOrigin: JSONExamples {
    package static var examples: [WebhookOrigin] { [WebhookOrigin()] }

    private enum CodingKeys: CodingKey { case id, origin, createdAt }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(String(id), forKey: .id)
        try values.encode(origin, forKey: .origin)
        try values.encode(JSONTime(createdAt), forKey: .createdAt)
    }
}
