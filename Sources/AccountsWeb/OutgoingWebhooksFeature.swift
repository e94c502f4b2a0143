import Accounts
package import RoostSupport
import RoostWeb

package struct OutgoingWebhooksFeature: Feature {
    /// The topic's name on pages.
    static let topic = "outgoing-webhooks"

    let settingsTabs: [SettingsTab] = [.outgoingWebhooks, .webhookOrigins]

    private let service: OutgoingWebhookService

    package init(_ service: OutgoingWebhookService) {
        self.service = service
    }

    let searchCommands = [
        SearchCommand(
            "Outgoing webhooks", or: "notify program script bot event",
            at: SettingsTab.outgoingWebhooks.address),
        SearchCommand(
            "Allow webhook addresses", or: "outgoing", at: SettingsTab.webhookOrigins.address,
            isForOwners: true),
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let site = guarded.site
        return OutgoingWebhooksController(site: site, service: service).routes(guarded)
            + WebhookOriginsController(site: site, service: service).routes(guarded)
            + OutgoingWebhooksAPI(site: site, service: service).routes(guarded)
            + WebhookOriginsAPI(site: site, service: service).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        name == Self.topic ? [Topic.outgoingWebhooks(user.userId)] : nil
    }
}

extension SettingsTab {
    static let outgoingWebhooks = SettingsTab("Outgoing webhooks", at: "/settings/webhooks")
    static let webhookOrigins = SettingsTab("Webhook addresses", at: "/members/webhooks", in: .owner)
}
