import Foundation
import RoostSupport
import Synchronization

final class GitHubLimits: Sendable {
    private struct State {
        var budgets: [String: (budget: RateBudget, resetAt: ContinuousClock.Instant)] = [:]
        var blocks: [String: ContinuousClock.Instant] = [:]
        var everythingUntil = ContinuousClock.Instant.distantPast
        /// The number of limits in a row that named no time.
        var guesses = 0
        var outcomes = GitHubOutcomes()
        var lastSuccess: ContinuousClock.Instant?
    }

    /// The longest wait after limits without a time, in seconds.
    private static let maximumGuess = 3_600.0
    private static let maximumResources = 30

    private let clock: WallClock
    private let state = Mutex(State())

    init(clock: WallClock) {
        self.clock = clock
    }

    var budgets: [String: RateBudget] {
        state.withLock { $0.budgets }.mapValues { $0.budget.resetting(at: clock.date(of: $0.resetAt)) }
    }

    func blockedUntil(_ resource: String) -> Date? {
        let now = clock.steady()
        let until = state.withLock { max($0.everythingUntil, $0.blocks[resource] ?? .distantPast) }
        return until > now ? clock.date(of: until) : nil
    }

    var outcomes: GitHubOutcomes {
        var (outcomes, lastSuccess) = state.withLock { ($0.outcomes, $0.lastSuccess) }
        outcomes.lastSuccess = lastSuccess.map(clock.date)
        return outcomes
    }

    /// Records a success and its budget, if it has one. An exhausted budget blocks the resource until its reset.
    ///
    /// - Parameter isReadable: false if the body is not what was requested, which counts as a failure
    func note(_ budget: RateBudget?, isReadable: Bool) {
        let now = clock.steady()
        state.withLock { state in
            state.guesses = 0
            if isReadable {
                state.lastSuccess = now
                state.outcomes.lastError = nil
            } else {
                state.outcomes.count(.invalidResponse(statusCode: 200), status: 200)
            }
            store(budget, &state)
        }
    }

    /// Records a failure and its pause. Returns it with the wait that applies now.
    func note(_ failure: GitHubFailure, resource: String) -> GitHubFailure {
        let (date, now) = (clock.now(), clock.steady())
        return state.withLock { state in
            state.outcomes.count(failure.error, status: failure.status)
            store(failure.budget, &state)
            guard failure.limitScope != .none else { return failure }
            var wait = failure.retryAfter ?? GitHubFailure.minimumPenalty
            if failure.isGuess {
                wait = min(wait * pow(2, Double(min(state.guesses, 10))), Self.maximumGuess)
                state.guesses += 1
            }
            var adjusted = GitHubFailure(
                error: .rateLimited(resetDate: date + wait), retryAfter: wait, status: failure.status,
                detail: failure.detail)
            (adjusted.limitScope, adjusted.isGuess, adjusted.budget) = (
                failure.limitScope, failure.isGuess, failure.budget
            )
            if failure.limitScope == .everything {
                state.everythingUntil = max(state.everythingUntil, now + .seconds(wait))
            } else {
                state.blocks[failure.budget?.resource ?? resource] = now + .seconds(wait)
                state.blocks[resource] = now + .seconds(wait)
            }
            return adjusted
        }
    }

    private func store(_ budget: RateBudget?, _ state: inout State) {
        guard let budget else { return }
        let isTracked = state.budgets[budget.resource] != nil
        guard isTracked || state.budgets.count < Self.maximumResources else { return }
        // A reset further ahead than GitHub's window shows that the clocks differ.
        let reset = min(
            clock.instant(of: budget.resetAt), clock.steady() + .seconds(RateBudget.maximumWindow))
        state.budgets[budget.resource] = (budget, reset)
        state.blocks[budget.resource] = budget.remaining == 0 ? reset : nil
    }
}
