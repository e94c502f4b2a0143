import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

/// Sleeps of the device flow: each advances the clock, or holds until it is cancelled.
final class Pauses: Sendable {
    private struct State {
        var clock: TestClock?
        var all: [Double] = []
        var holds = false
        var left = 0
    }

    private let state = Mutex(State())

    var all: [Double] { state.withLock { $0.all } }
    /// How many were cancelled.
    var left: Int { state.withLock { $0.left } }

    func use(_ clock: TestClock) { state.withLock { $0.clock = clock } }
    /// Holds the sleeps from the next one on.
    func hold() { state.withLock { $0.holds = true } }

    func pause(_ seconds: Double) async throws {
        let (clock, holds) = state.withLock { state in
            state.all.append(seconds)
            return (state.clock, state.holds)
        }
        if holds { try? await Task.sleep(for: .seconds(60)) }
        if Task.isCancelled {
            state.withLock { $0.left += 1 }
            throw CancellationError()
        }
        clock?.advance(seconds)
    }
}

/// All services with a scripted GitHub in place of github.com.
struct GitHubFixture: Sendable {
    let fixture: ServicesFixture
    /// The fixture's services, unless a test has started others over its folder.
    let services: Services
    let script: GitHubScript
    let upstream: ScriptedUpstream
    let pauses: Pauses
    let ada: UserID

    var accounts: GitHubAccountService { services.gitHub.accounts }
    var clock: TestClock { fixture.clock }

    /// Connects the token, which GitHub then accepts for this login.
    @discardableResult
    func connect(_ token: String = GitHubFixture.token, as login: String = "octocat") async throws
        -> GitHubAccount
    {
        script.set(token, to: .init(login: login))
        return try await accounts.connect(token: token, host: nil, for: ada, from: Cast.desk)
    }

    func over(_ services: Services) -> GitHubFixture {
        GitHubFixture(
            fixture: fixture, services: services, script: script, upstream: upstream, pauses: pauses, ada: ada
        )
    }

    /// New services over the same folder and GitHub, as after a restart; GitHub has not been contacted yet.
    func restarted(
        _ body: (GitHubFixture, LogCapture) async throws -> Void
    ) async throws {
        let client = HTTPClient(userAgent: "Roost/test")
        defer { client.shutdown() }
        var configuration = Services.Configuration(dataFolder: fixture.folder)
        configuration.passwordCost = .cheap
        configuration.gitHub.hosts = accounts.hosts
        let log = LogCapture()
        let services = try Services(
            configuration, client: client, clock: clock.wallClock, log: log.logger)
        try await services.load()
        let result: Result<Void, any Error>
        do { result = .success(try await body(over(services), log)) } catch { result = .failure(error) }
        try services.close()
        try result.get()
    }

    func account(_ id: GitHubAccountID) -> GitHubAccount? { accounts.all.first { $0.id == id } }

    func requests(to target: String) -> [ScriptedUpstream.Request] {
        upstream.requests.filter { $0.target == target }
    }

    static let token = "ghp_aVerySecretTokenOfAda"
}

/// Services with a GitHub of the test's own, and ada, who has no account connected yet.
func withGitHub(
    clientID: String? = "Iv1.roost", clientSecret: String? = "aVerySecretOfTheApp",
    enterprise: [String] = [], trace: (@Sendable (String) -> Void)? = nil,
    _ body: (GitHubFixture) async throws -> Void
) async throws {
    let script = GitHubScript()
    let upstream = try ScriptedUpstream(script.answer)
    defer { upstream.stop() }
    let pauses = Pauses()
    var configuration = GitHubConfiguration()
    configuration.hosts = GitHubHosts(apiURL: upstream.url, enterprise: enterprise)
    configuration.clientID = clientID
    configuration.clientSecret = clientSecret
    configuration.signInPause = pauses.pause
    let gitHub = configuration
    try await withServices(
        plan: .keyless,
        {
            $0.passwordCost = .cheap
            $0.gitHub = gitHub
            if let trace { $0.prepareDatabase = .init { $0.trace { trace("\($0)") } } }
        }
    ) { fixture in
        pauses.use(fixture.clock)
        try await fixture.services.load()
        let ada = try await fixture.add("ada", .owner)
        try await body(
            GitHubFixture(
                fixture: fixture, services: fixture.services, script: script, upstream: upstream,
                pauses: pauses,
                ada: ada.userId))
    }
}

/// A single session with a GitHub that follows the script.
func withSession(
    isTrusted: Bool = true, webURL: String? = nil, _ script: @escaping ScriptedUpstream.Script,
    _ body: (GitHubSession, ScriptedUpstream, TestClock) async throws -> Void
) async throws {
    let upstream = try ScriptedUpstream(script)
    let client = HTTPClient(userAgent: "Roost/test")
    defer {
        client.shutdown()
        upstream.stop()
    }
    let clock = TestClock()
    let web = "http://127.0.0.1:\(upstream.port)"
    let host = GitHubHost(
        name: "github.com", apiURL: upstream.url, graphQLURL: web + "/api/graphql",
        webURL: webURL ?? web, isTrusted: isTrusted)
    let session = GitHubSession(
        account: 1, host: host, login: "octocat",
        token: try GitHubToken(value: GitHubFixture.token, createdAt: clock.now, scopes: [], now: clock.now),
        api: GitHubAPI(client: client, clock: clock.wallClock))
    try await body(session, upstream, clock)
}

/// The failure that the work throws, or nil.
func failure(_ work: () async throws -> Void) async throws -> GitHubFailure? {
    do {
        try await work()
        return nil
    } catch let failure as GitHubFailure {
        return failure
    }
}

extension MigratedDatabase {
    /// Opens the database in the folder, made if it is missing, with ada (1) and grace (2).
    static func openForTwo(in folder: String, _ statements: StatementTrace) async throws -> DatabasePool {
        try put(into: folder)
        let database = try RoostSupport.Database.open(in: folder) { $0.trace { statements.keep("\($0)") } }
        try await database.write { database in
            for (id, name) in [(1, "ada"), (2, "grace")] {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO users (id, username, name_key, role, created_at)
                        VALUES (?, ?, ?, 'member', 0)
                        """,
                    arguments: [id, name, name])
            }
        }
        return database
    }
}
