import Foundation

@testable import AccountsWeb
@testable import RoostSupport
@testable import RoostWeb

extension OutgoingWebhook {
    fileprivate static let sample = OutgoingWebhook(
        id: 1, userId: 1, url: "https://example.org/roost", isOn: true, createdAt: .sample,
        events: ["article.saved"])
    fileprivate static let offSample = OutgoingWebhook(
        id: 2, userId: 1,
        url: "http://192.168.1.5:9000/a-path-that-is-long-enough-to-be-broken?on=small-screens",
        isOn: false, createdAt: .sample, events: ["article.saved", "message.arrived"])
}

extension [WebhookEvent] {
    fileprivate static let samples = [
        WebhookEvent(.init(rawValue: "article.saved"), "You save an article") { _, _, _, _ in nil },
        WebhookEvent(.init(rawValue: "message.arrived"), "Someone writes a message") { _, _, _, _ in nil },
    ]
}

extension OutgoingWebhooksView {
    static let sample = OutgoingWebhooksView(
        layout: .settingsSample, isOwner: true, webhooks: [.sample, .offSample],
        origins: ["http://192.168.1.5:9000", "https://example.org"], events: .samples)
}

extension OutgoingWebhookView {
    static let sample = OutgoingWebhookView(
        layout: .settingsSample, isOwner: true, webhook: .sample, log: .sample, events: .samples,
        newSecret: "roosthook_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        form: FormState(typed: ["url": "https://example.org/roost"]), chosen: ["article.saved"])
}

extension WebhookLogView {
    static let sample = WebhookLogView(
        webhook: .sample,
        deliveries: [
            WebhookDelivery(
                id: 3, webhookId: 1, deliveryId: "8a9f2a06-6b0d-4d2c-a1f3-4b7f0c2b9a53",
                event: "article.saved", subject: "3", createdAt: .sample - 10, nextAt: .sample),
            WebhookDelivery(
                id: 2, webhookId: 1, deliveryId: "8a9f2a06-6b0d-4d2c-a1f3-4b7f0c2b9a52",
                event: "article.saved", subject: "2", createdAt: .sample - 600, attempts: 2,
                nextAt: .sample + 60, lastAt: .sample - 500, milliseconds: 10_000,
                error: "No answer within 10 seconds."),
            WebhookDelivery(
                id: 1, webhookId: 1, deliveryId: "8a9f2a06-6b0d-4d2c-a1f3-4b7f0c2b9a51",
                event: "article.saved", subject: "1", createdAt: .sample - 7_000, attempts: 1,
                lastAt: .sample - 7_000, milliseconds: 42, status: 200, answer: "Thanks <b>for</b> it"),
        ], now: .sample)
}

extension WebhookOriginsView {
    static let sample = WebhookOriginsView(
        layout: .settingsSample,
        origins: [WebhookOrigin(id: 1, origin: "https://example.org", createdAt: .sample)])
}
