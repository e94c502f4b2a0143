import Accounts
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct OutgoingWebhookTests {
    private struct Thing: Encodable {
        let name: String
    }

    private static let happened = WebhookEvent.Name(rawValue: "thing.happened")

    /// An owner's webhook that leads to a server of the test.
    private struct Setting {
        let fixture: ServicesFixture
        let receiver: ScriptedUpstream
        let owner: User
        let webhook: OutgoingWebhook
        let secret: String

        var service: OutgoingWebhookService { fixture.services.webhooks }
        var user: UserID { owner.userId }

        func happen(_ subject: String) async throws {
            try await fixture.services.database.write { [user, now = fixture.clock.now] writes in
                try writes.queueWebhooks(happened, about: subject, for: user, at: now)
            }
        }

        /// Newest first.
        var log: [WebhookDelivery] {
            get async throws {
                try await fixture.services.database.read { reads in
                    try service.deliveries(reads, of: webhook.id, for: user, limit: 1_000)
                }
            }
        }

        func only() async throws -> WebhookDelivery {
            let log = try await log
            #expect(log.count == 1)
            return try #require(log.first)
        }
    }

    private static func register(_ service: OutgoingWebhookService) {
        service.register([
            WebhookEvent(happened, "A thing happens") { _, subject, _, _ in
                subject == "gone" ? nil : Thing(name: subject)
            }
        ])
    }

    private func withWebhook(
        _ script: @escaping ScriptedUpstream.Script = { _ in .init(body: "thanks") },
        _ test: (Setting) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            let receiver = try ScriptedUpstream(script)
            defer { receiver.stop() }
            let service = fixture.services.webhooks
            Self.register(service)
            let owner = try await fixture.services.owner()
            let origin = "http://127.0.0.1:\(receiver.port)"
            try await service.allow(origin, by: owner.username, from: .commandLine)
            let added = try await service.add(
                url: origin + "/hidden-path", events: [Self.happened.rawValue], for: owner.userId)
            try await test(
                Setting(
                    fixture: fixture, receiver: receiver, owner: owner, webhook: added.webhook,
                    secret: added.secret))
        }
    }

    @Test func `the signature covers the time and the body`() {
        let header = WebhookSignature.header(
            of: Array("{}".utf8), secret: "secret", at: Date(timeIntervalSince1970: 1_700_000_000.9))
        // hmac.new(b"secret", b"1700000000.{}", "sha256") in Python
        #expect(
            header
                == "t=1700000000,v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163")
    }

    @Test func `an event is sent once, signed, in an envelope`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            await setting.service.sendDue()
            let delivery = try await setting.only()
            #expect(setting.receiver.requests.count == 1)
            let request = try #require(setting.receiver.requests.first)
            #expect(request.method == "POST")
            #expect(request.target == "/hidden-path")
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["roost-event"] == "thing.happened")
            #expect(request.headers["roost-delivery"] == delivery.deliveryId)
            #expect(
                request.headers["roost-signature"]
                    == WebhookSignature.header(
                        of: Array(request.body.utf8), secret: setting.secret, at: setting.fixture.clock.now))
            #expect(
                request.body == """
                    {"createdAt":"2026-11-10T12:00:00Z","data":{"name":"one"},\
                    "deliveryId":"\(delivery.deliveryId)","event":"thing.happened"}
                    """)
            #expect(delivery.state == .delivered)
            #expect(delivery.status == 200)
            #expect(delivery.answer == "thanks")
        }
    }

    @Test func `a failed delivery is repeated with longer and longer waits, then given up`() async throws {
        try await withWebhook { _ in
            .init(status: 500)
        } _: { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            for (index, wait) in [10.0, 60, 600, 3_600, 21_600].enumerated() {
                #expect(try await setting.only().state == .waiting)
                setting.fixture.clock.advance(wait - 1)
                await setting.service.sendDue()
                #expect(setting.receiver.requests.count == index + 1)
                setting.fixture.clock.advance(2)
                await setting.service.sendDue()
                #expect(setting.receiver.requests.count == index + 2)
            }
            let delivery = try await setting.only()
            #expect(delivery.state == .failed)
            #expect(delivery.attempts == 6)
            #expect(delivery.error == "Answered with status 500.")
            setting.fixture.clock.advance(86_400)
            await setting.service.sendDue()
            #expect(setting.receiver.requests.count == 6)
            #expect(Set(setting.receiver.requests.map { $0.headers["roost-delivery"] }).count == 1)
        }
    }

    @Test func `a delivery can be sent again with its id and its body`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            setting.fixture.clock.advance(5)
            let delivery = try await setting.only()
            try await setting.service.sendAgain(
                delivery.deliveryId, of: setting.webhook.id, by: setting.user)
            await setting.service.sendDue()
            let requests = setting.receiver.requests
            #expect(requests.count == 2)
            #expect(Set(requests.map { $0.headers["roost-delivery"] }).count == 1)
            #expect(Set(requests.map(\.body)).count == 1)
            #expect(Set(requests.map { $0.headers["roost-signature"] }).count == 2)
        }
    }

    @Test func `a redirect is not followed`() async throws {
        try await withWebhook { _ in
            .init(status: 302, headers: ["Location: /elsewhere"])
        } _: { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            #expect(setting.receiver.requests.map(\.target) == ["/hidden-path"])
            let delivery = try await setting.only()
            #expect(delivery.status == 302)
            #expect(delivery.state == .waiting)
        }
    }

    @Test(arguments: [
        "https://example.org/", "http://127.0.0.1/", "http://127.0.0.1:1/", "ftp://127.0.0.1/", "nonsense",
        "http://user@127.0.0.1/", "http://127.0.0.1:1@example.org/",
    ])
    func `an address that no owner allows is refused`(url: String) async throws {
        try await withWebhook { setting in
            let error = await #expect(throws: RoostError.self) {
                try await setting.service.add(
                    url: url, events: [Self.happened.rawValue], for: setting.user)
            }
            guard case .invalid("url", _) = error else { return #expect(Bool(false), "\(url)") }
            let count = try await setting.fixture.services.database.read {
                try setting.service.webhooks($0, of: setting.user).count
            }
            #expect(count == 1)
        }
    }

    @Test(arguments: [
        "localhost", "http://localhost:9000", "https://example.org/path", "", "ftp://a.example",
    ])
    func `an owner can allow only addresses that Roost can check`(text: String) async throws {
        try await withWebhook { setting in
            await #expect(throws: RoostError.self) {
                try await setting.service.allow(text, by: "ada", from: .commandLine)
            }
        }
    }

    @Test func `nothing is sent to an address that is no longer allowed`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            let origin = try #require(
                try await setting.fixture.services.database.read { try setting.service.origins($0) }.first)
            try await setting.service.disallow(origin.id, by: "ada", from: .commandLine)
            await setting.service.sendDue()
            #expect(setting.receiver.connections == 0)
            #expect(try await setting.only().state == .failed)
        }
    }

    @Test func `an allowed name that leads to this machine is refused`() async throws {
        try await withWebhook { setting in
            let origin = "http://localhost:\(setting.receiver.port)"
            try setting.fixture.change(
                "INSERT INTO webhook_origins (origin, created_at) VALUES ('\(origin)', 1)")
            try await setting.service.change(setting.webhook.id, url: origin + "/", of: setting.user)
            try await setting.happen("one")
            await setting.service.sendDue()
            #expect(setting.receiver.requests.isEmpty)
            let delivery = try await setting.only()
            #expect(delivery.state == .failed)
            #expect(delivery.error == "The name leads to an address that isn’t public.")
        }
    }

    @Test func `an event about something that is gone is not sent`() async throws {
        try await withWebhook { setting in
            try await setting.happen("gone")
            await setting.service.sendDue()
            #expect(setting.receiver.connections == 0)
            #expect(try await setting.only().state == .failed)
        }
    }

    @Test func `what is deleted after it was sent leaves no text in the queue`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            try await setting.fixture.services.database.write { writes in
                try writes.eraseWebhooks(Self.happened, or: Self.happened, about: "one")
            }
            #expect(try setting.fixture.sql(Int.self, "SELECT count(body) FROM webhook_deliveries") == [0])
        }
    }

    @Test func `a webhook that is off gets nothing new, and what waits when it is on again`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            try await setting.service.change(setting.webhook.id, isOn: false, of: setting.user)
            try await setting.happen("two")
            await setting.service.sendDue()
            #expect(setting.receiver.connections == 0)
            await #expect(throws: RoostError.self) {
                try await setting.service.sendTest(to: setting.webhook.id, by: setting.user)
            }
            try await setting.service.change(setting.webhook.id, isOn: true, of: setting.user)
            await setting.service.sendDue()
            #expect(setting.receiver.requests.count == 1)
            #expect(try await setting.only().state == .delivered)
        }
    }

    @Test func `the queue outlives a restart`() async throws {
        try await withFolder { folder in
            let receiver = try ScriptedUpstream { _ in .init() }
            defer { receiver.stop() }
            let origin = "http://127.0.0.1:\(receiver.port)"
            let first = try ServicesFixture(in: folder)
            Self.register(first.services.webhooks)
            let user = try await first.services.owner().userId
            try await first.services.webhooks.allow(origin, by: "ada", from: .commandLine)
            _ = try await first.services.webhooks.add(
                url: origin, events: [Self.happened.rawValue], for: user)
            try await first.services.database.write { [now = first.clock.now] writes in
                try writes.queueWebhooks(Self.happened, about: "one", for: user, at: now)
            }
            try first.end()
            let second = try ServicesFixture(in: folder)
            Self.register(second.services.webhooks)
            await second.services.webhooks.sendDue()
            #expect(receiver.requests.map(\.target) == ["/"])
            try second.end()
        }
    }

    @Test func `a running sender sends a new event without being asked`() async throws {
        try await withWebhook { setting in
            let sender = Task { await setting.service.run() }
            try await setting.happen("one")
            try await wait(for: "the request") { setting.receiver.requests.count == 1 }
            try await wait(for: "the log") { try await setting.only().state == .delivered }
            try await setting.happen("two")
            try await wait(for: "the second request") { setting.receiver.requests.count == 2 }
            sender.cancel()
            await sender.value
        }
    }

    @Test func `a deleted user leaves no webhook, delivery or secret`() async throws {
        try await withWebhook { setting in
            try await setting.happen("one")
            try setting.fixture.change("DELETE FROM users WHERE id = \(setting.user)")
            await setting.service.sendDue()
            #expect(setting.receiver.connections == 0)
            for table in [
                "outgoing_webhooks", "outgoing_webhook_events", "webhook_deliveries", "webhook_subjects",
                "sealed_secrets",
            ] {
                #expect(try setting.fixture.sql(Int.self, "SELECT count(*) FROM \(table)") == [0], "\(table)")
            }
        }
    }

    @Test func `a deleted webhook leaves no secret`() async throws {
        try await withWebhook { setting in
            #expect(try setting.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [1])
            try await setting.service.remove(setting.webhook.id, of: setting.user)
            #expect(try setting.fixture.sql(Int.self, "SELECT count(*) FROM sealed_secrets") == [0])
        }
    }

    @Test func `the log has neither the secret nor the address, and the disk no secret`() async throws {
        try await withWebhook { _ in
            .init(status: 500, body: "private answer")
        } _: { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            let lines = setting.fixture.log.lines
            #expect(lines.contains { $0.contains("A webhook’s delivery failed") })
            for text in [setting.secret, "hidden-path", "private answer"] {
                #expect(!lines.contains { $0.contains(text) }, "\(text)")
            }
            for file in ["roost.sqlite", "roost.sqlite-wal"] {
                let path = setting.fixture.folder + "/" + file
                guard FileManager.default.fileExists(atPath: path) else { continue }
                let bytes = try Data(contentsOf: URL(filePath: path))
                #expect(bytes.range(of: Data(setting.secret.utf8)) == nil, "\(file)")
            }
        }
    }

    @Test func `the log keeps a limited number of deliveries for a week`() async throws {
        try await withWebhook { setting in
            try await setting.fixture.services.database.write { [now = setting.fixture.clock.now] writes in
                for number in 1...OutgoingWebhookStore.maximumDeliveries + 5 {
                    try writes.queueWebhooks(
                        Self.happened, about: "\(number)", for: setting.user, at: now)
                }
            }
            var log = try await setting.log
            #expect(log.count == OutgoingWebhookStore.maximumDeliveries)
            #expect(log.last?.subject == "6")
            setting.fixture.clock.advance(8 * 86_400)
            try await setting.service.trim()
            log = try await setting.log
            #expect(log.isEmpty)
        }
    }

    @Test func `the kept answer is the beginning of a long one`() async throws {
        try await withWebhook { _ in
            .init(body: String(repeating: "a", count: 5_000))
        } _: { setting in
            try await setting.happen("one")
            await setting.service.sendDue()
            #expect(try await setting.only().answer == String(repeating: "a", count: 1_024))
        }
    }

    @Test func `a state is announced when it begins, not when the webhook is made or Roost restarts`()
        async throws
    {
        try await withWebhook { setting in
            func note(_ subjects: [String], loading: String? = nil) async throws {
                try await setting.fixture.services.database.write {
                    [now = setting.fixture.clock.now] writes in
                    try writes.queueWebhooks(
                        Self.happened, aboutNew: subjects,
                        isLoading: loading.map { host in { $0.hasPrefix(host) } }, for: setting.user, at: now)
                }
            }
            try await note(["a/1", "b/1"])
            #expect(try await setting.log.isEmpty)
            try await note(["a/1", "a/2"], loading: "b/")
            #expect(try await setting.log.map(\.subject) == ["a/2"])
            try await note(["a/2", "b/1"])
            #expect(try await setting.log.map(\.subject) == ["a/2"])
            try await note(["a/1", "a/2", "b/1"])
            #expect(try await setting.log.map(\.subject) == ["a/1", "a/2"])
        }
    }

    @Test func `another user finds neither the webhook nor its log`() async throws {
        try await withWebhook { setting in
            let stranger = setting.user + 1
            await #expect(throws: RoostError.self) {
                try await setting.service.remove(setting.webhook.id, of: stranger)
            }
            await #expect(throws: RoostError.self) {
                try await setting.service.change(setting.webhook.id, isOn: false, of: stranger)
            }
            await #expect(throws: RoostError.self) {
                try await setting.service.renewSecret(of: setting.webhook.id, by: stranger)
            }
            await #expect(throws: RoostError.self) {
                try await setting.fixture.services.database.read { reads in
                    try setting.service.deliveries(reads, of: setting.webhook.id, for: stranger)
                }
            }
        }
    }
}
