import Foundation
import Logging
import Synchronization

/// Counts the calls to CoinGecko where the plan counts them, in memory and in SQLite.
final class CallCounter: Service {
    private let plan: CoinGeckoPlan
    private let store: CallBudgetStore
    private let clock: WallClock
    private let log: Logger
    /// By month's name, those read from SQLite: a clock that is set may lead into another one and back.
    private let months = Mutex<[String: Int]>([:])
    /// By the steady clock.
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
        return months.withLock { CallBudget(monthlyCalls: monthly, used: $0[name] ?? 0) }
    }

    /// Until when CoinGecko asked to be left alone, whatever it was asked for; by the steady clock, as `block`.
    var blockedUntil: Date { blocked.withLock { $0 } }

    func block(until time: Date) { blocked.withLock { $0 = max($0, time) } }

    /// Reads what this month has cost so far, unless it is known.
    func load() async {
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

    /// Runs the request and counts it, unless it never reached CoinGecko; throws at once while CoinGecko asked to wait.
    func count<Value: Sendable>(_ calls: Int, of request: @Sendable () async throws -> Value) async throws
        -> Value
    {
        let until = blockedUntil
        guard until <= clock.steady() else {
            let reset = clock.date(of: until)
            throw CoinGeckoAPI.Failure(
                error: .rateLimited(resetDate: reset), wasAnswered: false, detail: "not asked before \(reset)"
            )
        }
        await load()
        do {
            let value = try await request()
            await add(calls)
            return value
        } catch let failure as CoinGeckoAPI.Failure {
            if failure.wasAnswered { await add(calls) }
            if failure.asksToWait { block(until: clock.steady() + (failure.retryAfter ?? 0)) }
            throw failure
        }
    }

    private func add(_ calls: Int) async {
        guard plan.monthlyCalls != nil else { return }
        let name = CallBudget.monthName(of: clock.now())
        months.withLock { $0[name, default: 0] += calls }
        do {
            try await store.add(calls, to: plan.rawValue, month: name)
        } catch {
            log.error("A call could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
