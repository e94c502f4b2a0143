import Foundation
package import HTTPClient
package import Logging
import Synchronization
import TextFormats

/// Manages the addresses that are notified of users' events, and sends the events.
package final class OutgoingWebhookService: Service {
    /// The maximum for each user.
    package static let limit = 20
    /// The maximum number of origins that owners can allow.
    private static let maximumOrigins = 100
    package static let pageSize = 50
    /// In bytes, as libcurl writes it.
    package static let maximumAddress = 2_048

    let database: Database
    let sealer: Sealer
    let clock: WallClock
    private let audit: AuditLog
    private let sender: WebhookSender
    private let registered = Mutex<[WebhookEvent]>([])

    package init(
        database: Database, client: HTTPClient, sealer: Sealer, audit: AuditLog, feed: ChangeFeed,
        clock: WallClock, log: Logger
    ) {
        self.database = database
        self.sealer = sealer
        self.audit = audit
        self.clock = clock
        sender = WebhookSender(
            database: database, client: client, sealer: sealer, feed: feed, clock: clock, log: log)
    }

    /// Sets the events of all features, in the order of the form. Call it before `run`.
    package func register(_ events: [WebhookEvent]) {
        registered.withLock { $0 = events }
        sender.register(events)
    }

    /// The events that can be chosen.
    package var events: [WebhookEvent] { registered.withLock { $0 } }

    package func run() async { await sender.run() }

    /// Sends everything that is due, and returns when nothing is. For tests, instead of `run`.
    func sendDue() async { await sender.sendDue() }

    /// Removes old deliveries. `run` does it every hour.
    func trim() async throws { try await sender.trim() }

    package var userData: [UserData] {
        [
            .deleted(
                "Outgoing webhooks and the log of their deliveries",
                from: [
                    "outgoing_webhooks", "outgoing_webhook_events", "webhook_deliveries", "webhook_subjects",
                ])
        ]
    }

    // MARK: Users' webhooks

    /// Oldest first.
    package func webhooks(_ reads: Reads, of user: UserID) throws -> [OutgoingWebhook] {
        try reads.outgoingWebhooks(of: user)
    }

    /// Throws `RoostError.notFound`, also for another user's webhook.
    package func webhook(_ reads: Reads, _ id: Int64, of user: UserID) throws -> OutgoingWebhook {
        guard let webhook = try reads.outgoingWebhook(id), webhook.userId == user else {
            throw RoostError.notFound("There is no such webhook.")
        }
        return webhook
    }

    /// Adds a webhook and returns its secret, which cannot be read again. Throws `RoostError.invalid` for "url" and
    /// "events".
    package func add(
        url: String, events: [String], for user: UserID
    ) async throws -> (webhook: OutgoingWebhook, secret: String) {
        let (address, chosen, secret) = (try Self.address(url), try checked(events), Self.makeSecret())
        let webhook = try await database.write { [sealer, now = clock.nowInMilliseconds] writes in
            guard try writes.outgoingWebhooks(of: user).count < Self.limit else {
                throw RoostError.invalid(
                    field: "url", why: "You can have at most \(Self.limit) webhooks. Delete one first.")
            }
            try Self.checkAllowed(address, writes)
            let webhook = OutgoingWebhook(
                id: 0, userId: user, url: address.text, isOn: true, createdAt: now, events: chosen)
            writes.publish(Topic.outgoingWebhooks(user))
            return try writes.addOutgoingWebhook(webhook, secret: secret, with: sealer)
        }
        return (webhook, secret)
    }

    /// Changes what is not nil. A webhook that is off keeps its waiting deliveries until it is on again. Throws
    /// `RoostError.notFound`, and `.invalid` like `add`.
    @discardableResult
    package func change(
        _ id: Int64, url: String? = nil, events: [String]? = nil, isOn: Bool? = nil, of user: UserID
    ) async throws -> OutgoingWebhook {
        let (address, chosen) = (try url.map(Self.address), try events.map(checked))
        return try await database.write { [self] writes in
            var webhook = try webhook(writes, id, of: user)
            if let address {
                if address.text != webhook.url { try Self.checkAllowed(address, writes) }
                webhook.url = address.text
            }
            webhook.events = chosen ?? webhook.events
            webhook.isOn = isOn ?? webhook.isOn
            try writes.updateOutgoingWebhook(webhook)
            // Deliveries may have waited for it.
            writes.publish(Topic.outgoingWebhooks, Topic.outgoingWebhooks(user))
            return webhook
        }
    }

    /// Replaces the secret and returns the new one. Throws `RoostError.notFound`.
    package func renewSecret(of id: Int64, by user: UserID) async throws -> String {
        let secret = Self.makeSecret()
        try await database.write { [self] writes in
            let webhook = try webhook(writes, id, of: user)
            try writes.putSecret(secret, of: webhook, with: sealer, at: clock.now())
        }
        return secret
    }

    /// Removes a webhook with its queue and log. Throws `RoostError.notFound`.
    package func remove(_ id: Int64, of user: UserID) async throws {
        try await database.write { [self] writes in
            try writes.removeOutgoingWebhook(try webhook(writes, id, of: user))
            writes.publish(Topic.outgoingWebhooks(user))
        }
    }

    private static func makeSecret() -> String { "roosthook_" + Secret.make(bytes: 32) }

    private static func address(_ text: String) throws -> WebAddress {
        guard let address = try? WebAddress(text.trimmed), address.text.utf8.count <= maximumAddress else {
            throw RoostError.invalid(
                field: "url", why: "Enter a web address, such as https://example.org/roost.")
        }
        return address
    }

    private static func checkAllowed(_ address: WebAddress, _ reads: Reads) throws {
        guard try reads.allowsWebhookOrigin(address.origin) else {
            throw RoostError.invalid(
                field: "url",
                why: "The owner doesn’t allow webhooks to \(address.origin). Ask them to add this address.")
        }
    }

    private func checked(_ chosen: [String]) throws -> [String] {
        let known = Set(events.map(\.name.rawValue))
        guard chosen.allSatisfy(known.contains) else {
            throw RoostError.invalid(field: "events", why: "Choose one of the options.")
        }
        guard !chosen.isEmpty else {
            throw RoostError.invalid(field: "events", why: "Choose at least one event.")
        }
        return Set(chosen).sorted()
    }

    // MARK: Deliveries

    /// Newest first. Throws `RoostError.notFound`.
    package func deliveries(
        _ reads: Reads, of id: Int64, for user: UserID, before delivery: Int64? = nil, limit: Int = pageSize
    ) throws -> [WebhookDelivery] {
        try reads.webhookDeliveries(
            of: try webhook(reads, id, of: user).id, before: delivery, limit: limit)
    }

    /// Sends a delivery again, with the same id. Throws `RoostError.notFound`, and `.conflict` while the webhook is off.
    @discardableResult
    package func sendAgain(
        _ deliveryId: String, of id: Int64, by user: UserID
    ) async throws -> WebhookDelivery {
        try await database.write { [self] writes in
            let webhook = try webhook(writes, id, of: user)
            guard var delivery = try writes.webhookDelivery(deliveryId, of: webhook.id) else {
                throw RoostError.notFound("There is no such delivery.")
            }
            try Self.checkOn(webhook)
            delivery.attempts = 0
            delivery.nextAt = clock.now()
            try writes.updateWebhookDelivery(delivery)
            writes.publish(Topic.outgoingWebhooks, Topic.outgoingWebhooks(user))
            return delivery
        }
    }

    /// Queues a test event. Throws `RoostError.notFound`, and `.conflict` while the webhook is off.
    package func sendTest(to id: Int64, by user: UserID) async throws {
        try await database.write { [self] writes in
            let webhook = try webhook(writes, id, of: user)
            try Self.checkOn(webhook)
            try writes.queueDelivery(
                .test, about: "", to: webhook.id, of: user, at: clock.nowInMilliseconds)
        }
    }

    private static func checkOn(_ webhook: OutgoingWebhook) throws {
        guard webhook.isOn else {
            throw RoostError.conflict(field: "isOn", why: "Turn the webhook on first.")
        }
    }

    // MARK: The owner's list

    package func origins(_ reads: Reads) throws -> [WebhookOrigin] { try reads.webhookOrigins() }

    /// Throws `RoostError.notFound`.
    package func origin(_ reads: Reads, _ id: Int64) throws -> WebhookOrigin {
        guard let origin = try reads.webhookOrigins().first(where: { $0.id == id }) else {
            throw Self.unknownOrigin
        }
        return origin
    }

    /// Allows webhooks to this scheme, host and port. Throws `RoostError.invalid(field: "origin")`.
    ///
    /// - Parameter actor: the owner's user name
    @discardableResult
    package func allow(
        _ text: String, by actor: String, from client: ClientInfo
    ) async throws -> WebhookOrigin {
        let origin = try Self.origin(text)
        let allowed = try await database.write { [now = clock.now()] writes in
            guard try !writes.allowsWebhookOrigin(origin) else {
                throw RoostError.invalid(field: "origin", why: "This address is already allowed.")
            }
            guard try writes.webhookOrigins().count < Self.maximumOrigins else {
                throw RoostError.invalid(
                    field: "origin", why: "You can allow at most \(Self.maximumOrigins) addresses.")
            }
            return try writes.addWebhookOrigin(origin, at: now)
        }
        await audit.record(.webhookAddressAllowed, actor: actor, from: client, detail: origin)
        return allowed
    }

    /// Deliveries that wait for this address fail. Throws `RoostError.notFound`.
    package func disallow(_ id: Int64, by actor: String, from client: ClientInfo) async throws {
        guard let origin = try await database.write({ try $0.removeWebhookOrigin(id) }) else {
            throw Self.unknownOrigin
        }
        await audit.record(.webhookAddressRemoved, actor: actor, from: client, detail: origin)
    }

    package static let unknownOrigin = RoostError.notFound("This address is not in the list.")

    /// Normalised by libcurl's parser, because libcurl makes the connection.
    private static func origin(_ text: String) throws -> String {
        guard let typed = WebOrigin(text.trimmed), let address = try? WebAddress(typed.text) else {
            throw RoostError.invalid(
                field: "origin", why: "Enter an address without a path, such as https://example.org.")
        }
        guard address.host != "localhost" else {
            throw RoostError.invalid(
                field: "origin", why: "Enter its IP address, such as http://127.0.0.1:9000.")
        }
        return address.origin
    }
}
