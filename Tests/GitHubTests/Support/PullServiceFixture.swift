import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import GitHub
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// Accounts that a test connects and disconnects itself, each with a script.
final class ScriptedAccounts: PullAccounts {
    private struct State {
        var accounts: [GitHubAccount] = []
        var clients: [GitHubAccountID: PullScript] = [:]
    }

    private let state = Mutex(State())

    var all: [GitHubAccount] { state.withLock { $0.accounts } }
    func accounts(of user: UserID) -> [GitHubAccount] { all.filter { $0.userId == user } }
    func client(of id: GitHubAccountID) -> (any GitHubClient)? {
        state.withLock { state in
            state.accounts.first { $0.id == id }?.state == .authenticated ? state.clients[id] : nil
        }
    }

    func actClient(of id: GitHubAccountID) -> (any GitHubActClient)? {
        state.withLock { state in
            state.accounts.first { $0.id == id }?.state == .authenticated ? state.clients[id] : nil
        }
    }

    /// Tests call `accountsChanged` or `refreshDue`.
    func listen(_ listener: @escaping @Sendable (UserID) -> Void) {}

    func connect(
        _ id: GitHubAccountID, to script: PullScript, for user: UserID, host: String = "github.com",
        scopes: Set<String> = ["repo", "read:org"]
    ) {
        let account = GitHubAccount(
            id: id, userId: user, host: host, login: "ada", state: .authenticated, scopes: scopes,
            connectedAt: TestClock.start)
        state.withLock { state in
            state.accounts.removeAll { $0.id == id }
            state.accounts.append(account)
            state.clients[id] = script
        }
    }

    func disconnect(_ id: GitHubAccountID) {
        state.withLock { state in state.accounts.removeAll { $0.id == id } }
    }

    func change(_ id: GitHubAccountID, _ change: (inout GitHubAccount) -> Void) {
        state.withLock { state in
            for place in state.accounts.indices where state.accounts[place].id == id {
                change(&state.accounts[place])
            }
        }
    }
}

/// The inbox with scripted accounts, and a database, a clock and a log of its own.
final class PullServiceFixture: Sendable {
    let accounts = ScriptedAccounts()
    let clock = TestClock()
    let log = LogCapture()
    let feed = ChangeFeed()
    let statements = StatementTrace()
    /// The first account's GitHub; it is connected from the start.
    let gitHub = PullScript()
    let pulls: PullService
    let actions: PullActions
    let audit: AuditLog
    let database: DatabasePool
    let folder: String
    let user: UserID = 1
    let other: UserID = 2

    init(in folder: String) async throws {
        self.folder = folder
        database = try await MigratedDatabase.openForTwo(in: folder, statements)
        pulls = PullService(
            accounts: accounts, database: RoostSupport.Database(database, feed: feed, log: log.logger),
            feed: feed, clock: clock.wallClock, log: log.logger)
        audit = AuditLog(database: pulls.database, clock: clock.wallClock, log: log.logger)
        actions = PullActions(pulls: pulls, audit: audit)
        accounts.connect(1, to: gitHub, for: user)
    }

    var inbox: Inbox { get async throws { try await pulls.inbox(of: user) } }
    var source: InboxSource? { get async throws { try await inbox.sources.first } }

    /// The numbers of a section's pull requests, in order.
    func numbers(_ section: String, of user: UserID? = nil) async throws -> [Int] {
        try await pulls.inbox(of: user ?? self.user).sections.first { $0.id == section }?.items.map(
            \.pull.number) ?? []
    }

    func item(_ number: Int, in section: String = "turn") async throws -> InboxItem? {
        try await inbox.sections.first { $0.id == section }?.items.first { $0.pull.number == number }
    }

    func pressure(_ number: Int) async throws -> InboxItem.Pressure? {
        let inbox = try await inbox
        return try await item(number)?.pressure(inbox.choices, at: inbox.now)
    }

    func refresh() async { await pulls.refresh(user) }

    /// Replaces the first account's GitHub with a simulated one that uses the same clock.
    func simulateGitHub() -> GitHubSimulation {
        let simulation = GitHubSimulation(
            seed: 7, clock: SimulatorClock { [clock] in Int(clock.now.timeIntervalSince1970 * 1_000) })
        gitHub.set(teams: Set(SimulatedCast.teams(of: "ada").map(\.combinedSlug)))
        gitHub.ask(simulation)
        return simulation
    }

    /// Adds the first account's row, to which stored details belong.
    func storeAccount() async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO github_accounts (id, user_id, host, login, connected_at)
                    VALUES (1, 1, 'github.com', 'ada', 0)
                    """)
        }
    }

    /// A new service over the same database, as after a restart.
    func restarted() -> PullService {
        PullService(
            accounts: accounts, database: RoostSupport.Database(database, feed: feed, log: log.logger),
            feed: feed, clock: clock.wallClock, log: log.logger)
    }
}

extension PullActor {
    /// A user in a browser.
    static func browser(of user: UserID) -> PullActor {
        PullActor(user: user, name: "ada", client: ClientInfo(address: "192.168.1.7"))
    }
}

extension PullActions {
    func perform(
        _ act: PullAct, id: String, on key: PullKey, as account: GitHubAccountID? = nil, for user: UserID
    ) async throws -> PullActResult {
        try await perform(act, id: id, on: key, as: account, by: .browser(of: user))
    }
}

@discardableResult
func withPulls<Value>(_ body: (PullServiceFixture) async throws -> Value) async throws -> Value {
    try await withFolder { folder in
        let fixture = try await PullServiceFixture(in: folder)
        let result: Result<Value, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        try fixture.database.close()
        return try result.get()
    }
}
