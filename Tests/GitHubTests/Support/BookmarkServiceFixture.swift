import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

final class ScriptedSource: BookmarkSource, StarSource {
    private struct State {
        var known: [RepositoryName: RepositoryItem] = [:]
        var items: [RepositoryName: Result<RepositoryItem, RoostError>] = [:]
        var answers: [RepositoryName: Result<RepositoryDetailService.Refreshed, GitHubFailure>] = [:]
        var otherAnswer = Result<RepositoryDetailService.Refreshed, GitHubFailure>.success(.missing)
        var stars: [String: Result<StarredPage, GitHubFailure>] = [:]
        var asked: [String] = []
        var during: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// "item ada/one", "refresh 1 ada/one" (with the user), "stars 1 PATH".
    var asked: [String] { state.withLock { $0.asked } }

    /// The refreshes among the requests.
    var refreshed: [String] { asked.filter { $0.hasPrefix("refresh") } }

    /// Makes these known without a request to GitHub.
    func know(_ items: RepositoryItem...) {
        state.withLock { state in
            for item in items { state.known[name(item.fullName)] = item }
        }
    }

    func set(_ full: String, to item: Result<RepositoryItem, RoostError>) {
        state.withLock { $0.items[name(full)] = item }
    }

    func refresh(_ full: String, gives answer: Result<RepositoryDetailService.Refreshed, GitHubFailure>) {
        state.withLock { $0.answers[name(full)] = answer }
    }

    /// GitHub's answer about all repositories without one of their own.
    func refreshOthers(gives answer: Result<RepositoryDetailService.Refreshed, GitHubFailure>) {
        state.withLock { $0.otherAnswer = answer }
    }

    func star(_ path: String = "", _ page: Result<StarredPage, GitHubFailure>) {
        state.withLock { $0.stars[path] = page }
    }

    /// Runs while a request to GitHub is under way.
    func during(_ work: (@Sendable () async -> Void)?) { state.withLock { $0.during = work } }

    func storedItem(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem? {
        state.withLock { $0.known[name] }
    }

    func item(named name: RepositoryName, for user: UserID) async throws -> RepositoryItem {
        let found = state.withLock { state in
            state.asked.append("item \(name)")
            return state.items[name] ?? state.known[name].map { .success($0) }
        }
        return try
            (found ?? .failure(.notFound("This repository does not exist, or you have no access to it.")))
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
        // A name from the test; a misspelt one shows up as "no/body".
        RepositoryName(full) ?? BookmarkFixture.nobody
    }
}

enum BookmarkFixture {
    /// The literal is a valid name.
    // swift-format-ignore: NeverForceUnwrap
    static let nobody = RepositoryName("no/body")!

    static func name(_ full: String) -> RepositoryName { RepositoryName(full) ?? nobody }

    /// - Parameter stars: nil for a row of a list, without detail
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

/// Bookmarks with a scripted GitHub, and a database, a clock and a log of their own.
final class BookmarkServiceFixture: Sendable {
    let source = ScriptedSource()
    let clock = TestClock()
    let log = LogCapture()
    let feed = ChangeFeed()
    let statements = StatementTrace()
    let accounts = RepositoryAskers()
    let parts: BookmarkParts
    let database: DatabasePool
    private let work: RoostSupport.Database
    let undos: Undos
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
        database = try await MigratedDatabase.openForTwo(in: folder, statements)
        work = RoostSupport.Database(database, feed: feed, clock: clock.wallClock, log: log.logger)
        undos = Undos(database: work, clock: clock.wallClock)
        for user in [ada, grace] { accounts.set(RepositoryScript(), for: user) }
        parts = Self.parts(source, work, limit, accounts, clock, log)
        try await parts.load()
    }

    private static func parts(
        _ source: ScriptedSource, _ database: RoostSupport.Database, _ limit: Int,
        _ accounts: RepositoryAskers, _ clock: TestClock, _ log: LogCapture
    ) -> BookmarkParts {
        var configuration = BookmarkParts.Configuration(accounts)
        configuration.limit = limit
        configuration.minimumInterval = .zero
        return BookmarkParts(
            source: source, stars: source, database: database, configuration: configuration,
            clock: clock.wallClock, log: log.logger)
    }

    /// New services over the same database, as after a restart.
    func restarted() async throws -> BookmarkParts {
        let work = RoostSupport.Database(database, feed: feed, clock: clock.wallClock, log: log.logger)
        let parts = Self.parts(source, work, limit, accounts, clock, log)
        try await parts.load()
        return parts
    }

    /// Refreshes all due bookmarks; false if there were none.
    @discardableResult
    func refreshDue() async -> Bool {
        let before = source.refreshed.count
        await refresher.runUntilIdle()
        return source.refreshed.count > before
    }

    /// Reports these as fetched from GitHub; private ones go to `owner`.
    func tell(_ items: RepositoryItem..., to owner: UserID? = nil) async throws {
        try await work.write { [now = clock.now] writes in
            let records = items.map { RepositoryRecord(item: $0, viewer: owner, usedAt: now) }
            try RepositoryCatalog.put(records, at: now, in: writes)
        }
    }

    /// The repositories that bookmarks keep from being deleted.
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

    /// The user's bookmarked repositories among the first thousand ids.
    func marked(_ user: UserID? = nil) async throws -> Set<RepositoryID> {
        try await bookmarks.database.read { try bookmarks.marked($0, Array(1...1_000), by: user ?? ada) }
    }

    /// Bookmarks a known repository.
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

    /// The number of changes to the user's list since the start.
    func version(_ user: UserID? = nil) -> Int { feed.version(of: [Topic.bookmarks(user ?? ada)]) }

    func read(_ file: String, for user: UserID? = nil) async throws -> ImportReport {
        try await files.read(Array(file.utf8), for: user ?? ada)
    }

    /// Adds this many bookmarks with an import, which is fast.
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
