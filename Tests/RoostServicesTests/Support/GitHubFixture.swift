import Foundation
import GRDB
import Synchronization

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

/// Sleeps of the device flow: each puts the clock forward, or holds until it is cancelled.
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
    /// From the next one on.
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

/// All services over a scripted GitHub that stands for github.com.
struct GitHubFixture: Sendable {
    let fixture: ServicesFixture
    /// Those of the bench, unless a test has started others over its folder.
    let services: Services
    let script: GitHubScript
    let upstream: ScriptedUpstream
    let pauses: Pauses
    let ada: UserID

    var accounts: GitHubAccountService { services.gitHub }
    var clock: TestClock { fixture.clock }

    /// Connects the token, which GitHub then takes for this login.
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

    /// The services anew over the same folder and GitHub, as after a restart; GitHub has not been asked yet.
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
        try await services.prepare()
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

/// Services with a GitHub of a test's own, and ada, who has connected nothing yet.
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
    let gitHub = configuration
    try await withServices(
        plan: .keyless,
        {
            $0.passwordCost = .cheap
            $0.gitHub = gitHub
            $0.signInPause = pauses.pause
            if let trace { $0.prepareDatabase = .init { $0.trace { trace("\($0)") } } }
        }
    ) { fixture in
        pauses.use(fixture.clock)
        try await fixture.services.prepare()
        let ada = try await fixture.add("ada", .owner)
        try await body(
            GitHubFixture(
                fixture: fixture, services: fixture.services, script: script, upstream: upstream,
                pauses: pauses,
                ada: ada.userId))
    }
}

/// A session by itself over a GitHub that answers as the script says.
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

/// The failure that the work throws, nil for none.
func failure(_ work: () async throws -> Void) async throws -> GitHubFailure? {
    do {
        try await work()
        return nil
    } catch let failure as GitHubFailure {
        return failure
    }
}
