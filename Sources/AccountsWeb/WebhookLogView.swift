import Foundation
import RoostSupport
import RoostWeb
import TextFormats

/// `/settings/webhooks/ID/log`: the deliveries of the last days, newest first.
struct WebhookLogView: Sendable {
    let logAddress: String
    let deliveryRows: [DeliveryRow]

    init(webhook: OutgoingWebhook, deliveries: [WebhookDelivery], now: Date) {
        logAddress = "/settings/webhooks/\(webhook.id)/log"
        deliveryRows = deliveries.map { DeliveryRow(delivery: $0, webhook: webhook, now: now) }
    }

    var hasDeliveries: Bool { !deliveryRows.isEmpty }
}

struct DeliveryRow: Sendable {
    private let delivery: WebhookDelivery
    private let now: Date
    let sendAgainAddress: String
    /// Waiting deliveries are sent anyway.
    let maySendAgain: Bool

    init(delivery: WebhookDelivery, webhook: OutgoingWebhook, now: Date) {
        self.delivery = delivery
        self.now = now
        sendAgainAddress =
            "/settings/webhooks/\(webhook.id)/deliveries/\(PathSegment(delivery.deliveryId))/send"
        maySendAgain = webhook.isOn && (delivery.state != .waiting || delivery.attempts > 0)
    }

    var deliveryKey: String { delivery.deliveryId }
    var deliveryEvent: String { delivery.event }
    var deliveryTime: String { ISO8601.seconds(delivery.createdAt) }
    var deliveryMoment: String {
        "\(RelativeTime.day(delivery.createdAt)), \(RelativeTime.clock(delivery.createdAt))"
    }
    var isDeliveryFailed: Bool { delivery.error != nil }
    var deliveryState: String {
        switch delivery.state {
        case .waiting: delivery.attempts == 0 ? "Waiting" : "Attempt \(delivery.attempts) failed"
        case .delivered: "Delivered"
        case .failed: "Gave up after \(CountText.of(delivery.attempts, "attempt"))"
        }
    }
    /// "status 200 in 12 ms".
    var deliveryFacts: String? {
        guard let milliseconds = delivery.milliseconds else { return nil }
        return delivery.status.map { "status \($0) in \(milliseconds) ms" } ?? "after \(milliseconds) ms"
    }
    var deliveryError: String? { delivery.error }
    var deliveryNext: String? { delivery.nextAt.flatMap { $0 > now ? ISO8601.seconds($0) : nil } }
    var deliveryNextIn: String { delivery.nextAt.map { RelativeTime.until($0, now: now) } ?? "" }
    var deliveryAnswer: String? { delivery.answer.flatMap { $0.isBlank ? nil : $0 } }
}
