import Foundation
import RoostSupport
import Synchronization

/// What GitHub still gives one account, and until when it asked to be left alone.
final class GitHubLimits: Sendable {
    /// Its times, the budgets' among them, are the steady clock's.
    private struct State {
        var budgets: [String: RateBudget] = [:]
        var blocks: [String: Date] = [:]
        /// Of a secondary limit.
        var everythingUntil = Date.distantPast
        /// Limits in a row that named no time.
        var guesses = 0
        var outcomes = GitHubOutcomes()
    }

    /// What waits without a time named grow to, in seconds.
    private static let maximumGuess = 3_600.0
    /// More resources than GitHub has.
    private static let maximumResources = 30

    private let clock: WallClock
    private let state = Mutex(State())

    init(clock: WallClock) {
        self.clock = clock
    }

    var budgets: [String: RateBudget] {
        let shift = clock.shift
        return state.withLock { $0.budgets.mapValues { $0.moved(by: shift) } }
    }

    /// Nil when it may be asked now.
    func blockedUntil(_ resource: String) -> Date? {
        let now = clock.steady()
        let until = state.withLock { max($0.everythingUntil, $0.blocks[resource] ?? .distantPast) }
        return until > now ? clock.date(of: until) : nil
    }

    /// What became of the requests since the start; its times are the machine's clock's.
    var outcomes: GitHubOutcomes {
        let shift = clock.shift
        return state.withLock { $0.outcomes.moved(by: shift) }
    }

    /// A success: its budget, as far as it says one. The last of a budget blocks what comes after it.
    ///
    /// - Parameter isReadable: false for one that does not bring what was asked for: then it failed
    func note(_ budget: RateBudget?, isReadable: Bool) {
        let now = clock.steady()
        state.withLock { state in
            state.guesses = 0
            if isReadable {
                state.outcomes.lastSuccess = now
                state.outcomes.lastError = nil
            } else {
                state.outcomes.count(.invalidResponse(statusCode: 200), status: 200)
            }
            take(budget, &state)
        }
    }

    /// A failure: what it says of limits holds from now on. Answers it with the wait that it comes to.
    func note(_ failure: GitHubFailure, resource: String) -> GitHubFailure {
        let (date, now) = (clock.now(), clock.steady())
        return state.withLock { state in
            state.outcomes.count(failure.error, status: failure.status)
            take(failure.budget, &state)
            guard failure.rest != .none else { return failure }
            var wait = failure.retryAfter ?? GitHubFailure.minimumPenalty
            if failure.isGuess {
                wait = min(wait * pow(2, Double(min(state.guesses, 10))), Self.maximumGuess)
                state.guesses += 1
            }
            var adjusted = GitHubFailure(
                error: .rateLimited(resetDate: date + wait), retryAfter: wait, status: failure.status,
                detail: failure.detail)
            (adjusted.rest, adjusted.isGuess, adjusted.budget) = (
                failure.rest, failure.isGuess, failure.budget
            )
            if failure.rest == .everything {
                state.everythingUntil = max(state.everythingUntil, now + wait)
            } else {
                state.blocks[failure.budget?.resource ?? resource] = now + wait
                state.blocks[resource] = now + wait
            }
            return adjusted
        }
    }

    private func take(_ budget: RateBudget?, _ state: inout State) {
        guard let budget else { return }
        let isKnown = state.budgets[budget.resource] != nil
        guard isKnown || state.budgets.count < Self.maximumResources else { return }
        // A reset further ahead than GitHub's window says that the clocks differ.
        let reset = min(clock.steady(of: budget.resetAt), clock.steady() + RateBudget.maximumWindow)
        state.budgets[budget.resource] = RateBudget(
            resource: budget.resource, limit: budget.limit, remaining: budget.remaining, resetAt: reset)
        state.blocks[budget.resource] = budget.remaining == 0 ? reset : nil
    }
}
