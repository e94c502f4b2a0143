import Foundation

/// Something that GitHub is to be asked; `viewer` is whose account asks, nil for all who have none.
enum RepositoryJob: Hashable, Sendable {
    case page(since: RepositoryID, viewer: UserID?)
    case search(RepositorySearches.Key, page: Int)
    case detail(RepositoryName, viewer: UserID?)
    case readme(RepositoryName, viewer: UserID?)
    /// Whatever rows are on the screens of those whom this viewer stands for.
    case rows(viewer: UserID?)

    var viewer: UserID? {
        switch self {
        case .page(_, let viewer), .detail(_, let viewer), .readme(_, let viewer), .rows(let viewer): viewer
        case .search(let key, _): key.viewer
        }
    }
}

/// What is to be asked, what is being asked, and what went wrong with it until it succeeds.
struct RepositoryJobs: Sendable {
    /// How a job stands, for a page.
    struct Standing {
        var isLoading = false
        var failure: GitHubFailure?
        var nextTryAt: Date?

        /// Of the value that is to come.
        func state<Value>() -> LoadingState<Value> {
            if isLoading { return .loading }
            return failure.map { .failed($0.error) } ?? .idle
        }
    }

    private struct Record {
        var askers: [UserID: Date] = [:]
        var isWanted = false
        var isRunning = false
        var isClicked = false
        var failures = 0
        var failure: GitHubFailure?
        var nextTry = Date.distantPast
        var endedAt = Date.distantPast
        var bells: [WakeUp] = []
    }

    /// Seconds after the last look at it that a failed one is still tried again by itself, and remembered.
    private static let attention: TimeInterval = 600
    private static let memory: TimeInterval = 7_200
    private static let most = 5_000

    private var records: [RepositoryJob: Record] = [:]

    /// True when it may begin now.
    ///
    /// - Parameter isClick: somebody clicked: a wait that GitHub did not ask for is cut short
    @discardableResult
    mutating func ask(_ job: RepositoryJob, by user: UserID, at now: Date, isClick: Bool = false) -> Bool {
        if records[job] == nil, records.count >= Self.most { forgetOld(at: now) }
        guard records[job] != nil || records.count < Self.most else { return false }
        var record = records[job] ?? Record()
        if record.askers.count < 1_000 { record.askers[user] = now }
        record.isWanted = true
        if isClick {
            record.isClicked = true
            if !Self.isLimit(record.failure) { record.nextTry = .distantPast }
        }
        records[job] = record
        return !record.isRunning && record.nextTry <= now
    }

    private static func isLimit(_ failure: GitHubFailure?) -> Bool {
        if case .rateLimited = failure?.error { true } else { false }
    }

    /// Claims what may begin now. Of a page that several viewers want, one asks.
    mutating func takeDue(at now: Date) -> [RepositoryJob] {
        var pages = Set(records.compactMap { job, record in record.isRunning ? job.page : nil })
        var due: [RepositoryJob] = []
        for (job, record) in records
        where record.isWanted && !record.isRunning && record.nextTry <= now && Self.isLookedAt(record, now) {
            if let page = job.page, !pages.insert(page).inserted { continue }
            due.append(job)
            records[job]?.isRunning = true
        }
        return due
    }

    /// Claims one; false while it runs already.
    mutating func begin(_ job: RepositoryJob) -> Bool {
        guard records[job]?.isRunning == false else { return false }
        records[job]?.isRunning = true
        return true
    }

    /// When the next one wants to begin.
    func nextDue(at now: Date) -> Date? {
        let pages = Set(records.compactMap { job, record in record.isRunning ? job.page : nil })
        return records.lazy.filter { job, record in
            record.isWanted && !record.isRunning && Self.isLookedAt(record, now)
                && !(job.page.map(pages.contains) ?? false)
        }.map(\.value.nextTry).min()
    }

    private static func isLookedAt(_ record: Record, _ now: Date) -> Bool {
        record.failure == nil || record.isClicked
            || record.askers.values.contains { now.timeIntervalSince($0) < attention }
    }

    func isClicked(_ job: RepositoryJob) -> Bool { records[job]?.isClicked == true }
    func askers(of job: RepositoryJob) -> [UserID] { Array(records[job]?.askers.keys.map(\.self) ?? []) }

    func standing(_ job: RepositoryJob, at now: Date) -> Standing {
        guard let record = records[job] else { return Standing() }
        let isLoading = record.isRunning || record.isWanted && record.nextTry <= now
        return Standing(
            isLoading: isLoading, failure: record.failure,
            nextTryAt: record.failure == nil ? nil : max(record.nextTry, now))
    }

    /// GitHub, or a share of its limit, has to be waited for.
    func isBlocked(_ job: RepositoryJob, at now: Date) -> Bool {
        guard let record = records[job] else { return true }
        return !record.isRunning && record.nextTry > now
    }

    /// Rung when it has ended.
    mutating func wait(for job: RepositoryJob, by bell: WakeUp) { records[job]?.bells.append(bell) }

    /// It went well: nothing is remembered of it. Answers who waits.
    mutating func succeed(_ job: RepositoryJob) -> [WakeUp] {
        // A page is everybody's: the others need not ask for it any more.
        let others = records.keys.filter { $0 != job && $0.page != nil && $0.page == job.page }
        for other in others where records[other]?.isRunning == false { records[other] = nil }
        return records.removeValue(forKey: job)?.bells ?? []
    }

    /// It failed, or was interrupted (nil): it is tried again. Answers who waits.
    mutating func fail(
        _ job: RepositoryJob, _ failure: GitHubFailure?, at now: Date, jitter: Double
    ) -> [WakeUp] {
        guard var record = records[job] else { return [] }
        let bells = record.bells
        record.bells = []
        record.isRunning = false
        if let failure {
            record.isClicked = false
            record.failures += 1
            record.failure = failure
            record.endedAt = now
            record.nextTry =
                now + failure.backoff(failures: record.failures, jitter: jitter, at: now)
            if failure.status == 422 {
                // GitHub cannot make sense of it, and will not in a minute.
                record.isWanted = false
                record.nextTry = now + Self.attention
            }
        }
        records[job] = record
        return bells
    }

    mutating func forget(_ user: UserID) {
        for job in records.keys {
            if job.viewer == user { records[job] = nil } else { records[job]?.askers[user] = nil }
        }
    }

    private mutating func forgetOld(at now: Date) {
        records = records.filter { _, record in
            record.isRunning
                || record.failure == nil && record.isWanted
                || record.failure != nil && now.timeIntervalSince(record.endedAt) < Self.memory
        }
        guard records.count >= Self.most else { return }
        let idle = records.filter { !$0.value.isRunning }.sorted { $0.value.endedAt < $1.value.endedAt }
        for (job, _) in idle.prefix(Self.most / 2) { records[job] = nil }
    }
}

extension RepositoryJob {
    /// Of a page: where it begins.
    var page: RepositoryID? { if case .page(let since, _) = self { since } else { nil } }
}
