import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// Counts the calls to CoinGecko where the plan counts them, in memory and in SQLite.
package final class CallCounter: Service {
    private let plan: CoinGeckoPlan
    private let store: CallBudgetStore
    private let clock: WallClock
    private let log: Logger
    /// By month's name, those read from SQLite: a clock that is set may lead into another one and back.
    private let months = Mutex<[String: Int]>([:])
    /// By the steady clock.
    private let blocked = Mutex(Date.distantPast)

    package init(plan: CoinGeckoPlan, store: CallBudgetStore, clock: WallClock, log: Logger) {
        self.plan = plan
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// This month's budget as known, nil on a plan that counts nothing.
    var budget: CallBudget? {
        guard let monthly = plan.monthlyCalls else { return nil }
        let name = CallBudget.monthName(of: clock.now())
        return months.withLock { CallBudget(monthlyCalls: monthly, used: $0[name] ?? 0) }
    }

    /// Until when CoinGecko asked to be left alone, whatever it was asked for; by the steady clock, as `block`.
    var blockedUntil: Date { blocked.withLock { $0 } }

    func block(until time: Date) { blocked.withLock { $0 = max($0, time) } }

    /// Whether the month's budget has room for so many calls, and for the reserve after them.
    func mayAsk(_ calls: Int, leaving reserve: Int = 0) -> Bool {
        budget.map { $0.left >= calls + reserve } ?? true
    }

    /// Reads what this month has cost so far, unless it is known.
    package func load() async {
        guard plan.monthlyCalls != nil else { return }
        let name = CallBudget.monthName(of: clock.now())
        guard months.withLock({ $0[name] }) == nil else { return }
        do {
            let calls = try await store.calls(to: plan.rawValue, month: name)
            months.withLock { $0[name] = $0[name] ?? calls }
        } catch {
            log.error("The calls of this month could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Runs the request and counts it, unless it never reached CoinGecko; throws at once while CoinGecko asked to wait,
    /// and where the month's budget does not suffice.
    ///
    /// - Parameter reserve: how many of the month's calls must be left after it
    func count<Value: Sendable>(
        _ calls: Int, leaving reserve: Int = 0, of request: @Sendable () async throws -> Value
    ) async throws -> Value {
        let until = blockedUntil
        guard until <= clock.steady() else {
            let reset = clock.date(of: until)
            throw CoinGeckoAPI.Failure(
                error: .rateLimited(resetDate: reset), wasAnswered: false, detail: "not asked before \(reset)"
            )
        }
        await load()
        let month = try take(calls, leaving: reserve)
        do {
            let value = try await request()
            await save(calls, in: month)
            return value
        } catch let failure as CoinGeckoAPI.Failure {
            if failure.wasAnswered { await save(calls, in: month) } else { release(calls, in: month) }
            if failure.asksToWait { block(until: clock.steady() + (failure.retryAfter ?? 0)) }
            throw failure
        } catch {
            release(calls, in: month)
            throw error
        }
    }

    /// Counts calls before they are made, so that two requests at once do not both take the last one. Returns the
    /// month's name.
    private func take(_ calls: Int, leaving reserve: Int) throws -> String {
        let now = clock.now()
        let name = CallBudget.monthName(of: now)
        let isGranted = months.withLock { months in
            let used = months[name] ?? 0
            guard let monthly = plan.monthlyCalls else { return true }
            guard used + calls + reserve <= monthly else { return false }
            months[name] = used + calls
            return true
        }
        guard isGranted else {
            let reset = CallBudget.month(of: now).end
            throw CoinGeckoAPI.Failure(
                error: .rateLimited(resetDate: reset), wasAnswered: false,
                detail: "not asked: the month's calls are used up")
        }
        return name
    }

    /// Gives back calls that never reached CoinGecko.
    private func release(_ calls: Int, in month: String) {
        guard plan.monthlyCalls != nil else { return }
        months.withLock { $0[month, default: calls] -= calls }
    }

    private func save(_ calls: Int, in month: String) async {
        guard plan.monthlyCalls != nil else { return }
        do {
            try await store.add(calls, to: plan.rawValue, month: month)
        } catch {
            log.error("A call could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
