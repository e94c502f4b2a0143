import Foundation
import Logging
import RoostSupport
import Synchronization

/// Fetches one pull request with one account.
struct PullDetailsJob: Hashable, Sendable {
    let account: GitHubAccountID
    let key: PullKey
}

/// The refreshes of pull requests that someone looks at, for all accounts.
final class PullDetailsRefresh: Sendable {
    /// Seconds between two refreshes of an open page.
    static let interval: TimeInterval = 60
    /// After this many seconds, a page that is opened does not wait for the reserve.
    static let openingAge: TimeInterval = 300
    /// How long a pull request counts as missing after GitHub said so.
    private static let missingLifetime = Duration.seconds(600)
    private static let maximumMissing = 2_000
    /// Opened pages whose jobs are kept.
    private static let capacity = 2_000
    /// Of one account at the same time.
    private static let maximumRunning = 2

    let refresher: Refresher<PullDetailsJob>
    let fetcher: PullDetailsFetcher
    private let clock: WallClock
    private let missing = Mutex<[PullDetailsJob: ContinuousClock.Instant]>([:])

    init(clock: WallClock, log: Logger) {
        self.clock = clock
        fetcher = PullDetailsFetcher(clock: clock, log: log)
        refresher = Refresher(clock: clock, backoff: .gitHub, capacity: Self.capacity) { job, running in
            running.count { $0.account == job.account } < Self.maximumRunning
        }
    }

    func isMissing(_ job: PullDetailsJob) -> Bool {
        let now = clock.steady()
        return missing.withLock { $0[job].map { now - $0 < Self.missingLifetime } ?? false }
    }

    func setMissing(_ isMissing: Bool, _ job: PullDetailsJob) {
        let now = clock.steady()
        missing.withLock { missing in
            if missing.count >= Self.maximumMissing {
                missing = missing.filter { now - $0.value < Self.missingLifetime }
                if missing.count >= Self.maximumMissing { missing = [:] }
            }
            missing[job] = isMissing ? now : nil
        }
    }

    func forget(_ account: GitHubAccountID) {
        refresher.forget { $0.account == account }
        fetcher.forget(account)
        missing.withLock { missing in missing = missing.filter { $0.key.account != account } }
    }
}

struct PullDetailsSource: RefreshSource {
    unowned let service: PullService

    private var clock: WallClock { service.clock }
    private var refresh: PullDetailsRefresh { service.detailsRefresh }

    /// Costs one point, or up to six requests by REST.
    private static let cost = 2
    private static let retryInterval = Duration.seconds(5)

    /// When background requests resume after GitHub asked for a pause, or because only the reserve is left. Nil if they
    /// need not wait.
    static func pausedUntil(
        _ client: any GitHubClient, _ refresh: PullDetailsRefresh, _ account: GitHubAccountID, at now: Date
    ) -> Date? {
        let resource = refresh.fetcher.resource(of: account)
        return client.blockedUntil(resource)
            ?? PullSchedule.pausedUntil(cost: cost, budget: client.budgets[resource], at: now)
    }

    func refresh(_ job: PullDetailsJob) async throws -> RefreshOutcome {
        guard let account = service.accounts.all.first(where: { $0.id == job.account }) else { return .done }
        guard let client = service.accounts.client(of: account.id) else {
            // GitHub has not confirmed the account yet.
            return .postponed(until: clock.steady() + Self.retryInterval, unlessClicked: true)
        }
        let isClicked = refresh.refresher.status(of: job).isClicked
        let resource = refresh.fetcher.resource(of: account.id)
        if !isClicked, let until = Self.pausedUntil(client, refresh, account.id, at: clock.now()) {
            return .postponed(until: clock.instant(of: until), unlessClicked: true)
        }
        let fetched = try await refresh.fetcher.details(
            of: job.key, as: account, client, isClicked ? .click : .background)
        // The account may have been disconnected, or have another token.
        guard service.accounts.client(of: account.id) === client else { throw CancellationError() }
        refresh.setMissing(fetched == nil, job)
        let stored = try fetched.map { try StoredPullDetails($0, of: job.key) }
        try await service.database.write { writes in
            if let stored {
                try writes.putPullDetails(stored, as: job.account)
            } else {
                try writes.removePullDetails(of: job.key, as: job.account)
            }
        }
        guard fetched != nil else { return .done }
        let interval = PullSchedule.interval(
            isWatched: true, cost: Self.cost, budget: client.budgets[resource], at: clock.now())
        return .again(after: .seconds(interval))
    }

    /// Publishes each refresh, because the page shows its age.
    func ended(_ job: PullDetailsJob, _ failure: (any UpstreamFailure)?) async {
        if let failure {
            let detail = (failure as? GitHubFailure)?.detail ?? "\(failure.error)"
            service.log.warning("A pull request could not be fetched", metadata: ["why": "\(detail)"])
        }
        guard let user = service.accounts.all.first(where: { $0.id == job.account })?.userId else { return }
        service.feed.publish(service.topic(of: job.key, for: user))
    }
}
