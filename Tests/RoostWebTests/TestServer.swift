import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

/// A complete Roost for one test: simulated upstreams, a database in a temporary folder, a server on a free port.
final class TestServer: Sendable {
    let simulator: Simulator
    let services: Services
    let server: WebServer
    /// Ada, who is signed in and sends all requests by default; anonymous if the server starts without users.
    let ada: Guest
    let accessLines: AccessLines
    private let client: HTTPClient
    let folder: String

    final class AccessLines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    static let password = "a lantern over water"
    /// In place of the one in the lock's file.
    static let probeSecret = "what only the folder's owner can read"

    var owner: User { ada.user }

    /// Starts a server, runs the test, and always shuts the server down.
    static func with(
        site: WebContext.Configuration = TestServer.site, clock: WallClock = WallClock(),
        isEmpty: Bool = false,
        configure: (inout Services.Configuration) -> Void = { _ in },
        _ test: (TestServer) async throws -> Void
    ) async throws {
        let testServer = try await TestServer(site, clock, isEmpty, configure)
        do {
            try await test(testServer)
        } catch {
            await testServer.close()
            throw error
        }
        await testServer.close()
    }

    private init(
        _ site: WebContext.Configuration, _ clock: WallClock, _ isEmpty: Bool,
        _ configure: (inout Services.Configuration) -> Void
    ) async throws {
        simulator = try Simulator(SimulatorConfiguration(listedCoins: 2_000))
        try simulator.start()
        folder = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
        try MigratedDatabase.put(into: folder)
        client = HTTPClient(userAgent: "Roost/test")
        var configuration = Services.Configuration(dataFolder: folder)
        configuration.coinGeckoURL = simulator.coinGeckoURL
        configuration.gitHub.hosts = GitHubHosts(
            apiURL: simulator.gitHubAPIURL, webURL: simulator.gitHubURL)
        configuration.priceInterval = 1
        configuration.passwordCost = .cheap
        configure(&configuration)
        var log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        log.logLevel = .critical
        services = try Services(configuration, client: client, clock: clock, log: log)
        let lines = AccessLines()
        accessLines = lines
        var options = WebServer.Options()
        options.access = { lines.add($0.text) }
        options.probeSecret = Self.probeSecret
        server = try await WebServer(site, services: services, options: options, log: log)
        ada = isEmpty ? .anonymous : try await Guest.signUp("ada", as: .owner, services)
        let known = services.market.catalog
        try await eventually("the coin list is loaded") { known.count > 0 }
    }

    static var site: WebContext.Configuration {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        return WebContext.Configuration(publicFolder: root + "/Public", version: "test")
    }

    private func close() async {
        await simulator.clear()
        try? await server.stop()
        await simulator.stop()
        client.shutdown()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sends a request as Ada or another user. Does not follow redirects.
    func send(
        _ method: String = "GET", _ path: String, headers: [(String, String)] = [], body: String? = nil,
        as guest: Guest? = nil
    ) async throws -> ClientResponse {
        let request = ClientRequest(
            method, "http://\(server.address)\(path)",
            headers: (guest ?? ada).headers(toward: path) + headers,
            body: body.map { Array($0.utf8) })
        let answer = try await client.send(request)
        APIAnswers.check(answer, to: method, path, in: server.routes)
        return answer
    }

    func send(bytes: [UInt8], to path: String, headers: [(String, String)]) async throws -> ClientResponse {
        let answer = try await client.send(
            ClientRequest("POST", "http://\(server.address)\(path)", headers: headers, body: bytes))
        APIAnswers.check(answer, to: "POST", path, in: server.routes)
        return answer
    }

    func post(
        _ path: String, form: String = "", headers: [(String, String)] = [], as guest: Guest? = nil
    ) async throws -> ClientResponse {
        let type = ("Content-Type", "application/x-www-form-urlencoded")
        return try await send("POST", path, headers: [type] + headers, body: form, as: guest)
    }

    func json(
        _ method: String, _ path: String, _ body: String, headers: [(String, String)] = [],
        as guest: Guest? = nil
    ) async throws -> ClientResponse {
        let type = ("Content-Type", "application/json")
        return try await send(method, path, headers: [type] + headers, body: body, as: guest)
    }

    /// Returns whether any file of the data folder contains this text.
    func isOnDisk(_ text: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder).contains { file in
            let path = folder + "/" + file
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { return false }
            return try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Adds coins to Ada's list and waits for their prices.
    func watch(_ coins: String...) async throws {
        for coin in coins { try await services.market.watchlist.add(coin, to: owner.userId) }
        let prices = services.market.prices
        try await eventually("the prices are loaded") {
            prices.watch()
            return coins.allSatisfy { prices.snapshot.table[$0] != nil }
        }
    }
}

/// Waits up to forty seconds until the condition is true. Only a machine under load needs that long.
func eventually(
    _ what: String, within limit: Duration = .seconds(40), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("Timed out waiting until \(what).")
}

extension ClientResponse {
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// The items of a list in a JSON answer.
    var items: [[String: Any]] { object["items"] as? [[String: Any]] ?? [] }

    /// A string of the JSON error object: code, message or field.
    func error(_ name: String) -> String? {
        (object["error"] as? [String: Any])?[name] as? String
    }
}
