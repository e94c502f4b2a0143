package import Foundation
import Logging
import Synchronization

/// The one refresher of prices: a batched request for all that anybody watches, and only while somebody looks.
///
/// Single flight, spread over the plan's budget, backing off with jitter; publishes `Topic.prices` at each change
/// of its state. Its owner runs `run()` in a task and cancels it.
package final class PriceFeed: Service {
    /// What came of a reader's "Try again".
    package enum Retry: Sendable, Equatable {
        case started
        /// CoinGecko asked to be left alone until then.
        case mustWait(until: Date)
    }

    /// Its times are the steady clock's; the board's and those of an error are dates.
    private struct State {
        var board = PriceBoard()
        /// But for its times.
        var status: PriceStatus
        var updatedAt: Date?
        /// When prices are asked for next; nil while nobody watches any coin.
        var nextTryAt: Date?
        /// By which the dates are to be read.
        var shift: TimeInterval
        var demandUntil = Date.distantPast
        var nextTry = Date.distantPast
        var lastAttempt = Date.distantPast
        var failures = 0
        /// Coins that a client asked for by name, beside those on lists, and until when.
        var asked: [String: Date] = [:]
    }

    /// How long one look counts as demand, in seconds: longer than a long poll, so that an open page never lapses.
    package static let attention: TimeInterval = 45
    /// New coins are asked for at once, but not more often than this, in seconds.
    private static let spacing: TimeInterval = 5
    /// The longest sleep, in seconds: the clock may be set without a word.
    private static let nap: TimeInterval = 60

    private let api: CoinGeckoAPI
    private let schedule: PriceSchedule
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let watched: @Sendable () async throws -> [String]
    private let bell = WakeUp()
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
        state = Mutex(State(status: PriceStatus(interval: interval), shift: clock.shift))
    }

    /// The name that messages carry.
    package static let source = "CoinGecko"

    /// Why the operator's own interval is unwise, if it is.
    package var warning: String? { schedule.warning }

    package var snapshot: PriceSnapshot {
        followClock()
        let now = clock.now()
        let budget = calls.budget
        return state.withLock { state in
            var status = state.status
            // Of the same reading of the clock as the board's dates.
            status.updatedAt = state.updatedAt.map { $0 + state.shift }
            status.nextTryAt = state.nextTryAt.map { $0 + state.shift }
            status.callsLeft = budget?.left
            return PriceSnapshot(board: state.board, status: status, now: now)
        }
    }

    /// The clock may have been set since the last look: what is shown moves with it, and a wait that was reckoned with
    /// the wrong month is reckoned again.
    private func followClock() {
        let (now, shift) = (clock.steady(), clock.shift)
        let budget = calls.budget
        state.withLock { state in
            guard shift != state.shift else { return }
            state.board.move(by: shift - state.shift)
            state.status.error = state.status.error?.moved(by: shift - state.shift)
            state.shift = shift
            guard state.failures == 0, state.nextTryAt != nil else { return }
            state.status.interval = schedule.interval(at: now + shift, calls: 1, budget: budget)
            state.nextTry = min(state.nextTry, now + state.status.interval)
            state.nextTryAt = state.nextTry
        }
    }

    /// Says that somebody looks, so that prices are kept fresh for a while.
    package func want() {
        let now = clock.steady()
        let wasIdle = state.withLock { state in
            let wasIdle = state.demandUntil < now
            state.demandUntil = now + Self.attention
            return wasIdle
        }
        if wasIdle { bell.ring() }
    }

    /// Says that somebody looks at these coins, and has the ones without a price fetched at once.
    package func want(_ ids: [String]) {
        let now = clock.steady()
        state.withLock { state in
            state.demandUntil = now + Self.attention
            for id in ids { state.asked[id] = now + Self.attention }
            let isMissing = ids.contains { state.board[$0] == nil && !state.board.unlisted.contains($0) }
            // After a failure the back-off decides: a page that is looked at must not cut it short.
            guard isMissing, state.failures == 0 else { return }
            // On a counted plan only what was saved up pays for an early request.
            let isPaidFor = calls.budget?.hasSavings(at: clock.now()) ?? true
            let spacing = isPaidFor ? Self.spacing : state.status.interval
            let soon = max(now, state.lastAttempt + spacing, calls.blockedUntil)
            state.nextTry = min(state.nextTry, soon)
            state.nextTryAt = state.nextTry
        }
        bell.ring()
    }

    /// A reader's wish to try now; a wait that CoinGecko asked for is kept.
    package func retry() -> Retry {
        let now = clock.steady()
        let outcome = state.withLock { state -> Retry in
            let blockedUntil = calls.blockedUntil
            if blockedUntil > now { return .mustWait(until: clock.date(of: blockedUntil)) }
            state.demandUntil = now + Self.attention
            state.nextTry = min(state.nextTry, max(now, state.lastAttempt + 2))
            return .started
        }
        bell.ring()
        return outcome
    }

    package func invalidate(_ id: String) { state.withLock { $0.board.invalidate(id) } }

    package func invalidateAll() { state.withLock { $0.board.invalidateAll() } }

    /// Refreshes when it is due and somebody looks, until cancelled.
    package func run() async {
        while !Task.isCancelled {
            followClock()
            let now = clock.steady()
            let wait = state.withLock { state -> TimeInterval? in
                state.demandUntil < now ? nil : state.nextTry.timeIntervalSince(now)
            }
            switch wait {
            case nil: await bell.wait()
            case .some(let seconds) where seconds > 0:
                await bell.wait(atMost: .seconds(min(seconds, Self.nap)))
            default: await refresh()
            }
        }
    }

    /// Asks for all that is watched, once, and takes the answer or the failure in.
    package func refresh() async {
        let now = clock.steady()
        do {
            let ids = try await idsToAsk(at: now)
            guard !ids.isEmpty else { return rest(at: now) }
            begin(at: now)
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
            succeed(with: ids)
        } catch is CancellationError {
            return
        } catch {
            fail((error as? CoinGeckoAPI.Failure) ?? .init(error: .unknown("\(error)"), detail: "\(error)"))
        }
        feed.publish(Topic.prices)
    }

    private func idsToAsk(at now: Date) async throws -> [String] {
        let listed = try await watched()
        let asked = state.withLock { state in
            state.asked = state.asked.filter { $0.value > now }
            return state.asked.keys
        }
        return Set(listed).union(asked).sorted()
    }

    /// Nobody watches any coin: nothing is asked until the next look.
    private func rest(at now: Date) {
        state.withLock { state in
            state.board.keep(only: [])
            let interval = state.status.interval
            state.nextTry = now + (Self.isBehind(state, asked: []) ? Self.spacing : interval)
            state.nextTryAt = nil
        }
    }

    private func begin(at now: Date) {
        let tells = state.withLock { state in
            state.lastAttempt = now
            state.status.isLoading = true
            return state.failures > 0
        }
        if tells { feed.publish(Topic.prices) }
    }

    private func succeed(with ids: [String]) {
        let now = clock.steady()
        let requests = (ids.count + CoinGeckoAPI.pageSize - 1) / CoinGeckoAPI.pageSize
        let interval = schedule.interval(at: clock.now(), calls: requests, budget: calls.budget)
        let asked = Set(ids)
        state.withLock { state in
            state.board.keep(only: asked)
            state.failures = 0
            state.nextTry = now + (Self.isBehind(state, asked: asked) ? Self.spacing : interval)
            state.updatedAt = now
            state.status.error = nil
            state.status.isLoading = false
            state.status.interval = interval
            state.nextTryAt = state.nextTry
        }
    }

    /// True when a coin was wished for while the request was on its way: its turn is soon, not in an interval.
    private static func isBehind(_ state: State, asked ids: Set<String>) -> Bool {
        state.asked.keys.contains { !ids.contains($0) }
    }

    private func fail(_ failure: CoinGeckoAPI.Failure) {
        guard !Task.isCancelled else { return }
        log.warning("Prices could not be fetched", metadata: ["why": "\(failure.detail)"])
        followClock()
        let now = clock.steady()
        state.withLock { state in
            state.failures += 1
            let wait = schedule.backOff(
                failures: state.failures, failure: failure, jitter: .random(in: 0.8...1.2))
            state.nextTry = now + wait
            if failure.asksToWait { calls.block(until: state.nextTry) }
            state.status.error = failure.error
            state.status.isLoading = false
            state.nextTryAt = state.nextTry
        }
    }
}
