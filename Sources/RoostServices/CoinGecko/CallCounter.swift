import Foundation
import Logging
import Synchronization

/// Counts the calls to CoinGecko where the plan counts them, in memory and in SQLite.
final class CallCounter: Service {
    private struct Month {
        var name = ""
        var calls = 0
    }

    private let plan: CoinGeckoPlan
    private let store: CallBudgetStore
    private let clock: WallClock
    private let log: Logger
    private let month = Mutex(Month())
    private let blocked = Mutex(Date.distantPast)

    init(plan: CoinGeckoPlan, store: CallBudgetStore, clock: WallClock, log: Logger) {
        self.plan = plan
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// This month's budget as known, nil on a plan that counts nothing.
    var budget: CallBudget? {
        guard let monthly = plan.monthlyCalls else { return nil }
        let name = CallBudget.monthName(of: clock.now())
        return month.withLock { CallBudget(monthlyCalls: monthly, used: $0.name == name ? $0.calls : 0) }
    }

    /// Until when CoinGecko asked to be left alone, whatever it was asked for.
    var blockedUntil: Date { blocked.withLock { $0 } }

    func block(until time: Date) { blocked.withLock { $0 = max($0, time) } }

    /// Reads what this month has cost before this start.
    func load() async {
        guard plan.monthlyCalls != nil else { return }
        let name = CallBudget.monthName(of: clock.now())
        do {
            let calls = try await store.calls(to: plan.rawValue, month: name)
            month.withLock { $0 = Month(name: name, calls: calls) }
        } catch {
            log.error("The calls of this month could not be read", metadata: ["error": "\(error)"])
        }
    }

    /// Runs the request and counts it, unless it never reached CoinGecko; throws at once while CoinGecko asked to wait.
    func count<Value: Sendable>(_ calls: Int, of request: @Sendable () async throws -> Value) async throws
        -> Value
    {
        let until = blockedUntil
        guard until <= clock.now() else {
            throw CoinGeckoAPI.Failure(
                error: .rateLimited(resetDate: until), wasAnswered: false, detail: "not asked before \(until)"
            )
        }
        do {
            let value = try await request()
            await add(calls)
            return value
        } catch let failure as CoinGeckoAPI.Failure {
            if failure.wasAnswered { await add(calls) }
            if failure.asksToWait { block(until: clock.now() + (failure.retryAfter ?? 0)) }
            throw failure
        }
    }

    private func add(_ calls: Int) async {
        guard plan.monthlyCalls != nil else { return }
        let name = CallBudget.monthName(of: clock.now())
        month.withLock { month in
            if month.name != name { month = Month(name: name) }
            month.calls += calls
        }
        do {
            try await store.add(calls, to: plan.rawValue, month: name)
        } catch {
            log.error("A call could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
