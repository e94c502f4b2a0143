import Foundation
import HTTPClient
import Logging
import Synchronization
import TextFormats

/// Sends the queue of deliveries: one at a time to each webhook, and a few at a time overall.
///
/// An attempt is recorded after it ends, so that a delivery whose attempt was interrupted is sent again.
final class WebhookSender: Sendable {
    private enum Problem: Error {
        /// Another attempt would end in the same way.
        case permanent(String)
        case temporary(String)
        /// Roost stops; the delivery stays in the queue.
        case interrupted
    }

    /// The waits after the first, second ... failed attempt, in seconds; then Roost gives up.
    static let delays: [TimeInterval] = [10, 60, 600, 3_600, 21_600]
    static let lifetime: TimeInterval = 7 * 86_400
    private static let maximumRunning = 8
    /// For each user, so that no one's slow receivers keep others waiting.
    private static let maximumRunningOfUser = 2
    private static let timeout = Duration.seconds(10)
    private static let trimInterval = Duration.seconds(3_600)
    private static let pauseAfterError = Duration.seconds(30)

    private let database: Database
    private let client: HTTPClient
    private let sealer: Sealer
    private let clock: WallClock
    private let log: Logger
    private let signal = AsyncSignal()
    private let events = Mutex<[String: WebhookEvent]>([:])
    /// The user of each webhook that is being sent to.
    private let running = Mutex<[Int64: UserID]>([:])

    init(
        database: Database, client: HTTPClient, sealer: Sealer, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.database = database
        self.client = client
        self.sealer = sealer
        self.clock = clock
        self.log = log
        feed.fire(signal, at: Topic.outgoingWebhooks)
    }

    func register(_ all: [WebhookEvent]) {
        events.withLock { events in
            for event in all + [.test] { events[event.name.rawValue] = event }
        }
    }

    /// Sends deliveries when they are due, until cancelled. Attempts that are under way end then.
    func run() async {
        await withDiscardingTaskGroup { group in
            var nextTrim = clock.steady()
            while !Task.isCancelled {
                do {
                    if nextTrim <= clock.steady() {
                        try await trim()
                        nextTrim = clock.steady() + Self.trimInterval
                    }
                    for delivery in try await claim() {
                        group.addTask { await self.attempt(delivery) }
                    }
                    await signal.wait(atMost: try await pause())
                } catch {
                    guard !Task.isCancelled else { return }
                    log.error("Webhooks could not be read", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.pauseAfterError)
                }
            }
        }
    }

    func sendDue() async {
        while let due = try? await claim(), !due.isEmpty {
            await withDiscardingTaskGroup { group in
                for delivery in due { group.addTask { await self.attempt(delivery) } }
            }
        }
    }

    func trim() async throws {
        try await database.write { [now = clock.now()] writes in
            try writes.trimWebhookDeliveries(before: now - Self.lifetime, now: now)
        }
    }

    /// Returns due deliveries that may begin now. Only one task may call it at a time.
    private func claim() async throws -> [WebhookDelivery] {
        // Read before the query: an attempt that ends during it may still look due.
        let before = running.withLock { $0 }
        let due = try await database.read { try $0.dueWebhookDeliveries(at: clock.now()) }
        return running.withLock { running in
            due.compactMap { user, delivery in
                guard before[delivery.webhookId] == nil, running.count < Self.maximumRunning,
                    running.values.count(where: { $0 == user }) < Self.maximumRunningOfUser
                else { return nil }
                running[delivery.webhookId] = user
                return delivery
            }
        }
    }

    /// How long until a delivery is due. Those that wait for others are claimed when an attempt ends.
    private func pause() async throws -> Duration {
        let now = clock.now()
        let next = try await database.read { try $0.nextWebhookDelivery(after: now) }
        guard let next else { return Self.trimInterval }
        return min(.seconds(max(0, next.timeIntervalSince(now))), Self.trimInterval)
    }

    private func attempt(_ due: WebhookDelivery) async {
        await recordAttempt(due)
        _ = running.withLock { $0.removeValue(forKey: due.webhookId) }
        signal.fire()
    }

    private func recordAttempt(_ due: WebhookDelivery) async {
        var delivery = due
        let start = ContinuousClock.now
        do {
            let prepared = try await prepare(due)
            if let body = prepared.newBody {
                // Before it is sent, so that a repetition is the same, and what is deleted during the attempt is not kept.
                try await database.write { try $0.setWebhookBody(body, of: due) }
            }
            let response = try await send(prepared.request)
            delivery.status = response.status
            delivery.answer = Self.beginning(of: response.body)
            delivery.error = Self.problem(of: response.status)
            delivery.nextAt = delivery.error == nil ? nil : nextTime(after: due.attempts + 1)
        } catch Problem.interrupted {
            return
        } catch {
            (delivery.status, delivery.answer) = (nil, nil)
            if case Problem.permanent(let why) = error {
                (delivery.error, delivery.nextAt) = (why, nil)
            } else {
                delivery.error = Self.message(error)
                delivery.nextAt = nextTime(after: due.attempts + 1)
            }
        }
        delivery.attempts += 1
        delivery.lastAt = clock.now()
        delivery.milliseconds = max(0, Int((ContinuousClock.now - start) / .milliseconds(1)))
        logFailure(of: delivery)
        await save(delivery)
    }

    private func save(_ delivery: WebhookDelivery) async {
        do {
            try await database.write { writes in
                try writes.updateWebhookDelivery(delivery)
                guard let user = try writes.outgoingWebhook(delivery.webhookId)?.userId else { return }
                writes.publish(Topic.outgoingWebhooks(user))
            }
        } catch {
            // It is still due, so do not send it again at once.
            log.error("A webhook’s delivery could not be recorded", metadata: ["error": "\(error)"])
            try? await Task.sleep(for: Self.pauseAfterError)
        }
    }

    private func nextTime(after attempts: Int) -> Date? {
        guard Self.delays.indices.contains(attempts - 1) else { return nil }
        return clock.now() + Self.delays[attempts - 1]
    }

    /// Names neither the address, which may contain a secret, nor the answer.
    private func logFailure(of delivery: WebhookDelivery) {
        guard let error = delivery.error else { return }
        log.info(
            "A webhook’s delivery failed",
            metadata: [
                "webhook": "\(delivery.webhookId)", "delivery": "\(delivery.deliveryId)",
                "attempt": "\(delivery.attempts)", "why": "\(error)",
            ])
    }

    // MARK: One attempt

    /// Reads what an attempt needs. All is checked again, because it may have changed since the event.
    private func prepare(
        _ delivery: WebhookDelivery
    ) async throws -> (request: ClientRequest, newBody: [UInt8]?) {
        let event = events.withLock { $0[delivery.event] }
        return try await database.read { reads in
            guard let webhook = try reads.outgoingWebhook(delivery.webhookId) else {
                throw Problem.permanent("The webhook was deleted.")
            }
            guard let address = try? WebAddress(webhook.url),
                try reads.allowsWebhookOrigin(address.origin)
            else { throw Problem.permanent("The owner doesn’t allow this address any more.") }
            guard let secret = try reads.secret(of: webhook, with: sealer) else {
                throw Problem.permanent("The webhook has no secret. Create a new one.")
            }
            let stored = try reads.webhookBody(of: delivery)
            let body = try stored ?? Self.body(of: delivery, event, for: webhook.userId, reads, clock.now())
            return (request(delivery, to: address, secret, body), stored == nil ? body : nil)
        }
    }

    private static func body(
        of delivery: WebhookDelivery, _ event: WebhookEvent?, for user: UserID, _ reads: Reads, _ now: Date
    ) throws -> [UInt8] {
        let item: (any Encodable)?
        do {
            item = try event?.item(reads, delivery.subject, user, now)
        } catch RoostError.notFound { item = nil }
        guard let item else { throw Problem.permanent("It was deleted, or you can’t see it any more.") }
        let body = try WebhookEnvelope(delivery: delivery, item: item).bytes
        guard body.count <= WebhookEnvelope.maximumSize else {
            throw Problem.permanent("The event is too large to send.")
        }
        return body
    }

    private func request(
        _ delivery: WebhookDelivery, to address: WebAddress, _ secret: String, _ body: [UInt8]
    ) -> ClientRequest {
        var request = ClientRequest(
            "POST", address.text,
            headers: [
                ("Content-Type", "application/json"), ("Roost-Event", delivery.event),
                ("Roost-Delivery", delivery.deliveryId),
                ("Roost-Signature", WebhookSignature.header(of: body, secret: secret, at: clock.now())),
            ], body: body)
        request.totalTimeout = Self.timeout
        request.maximumBytes = 1 << 20
        // A name must lead to public addresses, whatever it leads to later. An address that an owner allowed is itself
        // the rule.
        request.publicAddressesOnly = true
        request.allowedAddress = IPAddress(host: address.host)
        return request
    }

    private func send(_ request: ClientRequest) async throws -> ClientResponse {
        do throws(HTTPClientError) {
            return try await client.send(request)
        } catch {
            switch error {
            case .cancelled, .shutDown: throw Problem.interrupted
            case .refusedAddress:
                throw Problem.permanent("The name leads to an address that isn’t public.")
            case .timeout: throw Problem.temporary("No answer within 10 seconds.")
            case .resolve: throw Problem.temporary("The host was not found.")
            case .connect: throw Problem.temporary("Couldn’t connect.")
            case .tls, .untrusted: throw Problem.temporary("Couldn’t connect securely.")
            case .tooLarge: throw Problem.temporary("The answer is too long.")
            default: throw Problem.temporary("No valid answer.")
            }
        }
    }

    private static func problem(of status: Int) -> String? {
        switch status {
        case 200..<300: nil
        case 300..<400: "Answered with a redirect, which Roost doesn’t follow."
        default: "Answered with status \(status)."
        }
    }

    private static func message(_ error: any Error) -> String {
        if case Problem.temporary(let why) = error { return why }
        return (error as? RoostError)?.message ?? "Something went wrong in Roost."
    }

    private static func beginning(of body: [UInt8]) -> String {
        String(decoding: body.prefix(OutgoingWebhookStore.maximumAnswer), as: UTF8.self).sanitized
    }
}
