import RoostSupport
import RoostWeb

struct OutgoingWebhooksView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let isOwner: Bool
    let webhookRows: [WebhookRow]
    let allowedOrigins: [String]
    let webhookForm: FormView
    let webhookEvents: WebhookEventsView
    let tabs: SettingsTabs

    /// - Parameters:
    ///   - origins: the addresses that owners allow
    ///   - form: the field url
    ///   - chosen: the names of the chosen events
    init(
        layout: LayoutView, isOwner: Bool, webhooks: [OutgoingWebhook], origins: [String],
        events: [WebhookEvent], form: FormState = .empty, chosen: [String] = []
    ) {
        self.layout = layout
        self.isOwner = isOwner
        webhookRows = webhooks.map { WebhookRow(webhook: $0, events: events) }
        allowedOrigins = origins
        webhookForm = FormView([.webhookURL(form)], form)
        webhookEvents = WebhookEventsView(events, chosen: chosen)
        tabs = SettingsTabs(.outgoingWebhooks, in: layout, isOwner: isOwner)
    }

    var hasWebhooks: Bool { !webhookRows.isEmpty }
    var hasOrigins: Bool { !allowedOrigins.isEmpty }
}

struct WebhookRow: Sendable {
    private let webhook: OutgoingWebhook
    let webhookEventTexts: String

    init(webhook: OutgoingWebhook, events: [WebhookEvent]) {
        self.webhook = webhook
        webhookEventTexts = events.filter { webhook.events.contains($0.name.rawValue) }.map(\.text)
            .joined(separator: " · ")
    }

    var webhookId: String { PathSegment("\(webhook.id)").description }
    var webhookURL: String { webhook.url }
    var isWebhookOff: Bool { !webhook.isOn }
}

/// `/settings/webhooks/ID`
struct OutgoingWebhookView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let webhookId: String
    let isWebhookOn: Bool
    let newSecret: String?
    let webhookForm: FormView
    let webhookEvents: WebhookEventsView
    let log: WebhookLogView
    let tabs: SettingsTabs

    init(
        layout: LayoutView, isOwner: Bool, webhook: OutgoingWebhook, log: WebhookLogView,
        events: [WebhookEvent], newSecret: String? = nil, form: FormState, chosen: [String]
    ) {
        self.layout = layout
        webhookId = PathSegment("\(webhook.id)").description
        isWebhookOn = webhook.isOn
        self.newSecret = newSecret
        webhookForm = FormView([.webhookURL(form)], form)
        webhookEvents = WebhookEventsView(events, chosen: chosen)
        self.log = log
        tabs = SettingsTabs(.outgoingWebhooks, in: layout, isOwner: isOwner)
    }
}

extension FieldView {
    fileprivate static func webhookURL(_ state: FormState) -> FieldView {
        var field = FieldView("url", "Address", in: state)
        field.placeholder = "https://example.org/roost"
        field.hint = "Roost posts JSON to it."
        field.limit = 2_048
        return field
    }
}

/// The events that a form offers.
struct WebhookEventsView: Sendable {
    let eventChoices: [SelectOption]

    init(_ events: [WebhookEvent], chosen: [String]) {
        eventChoices = events.map {
            SelectOption(
                value: $0.name.rawValue, text: $0.text, isChosen: chosen.contains($0.name.rawValue))
        }
    }
}
