import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import ArticleText
@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

/// Accounts that a test connects and disconnects itself.
final class RepositoryAskers: RepositoryAccounts {
    private struct State {
        var clients: [UserID: RepositoryScript] = [:]
        var hasServerToken = false
        var listeners: [@Sendable (UserID) -> Void] = []
    }

    let standardHost = GitHubHosts().standard
    let anonymous = RepositoryScript()
    private let state = Mutex(State())

    var shared: any GitHubClient { anonymous }
    var isSharedSignedIn: Bool { state.withLock { $0.hasServerToken } }
    func client(for user: UserID) -> any GitHubClient { state.withLock { $0.clients[user] } ?? anonymous }
    func hasAccount(_ user: UserID) -> Bool { state.withLock { $0.clients[user] != nil } }
    func isSignedIn(_ user: UserID) -> Bool { hasAccount(user) }
    func listen(_ listener: @escaping @Sendable (UserID) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    func set(_ client: RepositoryScript?, for user: UserID) {
        let listeners = state.withLock { state in
            state.clients[user] = client
            return state.listeners
        }
        for listener in listeners { listener(user) }
    }

    func setServerToken() { state.withLock { $0.hasServerToken = true } }
}

/// The repository services with a scripted GitHub and a database of their own, with ada and grace.
struct RepositoryServiceFixture: Sendable {
    let parts: RepositoryParts
    let accounts: RepositoryAskers
    let feed: ChangeFeed
    let clock: TestClock
    let statements: StatementTrace
    let log: LogCapture
    let database: DatabasePool
    let work: RoostSupport.Database
    let ada: UserID = 1
    let grace: UserID = 2

    var github: RepositoryScript { accounts.anonymous }
    var lists: RepositoryListService { parts.lists }
    var details: RepositoryDetailService { parts.details }
    var choices: RepositoryPreferencesService { parts.choices }
    var fetcher: RepositoryFetcher { parts.fetcher }

    init(
        database: DatabasePool, accounts: RepositoryAskers = .init(), clock: TestClock = .init(),
        statements: StatementTrace
    ) async throws {
        (self.database, self.accounts, self.clock, self.statements) = (database, accounts, clock, statements)
        feed = ChangeFeed()
        log = LogCapture()
        work = RoostSupport.Database(database, feed: feed, log: log.logger)
        parts = RepositoryParts(
            accounts: accounts, database: work, feed: feed, clock: clock.wallClock, log: log.logger)
        try await parts.load()
    }

    /// New services over the same database and GitHub, as after a restart.
    func restarted() async throws -> RepositoryServiceFixture {
        try await RepositoryServiceFixture(
            database: database, accounts: accounts, clock: clock, statements: statements)
    }

    func rows(_ table: String, where condition: String = "true") async throws -> Int {
        try await database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table) WHERE \(condition)") ?? 0
        }
    }

    /// Makes ada bookmark a known repository.
    func bookmark(_ id: RepositoryID) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO bookmarks (user_id, repository_id, repository, full_name, state, seen_name,
                        seen_state, search_text, added_at, due_at)
                    SELECT ?, id, place, full_name, 'present', full_name, 'present', search_text, 0, 9e9
                    FROM repositories WHERE id = ?
                    """, arguments: [ada, id])
        }
    }

    /// Makes all requests that are due.
    func runUntilIdle() async { await parts.refresher.runUntilIdle() }

    /// Reads the list twice: the first read starts fetching it.
    func listing(_ list: RepositoryList, pages: Int = 1, for user: UserID? = nil) async throws
        -> RepositoryListing
    {
        for _ in 0..<pages {
            _ = try await lists.listing(list, pages: pages, for: user ?? ada)
            await runUntilIdle()
        }
        return try await lists.listing(list, pages: pages, for: user ?? ada)
    }

    func view(_ name: String, for user: UserID? = nil) async throws -> RepositoryView {
        let name = try RepositoryFixture.name(name)
        _ = try await details.view(of: name, for: user ?? ada)
        await runUntilIdle()
        return try await details.view(of: name, for: user ?? ada)
    }

    /// Ten pages of a hundred, each linked from the one before.
    func script(pages: Int) {
        for page in 0..<pages {
            let since = page * 100
            github.set(
                RepositoryFixture.path(since: since), RepositoryFixture.page(after: since),
                etag: "W/\"\(since)\"",
                next: page + 1 < pages ? "/repositories?since=\(since + 100)" : nil)
        }
    }

    /// The topics published since the cursor.
    func told(since cursor: String) -> [String] {
        let news = Shared<[String]>([])
        feed.wait(
            for: [Topic.repositories, Topic.repositories(ada), Topic.repositories(grace)], after: cursor,
            atMost: .zero
        ) { heard in news.set(heard.changed) }
        return news.value
    }
}

func withRepositories(_ body: (RepositoryServiceFixture) async throws -> Void) async throws {
    try await withFolder { folder in
        let statements = StatementTrace()
        let database = try await MigratedDatabase.openForTwo(in: folder, statements)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(RepositoryServiceFixture(database: database, statements: statements)))
        } catch { result = .failure(error) }
        try database.close()
        try result.get()
    }
}

extension CleanMarkup {
    /// Stored markup as it is read back.
    static func kept(_ html: String) -> CleanMarkup {
        guard let json = try? JSONEncoder().encode(html),
            let markup = try? JSONDecoder().decode(CleanMarkup.self, from: json)
        else { preconditionFailure("A text is always one in JSON.") }
        return markup
    }
}
