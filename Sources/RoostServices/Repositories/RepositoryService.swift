package import Foundation
package import Logging
import Synchronization

/// GitHub's repositories: lists, details and READMEs from memory and SQLite, fetched in the background.
package final class RepositoryService: Service {
    /// What became of a reader's wish to try now.
    package enum Retry: Equatable, Sendable {
        case started
        case mustWait(until: Date)
    }

    /// Makes of GitHub's HTML what a page may show.
    package typealias Cleaning =
        @Sendable (_ html: Data, _ repository: Repository, _ branch: String, _ host: GitHubHost) -> Readme

    /// Bounds and times; in seconds where they are times.
    enum Rules {
        static let mostPages = 20
        static let mostDetails = 50_000
        static let mostReadmes = 2_000
        static let freshDetail: TimeInterval = 3_600
        static let freshRow: TimeInterval = 7 * 86_400
        /// What GitHub says is not there, or not to be seen, is asked for again after it.
        static let gone: TimeInterval = 600
        /// The same of a row: nobody has clicked on it.
        static let goneRow: TimeInterval = 86_400
        /// A click does not fetch again what has just come.
        static let justNow: TimeInterval = 5
        static let longestWait = Duration.seconds(10)
        static let tidying: TimeInterval = 600
        static let useStep: TimeInterval = 86_400
        static let mostOldNames = 5_000
        static let mostJobs = 5_000
    }

    struct Name: Hashable {
        let name: RepositoryName
        let viewer: UserID?
    }

    /// Its times are the steady clock's.
    struct State {
        var pages = RepositoryListCache()
        var searches = RepositorySearches()
        /// Who is told when a job has ended.
        var askers: [RepositoryJob: Set<UserID>] = [:]
        var wishes = PrefetchQueue()
        var lanes: [UserID?: RepositoryRequestQueue] = [:]
        /// What GitHub says is not there, with the time until which that holds.
        var gone: [Name: Date] = [:]
        var goneRows: [RepositoryKey: Date] = [:]
        /// How many pages of which list a user has looked at last.
        var looked: [UserID: (list: RepositoryList, pages: Int)] = [:]
        /// Earlier names of renamed ones, in lower case.
        var oldNames: [String: RepositoryID] = [:]
        /// Looked at, and not noted in SQLite yet.
        var used: Set<RepositoryID> = []
        var nextTidying = Date.distantPast
    }

    let accounts: any RepositoryAccounts
    let store: RepositoryStore
    let publisher: ThrottledPublisher
    let clean: Cleaning
    let heavyWork: HeavyWorkQueue
    let clock: WallClock
    let log: Logger
    let refresher: Refresher<RepositoryJob>
    /// What is learned is taken in one answer after the other.
    let learning = PrioritySemaphore()
    let state = Mutex(State())

    /// - Parameter clean: what may be shown of a README
    package init(
        accounts: any RepositoryAccounts, store: RepositoryStore, feed: ChangeFeed,
        heavyWork: HeavyWorkQueue = HeavyWorkQueue(), clock: WallClock, log: Logger,
        clean: @escaping Cleaning
    ) {
        self.heavyWork = heavyWork
        self.accounts = accounts
        self.store = store
        self.clean = clean
        self.clock = clock
        self.log = log
        publisher = ThrottledPublisher(feed: feed)
        refresher = RepositoryRefreshSource.refresher(clock)
        accounts.listen { [weak self] user in self?.accountsChanged(of: user) }
    }

    /// Who asks for this user, and whose what comes back is.
    func lane(for user: UserID) -> RepositoryRequestQueue {
        let talk = accounts.talk(for: user)
        return lane(talk === accounts.shared ? nil : user, talk)
    }

    /// Nil when this viewer has no account any more.
    func lane(of viewer: UserID?) -> RepositoryRequestQueue? {
        guard let viewer else { return lane(nil, accounts.shared) }
        let lane = lane(for: viewer)
        return lane.viewer == viewer ? lane : nil
    }

    private func lane(_ viewer: UserID?, _ talk: any GitHubClient) -> RepositoryRequestQueue {
        let isSignedIn = viewer != nil || accounts.isSharedSignedIn
        return state.withLock { state in
            if let lane = state.lanes[viewer], lane.talk === talk, lane.isSignedIn == isSignedIn {
                return lane
            }
            let lane = RepositoryRequestQueue(
                talk: talk, viewer: viewer, isSignedIn: isSignedIn, clock: clock)
            state.lanes[viewer] = lane
            return lane
        }
    }

    /// How many requests for repositories wait behind the one that is on its way, where this user's are asked.
    package func waiting(for user: UserID) -> Int { lane(for: user).waiting }

    /// Has a job done, as soon as may be.
    func ask(_ job: RepositoryJob, by user: UserID, isClick: Bool = false) {
        state.withLock { state in
            if state.askers.count >= Rules.mostJobs { state.askers.removeAll() }
            if state.askers[job, default: []].count < 1_000 { state.askers[job, default: []].insert(user) }
        }
        refresher.watch(job, for: RepositoryRefreshSource.attention)
        if isClick { refresher.request(job, .click) }
    }

    /// With dates to show.
    func standing(_ job: RepositoryJob) -> RepositoryRefreshSource.JobStatus {
        let status = refresher.status(of: job)
        let failure = status.failure as? GitHubFailure
        let next = max(status.nextTryAt ?? .distantPast, clock.steady()) + clock.shift
        return RepositoryRefreshSource.JobStatus(
            isLoading: status.isLoading, failure: failure, nextTryAt: failure == nil ? nil : next)
    }

    func tellAskers(of job: RepositoryJob, isDone: Bool) {
        let askers = state.withLock { state in
            defer { if isDone { state.askers[job] = nil } }
            return state.askers[job] ?? []
        }
        publisher.publish(askers.map { Topic.repositories($0) })
    }

    // MARK: Choices

    package func choices(of user: UserID, for list: RepositoryChoices.List) async throws
        -> RepositoryChoices
    {
        try await store.choices(of: user, for: list)
    }

    /// Answers after the commit.
    package func choose(
        _ choices: RepositoryChoices, for list: RepositoryChoices.List, of user: UserID
    ) async throws {
        try await choose(for: list, of: user) { $0 = choices }
    }

    /// Changes them as they are when it is this change's turn. Answers after the commit.
    package func choose(
        for list: RepositoryChoices.List, of user: UserID,
        _ change: @escaping @Sendable (inout RepositoryChoices) -> Void
    ) async throws {
        do {
            try await store.choose(for: list, of: user) { choices in
                change(&choices)
                let ids = choices.collapsed.filter { (1...120).contains($0.utf8.count) }
                choices.collapsed = ids.count > 200 ? Set(ids.sorted().prefix(200)) : ids
            }
        } catch {
            log.error("How a list is shown could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error)
                ?? .unavailable("The database did not take it. Please try again.")
        }
        publisher.publishNow(list == .browse ? Topic.repositories(user) : Topic.bookmarks(user))
    }

    // MARK: What is known

    /// What is known of these, by one statement.
    func records(_ ids: [RepositoryID], for viewer: UserID?) async throws -> [RepositoryID: RepositoryRecord]
    {
        let records = try await store.records(ids, for: viewer)
        note(used: records.values)
        return records
    }

    /// By its name or an earlier one, in any case of letters.
    func record(named name: RepositoryName, for viewer: UserID?) async throws -> RepositoryRecord? {
        let word = name.description.lowercased()
        if let record = try await store.record(named: word, for: viewer) {
            note(used: CollectionOfOne(record))
            return record
        }
        guard let id = state.withLock({ $0.oldNames[word] }) else { return nil }
        return try await records([id], for: viewer)[id]
    }

    /// A look is written down once a day: it keeps a repository from being forgotten to make room.
    private func note(used records: some Sequence<RepositoryRecord>) {
        let now = clock.now()
        let used = records.filter { ModelTime.isOver($0.usedAt, lifetime: Rules.useStep, now: now) }
        if !used.isEmpty { state.withLock { $0.used.formUnion(used.map(\.item.id)) } }
    }

    /// What was called so before.
    func note(old name: RepositoryName, of id: RepositoryID) {
        state.withLock { state in
            if state.oldNames.count >= Rules.mostOldNames { state.oldNames.removeAll() }
            state.oldNames[name.description.lowercased()] = id
        }
    }

    // MARK: Coming and going

    /// The user is gone, and the rows with him.
    package func forget(_ user: UserID) {
        forgetJobs(of: user)
        state.withLock { state in
            state.wishes.forget(user)
            state.searches.forget(user)
            state.lanes[user] = nil
            state.looked[user] = nil
            state.gone = state.gone.filter { $0.key.viewer != user }
            state.goneRows = state.goneRows.filter { $0.key.viewer != user }
        }
    }

    private func forgetJobs(of user: UserID) {
        refresher.forget { $0.viewer == user }
        state.withLock { state in
            state.askers = state.askers.filter { $0.key.viewer != user }.mapValues { $0.subtracting([user]) }
        }
    }

    /// Whoever has no account any more has nothing that only it could see.
    private func accountsChanged(of user: UserID) {
        publisher.publish([Topic.repositories(user)])
        guard !accounts.hasAccount(user) else { return }
        forgetJobs(of: user)
        state.withLock { state in
            state.searches.forget(user)
            state.lanes[user] = nil
        }
        Task { [store, log] in
            do { try await store.removeAll(of: user) } catch {
                log.error("Private repositories could not be forgotten", metadata: ["error": "\(error)"])
            }
        }
    }
}
