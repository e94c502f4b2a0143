import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// Counts calls to CoinGecko on plans that limit them, in memory and in SQLite.
package final class CallCounter: Service {
    private let plan: CoinGeckoPlan
    private let database: Database
    private let clock: WallClock
    private let log: Logger
    /// By month's name. Holds several, since setting the clock may change the month and change it back.
    private let months = Mutex<[String: Int]>([:])
    private let blocked = Mutex(ContinuousClock.Instant.distantPast)

    package init(plan: CoinGeckoPlan, database: Database, clock: WallClock, log: Logger) {
        self.plan = plan
        self.database = database
        self.clock = clock
        self.log = log
    }

    /// This month's budget as far as it is loaded, or nil on a plan without a monthly limit.
    var budget: CallBudget? {
        guard let monthly = plan.monthlyCalls else { return nil }
        let name = CallBudget.monthName(of: clock.now())
        return months.withLock { CallBudget(monthlyCalls: monthly, used: $0[name] ?? 0) }
    }

    /// When CoinGecko's requested wait ends, for any request.
    var blockedUntil: ContinuousClock.Instant { blocked.withLock { $0 } }

    func block(until time: ContinuousClock.Instant) { blocked.withLock { $0 = max($0, time) } }

    func hasBudget(for calls: Int, leaving reserve: Int = 0) -> Bool {
        budget.map { $0.left >= calls + reserve } ?? true
    }

    package func load() async {
        guard plan.monthlyCalls != nil else { return }
        let name = CallBudget.monthName(of: clock.now())
        guard months.withLock({ $0[name] }) == nil else { return }
        do {
            let calls = try await database.read { [plan] in try $0.calls(to: plan.rawValue, month: name) }
            months.withLock { $0[name] = $0[name] ?? calls }
        } catch {
            log.databaseFailure("The calls of this month could not be read", error)
        }
    }

    /// Runs the request and counts it, unless it never reached CoinGecko. Throws without a request while CoinGecko's
    /// wait lasts, and if the month's budget does not suffice.
    ///
    /// - Parameter reserve: how many of the month's calls must be left afterwards
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
        let month = try acquire(calls, leaving: reserve)
        do {
            let value = try await request()
            await save(calls, in: month)
            return value
        } catch let failure as CoinGeckoAPI.Failure {
            if failure.wasAnswered { await save(calls, in: month) } else { release(calls, in: month) }
            if failure.asksToWait { block(until: clock.steady() + .seconds(failure.retryAfter ?? 0)) }
            throw failure
        } catch {
            release(calls, in: month)
            throw error
        }
    }

    /// Counts calls before they are made, so that two parallel requests cannot both take the last one. Returns the
    /// month's name.
    private func acquire(_ calls: Int, leaving reserve: Int) throws -> String {
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

    /// Uncounts calls that never reached CoinGecko.
    private func release(_ calls: Int, in month: String) {
        guard plan.monthlyCalls != nil else { return }
        months.withLock { $0[month, default: calls] -= calls }
    }

    private func save(_ calls: Int, in month: String) async {
        guard plan.monthlyCalls != nil else { return }
        do {
            try await database.write { [plan] in try $0.addCalls(calls, to: plan.rawValue, month: month) }
        } catch {
            log.databaseFailure("A call could not be counted", error)
        }
    }
}
