package import Foundation
import Logging
import Synchronization

/// The one refresher of prices: a batched request for all that anybody watches, and only while somebody looks.
///
/// Single flight, spread over the plan's budget, backing off with jitter; publishes `Topic.prices` at each change
/// of its state. Its owner runs `run()` in a task and cancels it.
package final class PriceRefresher: Service, RefreshSource {
    package enum Question: Sendable { case prices }

    /// Its times are the steady clock's; the board's and those of an error are dates.
    private struct State {
        var board = PriceTable()
        /// Seconds between two refreshes.
        var interval: Double
        var updatedAt: Date?
        /// The coins of the last request.
        var ids: Set<String> = []
        /// By which the dates are to be read.
        var shift: TimeInterval
        var lastAttempt = Date.distantPast
        /// Coins that a client asked for by name, beside those on lists, and until when.
        var asked: [String: Date] = [:]
    }

    /// How long one look counts as demand, in seconds: longer than a long poll, so that an open page never lapses.
    package static let demandLifetime: TimeInterval = 45
    /// New coins are asked for at once, but not more often than this, in seconds.
    private static let spacing: TimeInterval = 5
    /// And a click asks again no sooner than this after the last request, in seconds.
    private static let clickSpacing: TimeInterval = 2

    private let api: CoinGeckoAPI
    private let schedule: PriceSchedule
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let watched: @Sendable () async throws -> [String]
    private let refresher: Refresher<Question>
    private let state: Mutex<State>

    init(
        api: CoinGeckoAPI, schedule: PriceSchedule, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger, watched: @escaping @Sendable () async throws -> [String]
    ) {
        self.api = api
        self.schedule = schedule
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
        self.watched = watched
        let interval = schedule.interval(at: clock.now(), calls: 1, budget: calls.budget)
        state = Mutex(State(interval: interval, shift: clock.shift))
        refresher = Refresher(clock: clock, backoff: PriceSchedule.backoff)
    }

    /// The name that messages carry.
    package static let source = "CoinGecko"

    /// Why the operator's own interval is unwise, if it is.
    package var warning: String? { schedule.warning }

    package var snapshot: PriceSnapshot {
        followClock()
        let now = clock.now()
        let budget = calls.budget
        let refreshStatus = refresher.status(of: .prices)
        return state.withLock { state in
            var status = PriceStatus(interval: state.interval)
            // Of the same reading of the clock as the board's dates.
            status.updatedAt = state.updatedAt.map { $0 + state.shift }
            status.error = refreshStatus.failure?.error
            status.callsLeft = budget?.left
            if let budget, budget.left < Self.requests(for: state.ids.count) {
                status.usedUpUntil = CallBudget.month(of: now).end
                status.monthlyCalls = budget.monthlyCalls
            }
            guard !state.ids.isEmpty else {
                // Without a watched coin there is no next request.
                return PriceSnapshot(board: state.board, status: status, now: now)
            }
            status.isLoading = refreshStatus.isRunning || refreshStatus.isClicked
            status.nextTryAt = refreshStatus.nextTryAt.map { $0 + state.shift }
            status.refreshTimeout = timeout(of: refreshStatus, state).map { $0 + state.shift }
            return PriceSnapshot(board: state.board, status: status, now: now)
        }
    }

    /// When the refresh under way, or due at this moment, times out; nil where it comes too late to be in time.
    private func timeout(of refreshStatus: Refresher<Question>.Status, _ state: State) -> Date? {
        guard refreshStatus.isLoading, let updatedAt = state.updatedAt else { return nil }
        let now = clock.steady()
        let hasBegun = refreshStatus.isRunning && state.lastAttempt > updatedAt
        let start = hasBegun ? state.lastAttempt : now
        guard start.timeIntervalSince(updatedAt) <= PriceStatus.latestRefresh(interval: state.interval)
        else { return nil }
        return start + CoinGeckoAPI.timeout * Double(Self.requests(for: state.ids.count))
    }

    /// How many requests so many coins take.
    private static func requests(for coins: Int) -> Int {
        max(1, (coins + CoinGeckoAPI.pageSize - 1) / CoinGeckoAPI.pageSize)
    }

    /// The clock may have been set since the last look: what is shown moves with it, and a wait that was reckoned with
    /// the wrong month is reckoned again.
    private func followClock() {
        let (now, shift) = (clock.steady(), clock.shift)
        let budget = calls.budget
        let interval = state.withLock { state -> TimeInterval? in
            guard shift != state.shift else { return nil }
            state.board.move(by: shift - state.shift)
            state.shift = shift
            guard !state.ids.isEmpty else { return nil }
            state.interval = schedule.interval(at: now + shift, calls: 1, budget: budget)
            return state.interval
        }
        if let interval { refresher.advance(.prices, to: now + interval) }
    }

    /// Says that somebody looks, so that prices are kept fresh for a while.
    package func want() {
        followClock()
        refresher.watch(.prices, for: Self.demandLifetime)
    }

    /// Says that somebody looks at these coins, and has those fetched at once that were not asked for yet.
    ///
    /// What CoinGecko was asked for and had no answer to, or none that makes sense, waits for its turn as all others.
    package func want(_ ids: [String]) {
        want()
        let now = clock.steady()
        let soon = state.withLock { state -> Date? in
            for id in ids { state.asked[id] = now + Self.demandLifetime }
            guard !state.ids.isSuperset(of: ids) else { return nil }
            // On a counted plan only what was saved up pays for an early request.
            let isPaidFor = calls.budget?.hasSavings(at: clock.now()) ?? true
            let spacing = isPaidFor ? Self.spacing : state.interval
            return max(now, state.lastAttempt + spacing, calls.blockedUntil)
        }
        if let soon { refresher.advance(.prices, to: soon) }
    }

    /// A reader's wish to try now; a wait that CoinGecko asked for is kept.
    package func retry() -> RetryOutcome {
        if let until = snapshot.status.usedUpUntil { return .mustWait(until: until) }
        let blockedUntil = calls.blockedUntil
        if blockedUntil > clock.steady() { return .mustWait(until: clock.date(of: blockedUntil)) }
        want()
        let lastAttempt = state.withLock { $0.lastAttempt }
        refresher.request(.prices, .click, notBefore: lastAttempt + Self.clickSpacing)
        // So that pages show that it is being tried.
        feed.publish(Topic.prices)
        return .started
    }

    package func invalidate(_ id: String) { state.withLock { $0.board.invalidate(id) } }

    package func invalidateAll() { state.withLock { $0.board.invalidateAll() } }

    /// Refreshes when it is due and somebody looks, until cancelled.
    package func run() async { await refresher.run(self) }

    /// Asks for all that is watched, once, and takes the answer or the failure in.
    package func refresh() async { await refresher.perform(.prices, self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        let now = clock.steady()
        let ids = try await idsToAsk(at: now)
        state.withLock { state in
            state.ids = Set(ids)
            if ids.isEmpty { state.board.keep(only: []) } else { state.lastAttempt = now }
        }
        guard !ids.isEmpty else { return .again(after: state.withLock { $0.interval }) }
        let requests = Self.requests(for: ids.count)
        await calls.load()
        if let budget = calls.budget, budget.left < requests {
            let interval = schedule.interval(at: clock.now(), calls: requests, budget: budget)
            state.withLock { $0.interval = interval }
            return .again(after: interval)
        }
        if refresher.status(of: .prices).failures > 0 { feed.publish(Topic.prices) }
        for start in stride(from: 0, to: ids.count, by: CoinGeckoAPI.pageSize) {
            let part = Array(ids[start..<min(start + CoinGeckoAPI.pageSize, ids.count)])
            let answer = try await calls.count(1) { try await self.api.markets(ids: part) }
            // One coin may be gone; that all of several are is no answer to believe.
            guard part.count < 2 || !answer.quotes.isEmpty || answer.refused != .init() else {
                throw CoinGeckoAPI.Failure(
                    error: .invalidResponse(statusCode: 200), detail: "none of \(part.count) coins")
            }
            let fetchedAt = clock.steady()
            state.withLock {
                $0.board.take(
                    answer.quotes, asked: part, refused: answer.refused, at: fetchedAt + $0.shift)
            }
        }
        let interval = schedule.interval(at: clock.now(), calls: requests, budget: calls.budget)
        let updatedAt = clock.steady()
        state.withLock { state in
            state.board.keep(only: state.ids)
            state.updatedAt = updatedAt
            state.interval = interval
        }
        return .again(after: interval)
    }

    private func idsToAsk(at now: Date) async throws -> [String] {
        let listed = try await watched()
        let asked = state.withLock { state in
            state.asked = state.asked.filter { $0.value > now }
            return state.asked.keys
        }
        return Set(listed).union(asked).sorted()
    }

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        let (isResting, isBehind) = state.withLock { state in
            (state.ids.isEmpty, state.asked.keys.contains { !state.ids.contains($0) })
        }
        if let failure {
            log.warning("Prices could not be fetched", metadata: ["why": "\(failure)"])
            // What asked to be left alone is left alone by the coin list too.
            calls.block(until: refresher.status(of: .prices).blockedUntil)
        } else if isBehind {
            // A coin was wished for while the request was on its way: its turn is soon, not in an interval.
            refresher.advance(.prices, to: clock.steady() + Self.spacing)
        }
        if !isResting || failure != nil { feed.publish(Topic.prices) }
    }
}
