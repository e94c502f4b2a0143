import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

/// GitHub's repositories as a test says they are.
final class ScriptedSource: BookmarkSource, StarSource {
    private struct State {
        var known: [RepositoryName: RepositoryItem] = [:]
        var items: [RepositoryName: Result<RepositoryItem, RoostError>] = [:]
        var answers: [RepositoryName: Result<RepositoryDetailService.Refreshed, GitHubFailure>] = [:]
        var otherAnswer = Result<RepositoryDetailService.Refreshed, GitHubFailure>.success(.gone)
        var stars: [String: Result<StarredPage, GitHubFailure>] = [:]
        var asked: [String] = []
        var during: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// "item ada/one", "refresh 1 ada/one" (with the user), "stars 1 PATH".
    var asked: [String] { state.withLock { $0.asked } }

    /// The questions about bookmarks.
    var refreshed: [String] { asked.filter { $0.hasPrefix("refresh") } }

    /// Known here without asking GitHub.
    func know(_ items: RepositoryItem...) {
        state.withLock { state in
            for item in items { state.known[name(item.fullName)] = item }
        }
    }

    /// GitHub has it.
    func set(_ full: String, to item: Result<RepositoryItem, RoostError>) {
        state.withLock { $0.items[name(full)] = item }
    }

    func refresh(_ full: String, gives answer: Result<RepositoryDetailService.Refreshed, GitHubFailure>) {
        state.withLock { $0.answers[name(full)] = answer }
    }

    /// What GitHub says of all that the test has not named.
    func refreshOthers(gives answer: Result<RepositoryDetailService.Refreshed, GitHubFailure>) {
        state.withLock { $0.otherAnswer = answer }
    }

    func star(_ path: String = "", _ page: Result<StarredPage, GitHubFailure>) {
        state.withLock { $0.stars[path] = page }
    }

    /// Runs while GitHub is being asked.
    func during(_ work: (@Sendable () async -> Void)?) { state.withLock { $0.during = work } }

    func known(_ name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        state.withLock { $0.known[name] }
    }

    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        let found = state.withLock { state in
            state.asked.append("item \(name)")
            return state.items[name] ?? state.known[name].map { .success($0) }
        }
        return try (found ?? .failure(.notFound("There is no such repository, or none that you may see.")))
            .get()
    }

    func refresh(_ name: RepositoryName, for user: UserID) async throws -> RepositoryDetailService.Refreshed {
        let (answer, during) = state.withLock { state in
            state.asked.append("refresh \(user) \(name)")
            return (state.answers[name] ?? state.otherAnswer, state.during)
        }
        await during?()
        return try answer.get()
    }

    func starred(_ path: String?, for user: UserID) async throws -> StarredPage {
        let (page, during) = state.withLock { state in
            state.asked.append("stars \(user) \(path ?? "")")
            return (state.stars[path ?? ""], state.during)
        }
        await during?()
        return try (page ?? .failure(GitHubFailure(error: .networkUnavailable))).get()
    }

    private func name(_ full: String) -> RepositoryName {
        // A test's own word for a repository; a slip shows at once as one that is nowhere.
        RepositoryName(full) ?? BookmarkFixture.nobody
    }
}

/// Repositories for tests.
enum BookmarkFixture {
    /// Two plain words always make a name.
    // swift-format-ignore: NeverForceUnwrap
    static let nobody = RepositoryName("no/body")!

    static func name(_ full: String) -> RepositoryName { RepositoryName(full) ?? nobody }

    /// - Parameter stars: nil: a row of a list, without detail
    static func item(
        _ id: RepositoryID, _ full: String, stars: Int? = 100, language: String? = "Swift",
        archived: Bool = false, isPrivate: Bool = false, description: String? = "A thing",
        fetchedAt: Date = TestClock.start, homepage: String? = nil, parent: String? = nil,
        nodeId: String? = "R_"
    ) throws -> RepositoryItem {
        let name = name(full)
        let owner = try Owner(
            login: name.owner, type: .user, avatarURL: "https://avatars.githubusercontent.com/u/\(id)")
        let repository = try Repository(
            id: id, nodeId: nodeId.map { "\($0)\(id)" }, name: name.name, fullName: full, owner: owner,
            description: description, fork: parent != nil, htmlURL: "https://github.com/\(full)",
            isPrivate: isPrivate)
        let day = Date(timeIntervalSince1970: 1_600_000_000)
        let detail = stars.map {
            RepositoryDetail(
                stars: $0, forks: 7, openIssues: 3, language: language, licence: "MIT",
                topics: ["web", "ui"],
                archived: archived, defaultBranch: "main", pushedAt: day, createdAt: day, homepage: homepage,
                parent: parent)
        }
        return RepositoryItem(
            repository: repository, detail: detail, fetchedAt: detail == nil ? nil : fetchedAt)
    }
}

/// Bookmarks over a scripted GitHub, with a database, a clock and a log of their own.
final class BookmarkServiceFixture: Sendable {
    let source = ScriptedSource()
    let clock = TestClock()
    let log = LogCapture()
    let feed = ChangeFeed()
    let statements = StatementTrace()
    let connected = Shared(true)
    let parts: BookmarkParts
    let database: DatabasePool
    let folder: String
    let limit: Int
    let ada: UserID = 1
    let grace: UserID = 2

    var bookmarks: BookmarkService { parts.bookmarks }
    var files: BookmarkFileService { parts.files }
    var stars: BookmarkStarImporter { parts.stars }
    var refresher: BookmarkRefresher { parts.refresher }

    init(in folder: String, limit: Int) async throws {
        (self.folder, self.limit) = (folder, limit)
        try MigratedDatabase.put(into: folder)
        database = try RoostSupport.Database.open(in: folder) { [statements] database in
            database.trace { statements.keep("\($0)") }
        }
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
        parts = Self.parts(source, database, limit, connected, feed, clock, log)
        try await parts.load()
    }

    private static func parts(
        _ source: ScriptedSource, _ database: DatabasePool, _ limit: Int, _ connected: Shared<Bool>,
        _ feed: ChangeFeed, _ clock: TestClock, _ log: LogCapture
    ) -> BookmarkParts {
        var configuration = BookmarkParts.Configuration(webURL: "https://github.com") { _ in
            connected.value
        }
        configuration.limit = limit
        configuration.minimumInterval = 0
        return BookmarkParts(
            source: source, stars: source, store: BookmarkStore(database: database),
            configuration: configuration, feed: feed, clock: clock.wallClock, log: log.logger)
    }

    /// The services over what these have written, as after a restart.
    func restarted() async throws -> BookmarkParts {
        let parts = Self.parts(source, database, limit, connected, feed, clock, log)
        try await parts.load()
        return parts
    }

    /// Asks about all that are due by the clock; false where none was.
    @discardableResult
    func refreshDue() async -> Bool {
        let before = source.refreshed.count
        await refresher.runUntilIdle()
        return source.refreshed.count > before
    }

    /// GitHub has told of these; what is private reaches `owner`.
    func tell(_ items: RepositoryItem..., to owner: UserID? = nil) async throws {
        let store = RepositoryStore(database: database, follower: BookmarkStore(database: database))
        let topics = try await store.put(items, owner: owner, at: clock.now)
        for topic in topics { feed.publish(topic) }
    }

    /// The repositories that bookmarks keep from being forgotten.
    func kept() async throws -> Set<RepositoryID> {
        try await database.read { database in
            try Int64.fetchSet(
                database,
                sql: """
                    SELECT id FROM repositories
                    WHERE status <> 'claimed' AND place IN (SELECT repository FROM bookmarks)
                    """)
        }
    }

    /// The repositories that the user has bookmarked, of the first thousand.
    func marked(_ user: UserID? = nil) async throws -> Set<RepositoryID> {
        try await bookmarks.marked(Array(1...1_000), by: user ?? ada)
    }

    /// Bookmarks a repository that is known here.
    @discardableResult
    func add(_ item: RepositoryItem, for user: UserID? = nil) async throws -> Bookmark {
        source.know(item)
        return try await bookmarks.add(BookmarkFixture.name(item.fullName), for: user ?? ada).1
    }

    func find(_ full: String, of user: UserID? = nil) async throws -> Bookmark? {
        try await bookmarks.bookmark(named: BookmarkFixture.name(full), of: user ?? ada)
    }

    func listing(_ query: BookmarkListing.Query = .init(), of user: UserID? = nil) async throws
        -> BookmarkListing
    {
        try await bookmarks.listing(query, for: user ?? ada)
    }

    /// Full names in the order of the list.
    func names(_ query: BookmarkListing.Query = .init(), of user: UserID? = nil) async throws -> [String] {
        try await listing(query, of: user).groups.flatMap { $0.items.map(\.fullName) }
    }

    /// How the user's list has changed since the start.
    func version(_ user: UserID? = nil) -> Int { feed.version(of: [Topic.bookmarks(user ?? ada)]) }

    func read(_ file: String, for user: UserID? = nil) async throws -> BookmarkFileService.ImportReport {
        try await files.read(Array(file.utf8), for: user ?? ada)
    }

    /// As many bookmarks as wished, by a file: fast.
    func fill(_ count: Int, for user: UserID? = nil) async throws {
        let names = (1...count).map { "\"owner\($0 % 7)/name\($0)\"" }
        _ = try await read("[\(names.joined(separator: ","))]", for: user)
    }
}

@discardableResult
func withBookmarks<Value>(limit: Int = 20_000, _ body: (BookmarkServiceFixture) async throws -> Value)
    async throws
    -> Value
{
    try await withFolder { folder in
        let fixture = try await BookmarkServiceFixture(in: folder, limit: limit)
        let result: Result<Value, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        try fixture.database.close()
        return try result.get()
    }
}
