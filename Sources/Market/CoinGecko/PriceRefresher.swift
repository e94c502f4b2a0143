import Foundation
package import Logging
package import RoostSupport
import Synchronization
import TextFormats

/// Refreshes prices: one batched request for each currency in use, for all coins that its users watch.
///
/// Makes one request at a time for each currency, within the plan's budget, and backs off with jitter. A failure in one
/// currency does not affect the others. Publishes a currency's topic on each change. The owner runs `run()` in a task
/// and cancels it.
package final class PriceRefresher: Service, RefreshSource {
    package enum Question: Hashable, Sendable {
        case prices(in: String)
    }

    /// The prices in one currency.
    private struct CurrencyState {
        var table = PriceTable()
        /// Seconds between two refreshes.
        var interval: Double
        var updatedAt: ContinuousClock.Instant?
        var ids: Set<String> = []
        var lastAttempt = ContinuousClock.Instant.distantPast
        /// When the last refresh ended and a change was published.
        var lastEnd = ContinuousClock.Instant.distantPast
        var hasNewPrices = false
        var viewedAt = ContinuousClock.Instant.distantPast
        /// Coins that a client asked for in addition to those on lists, and when.
        var requested: [String: ContinuousClock.Instant] = [:]
    }

    private struct State {
        var currencies: [String: CurrencyState] = [:]
        /// The date of the program's start when the intervals were computed; another one if the clock was set since.
        var start: Date
        var observers: [Int: AsyncStream<PriceSnapshot>.Continuation] = [:]
        var lastObserver = 0
    }

    /// How long one view counts as demand. Longer than a long poll, so that an open page stays fresh.
    package static let demandLifetime = Duration.seconds(45)
    /// The minimum interval between requests for new coins.
    private static let spacing = Duration.seconds(5)
    /// The minimum time between the last request and a click's.
    private static let clickSpacing = Duration.seconds(2)
    /// How long the prices in a currency are kept after the last view. A reader who comes back sooner sees them with
    /// their age.
    private static let tableLifetime = Duration.seconds(600)
    /// CoinGecko has 63.
    private static let maximumCurrencies = 100
    /// The maximum number of coins in `requested`: two full lists.
    private static let maximumRequested = 1_000

    /// The server's own currency, for users who chose none.
    package let currency: String
    private let api: CoinGeckoAPI
    private let schedule: PriceSchedule
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let start: ContinuousClock.Instant
    private let log: Logger
    private let currencies: SupportedCurrencies
    private let watched: @Sendable () async throws -> [String: Set<String>]
    private let refresher: Refresher<Question>
    private let state: Mutex<State>

    /// - Parameter watched: the coins that users watch, by the currency in which they see them
    package init(
        api: CoinGeckoAPI, schedule: PriceSchedule, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger, currencies: SupportedCurrencies,
        watched: @escaping @Sendable () async throws -> [String: Set<String>]
    ) {
        self.api = api
        self.schedule = schedule
        self.calls = calls
        self.feed = feed
        self.clock = clock
        start = clock.steady()
        self.log = log
        self.currencies = currencies
        self.watched = watched
        currency = Currency.code(api.currency)
        let interval = schedule.interval(at: clock.now(), calls: 1, budget: calls.budget)
        state = Mutex(
            State(currencies: [currency: CurrencyState(interval: interval)], start: clock.date(of: start)))
        refresher = Refresher(clock: clock, backoff: PriceSchedule.backoff)
    }

    package static let source = "CoinGecko"

    package var warning: String? { schedule.warning }

    package var snapshot: PriceSnapshot { snapshot(in: currency) }

    /// The prices in a currency. They are empty if the currency has not been viewed for a while, until `watch(in:)`
    /// fetches them.
    package func snapshot(in currency: String) -> PriceSnapshot {
        followClock()
        let now = clock.now()
        let budget = calls.budget
        let currency = Currency.code(currency)
        let refreshStatus = refresher.status(of: .prices(in: currency))
        let stored = state.withLock { $0.currencies[currency] }
        let state = stored ?? CurrencyState(interval: schedule.interval(at: now, calls: 1, budget: budget))
        var status = PriceStatus(interval: state.interval)
        status.updatedAt = state.updatedAt.map(clock.date)
        status.error = refreshStatus.error
        status.callsLeft = budget?.left
        if let budget, budget.left < Self.requests(for: state.ids.count) {
            status.usedUpUntil = CallBudget.month(of: now).end
            status.monthlyCalls = budget.monthlyCalls
        }
        // Without watched coins there is no next request.
        if !state.ids.isEmpty {
            status.isLoading = refreshStatus.isRunning || refreshStatus.isClicked
            status.nextTryAt = refreshStatus.nextTryAt.map(clock.date)
            status.refreshTimeout = timeout(of: refreshStatus, state).map(clock.date)
        }
        return PriceSnapshot(
            currency: currency, table: state.table, status: status, now: now, dates: clock.dates)
    }

    /// When the current or due refresh times out, or nil if it began too late to count as in time.
    private func timeout(
        of refreshStatus: Refresher<Question>.Status, _ state: CurrencyState
    ) -> ContinuousClock.Instant? {
        guard refreshStatus.isLoading, let updatedAt = state.updatedAt else { return nil }
        let now = clock.steady()
        let hasStarted = refreshStatus.isRunning && state.lastAttempt > updatedAt
        let start = hasStarted ? state.lastAttempt : now
        guard start - updatedAt <= .seconds(PriceStatus.latestRefresh(interval: state.interval)) else {
            return nil
        }
        return start + .seconds(CoinGeckoAPI.timeout) * Self.requests(for: state.ids.count)
    }

    private static func requests(for coins: Int) -> Int {
        max(1, (coins + CoinGeckoAPI.pageSize - 1) / CoinGeckoAPI.pageSize)
    }

    private func totalRequests(_ currencies: [String: CurrencyState], with currency: String) -> Int {
        let counted = currencies.filter { code, state in
            code == currency || !state.ids.isEmpty && refresher.isWatched(.prices(in: code))
        }
        return counted.values.map { Self.requests(for: $0.ids.count) }.reduce(0, +)
    }

    /// Computes intervals again after a change of the machine's clock, since they may have used the wrong month.
    private func followClock() {
        let (now, date, start) = (clock.steady(), clock.now(), clock.date(of: start))
        let budget = calls.budget
        let intervals = state.withLock { state -> [String: TimeInterval] in
            guard start != state.start else { return [:] }
            var intervals: [String: TimeInterval] = [:]
            for (code, current) in state.currencies where !current.ids.isEmpty {
                let requests = totalRequests(state.currencies, with: code)
                let interval = schedule.interval(at: date, calls: requests, budget: budget)
                state.currencies[code]?.interval = interval
                intervals[code] = interval
            }
            state.start = start
            return intervals
        }
        for (code, interval) in intervals {
            refresher.advance(.prices(in: code), to: now + .seconds(interval))
        }
    }

    /// Notes a view of the server's own currency, which keeps its prices fresh for a while.
    package func watch() { watch(in: currency) }

    package func watch(in currency: String) {
        followClock()
        guard let currency = recordView(of: currency) else { return }
        refresher.watch(.prices(in: currency), for: Self.demandLifetime)
    }

    package func watch(_ ids: [String]) { watch(ids, in: currency) }

    /// Notes a view of these coins, and requests those soon that were not requested yet.
    ///
    /// Coins that CoinGecko did not return, or returned malformed, wait for the next regular refresh. A page with coins
    /// that are on no list must call this at every rendering: coins not named since the last refresh are dropped.
    package func watch(_ ids: [String], in currency: String) {
        watch(in: currency)
        let (now, currency) = (clock.steady(), Currency.code(currency))
        let refreshAt = state.withLock { state -> ContinuousClock.Instant? in
            guard let current = state.currencies[currency] else { return nil }
            var requested = current.requested
            for id in ids { requested[id] = now }
            if requested.count > Self.maximumRequested {
                let latest = requested.sorted { $0.value > $1.value }.prefix(Self.maximumRequested)
                requested = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
            }
            state.currencies[currency]?.requested = requested
            guard !current.ids.isSuperset(of: ids) else { return nil }
            // With a monthly limit, an early request may only use saved calls.
            let hasSavings = calls.budget?.hasSavings(at: clock.now()) ?? true
            let spacing = hasSavings ? Self.spacing : .seconds(current.interval)
            return max(now, current.lastAttempt + spacing, calls.blockedUntil)
        }
        if let refreshAt { refresher.advance(.prices(in: currency), to: refreshAt) }
    }

    /// Notes a view, and drops currencies without recent views. Returns the code, or nil if the currency is not
    /// supported.
    private func recordView(of currency: String) -> String? {
        let now = clock.steady()
        let currency = Currency.code(currency)
        // An unknown code would cost calls, and use up a slot of a known one.
        let isSupported =
            currency == self.currency || Currency.isCode(currency) && currencies.contains(currency)
        let (isStored, expired) = state.withLock { state -> (Bool, [String]) in
            state.currencies[currency]?.viewedAt = now
            let expired = state.currencies.filter { code, current in
                code != self.currency
                    && current.viewedAt + max(Self.tableLifetime, .seconds(2 * current.interval)) < now
            }.map(\.key)
            for code in expired { state.currencies[code] = nil }
            guard state.currencies[currency] == nil else { return (true, expired) }
            guard isSupported, state.currencies.count < Self.maximumCurrencies else {
                return (false, expired)
            }
            let interval = schedule.interval(at: clock.now(), calls: 1, budget: calls.budget)
            state.currencies[currency] = CurrencyState(interval: interval, viewedAt: now)
            return (true, expired)
        }
        for code in expired { refresher.forget(.prices(in: code)) }
        return isStored ? currency : nil
    }

    /// The topic of the prices in a currency: "prices" for the server's own, else "prices/CODE".
    package func topic(in currency: String) -> String {
        let code = Currency.code(currency)
        return code == self.currency ? Topic.prices : Topic.pricesPrefix + code
    }

    package func currency(ofTopic name: String) -> String? {
        if name == Topic.prices { return currency }
        guard name.hasPrefix(Topic.pricesPrefix) else { return nil }
        let code = String(name.dropFirst(Topic.pricesPrefix.count))
        return Currency.isCode(code) && code != currency ? code : nil
    }

    /// Requests prices now, on a reader's click. A wait that CoinGecko asked for still applies.
    package func retry() -> RetryOutcome { retry(in: currency) }

    package func retry(in currency: String) -> RetryOutcome {
        if let until = snapshot(in: currency).status.usedUpUntil { return .mustWait(until: until) }
        let blockedUntil = calls.blockedUntil
        if blockedUntil > clock.steady() { return .mustWait(until: clock.date(of: blockedUntil)) }
        watch(in: currency)
        let code = Currency.code(currency)
        guard let lastAttempt = state.withLock({ $0.currencies[code]?.lastAttempt }) else { return .started }
        refresher.request(.prices(in: code), .click, notBefore: lastAttempt + Self.clickSpacing)
        // So that pages show the running try.
        feed.publish(topic(in: code), Topic.allPrices)
        return .started
    }

    func invalidate(_ id: String) {
        state.withLock { state in
            for code in state.currencies.keys { state.currencies[code]?.table.invalidate(id) }
        }
    }

    func invalidateAll() {
        state.withLock { state in
            for code in state.currencies.keys { state.currencies[code]?.table.invalidateAll() }
        }
    }

    /// The latest quote of a coin in any currency, for values that do not depend on it.
    package func quote(of id: String) -> MarketQuote? {
        state.withLock { state in
            if let entry = state.currencies[currency]?.table[id] { return entry.quote }
            return state.currencies.values.lazy.compactMap { $0.table[id]?.quote }.first
        }
    }

    /// The prices of every currency after each successful refresh, until the stream's reader stops.
    func updates() -> AsyncStream<PriceSnapshot> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PriceSnapshot.self, bufferingPolicy: .bufferingNewest(Self.maximumCurrencies))
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    package func run() async { await refresher.run(self) }

    package func refresh() async { await refresh(in: currency) }

    package func refresh(in currency: String) async {
        guard let currency = recordView(of: currency) else { return }
        await refresher.perform(.prices(in: currency), self)
    }

    package func runUntilIdle() async { await refresher.runUntilIdle(self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        guard case .prices(let currency) = question else { return .done }
        let now = clock.steady()
        let ids = try await idsToRequest(in: currency, at: now)
        let current = state.withLock { state -> CurrencyState? in
            state.currencies[currency]?.ids = Set(ids)
            if ids.isEmpty {
                state.currencies[currency]?.table.keep(only: [])
            } else {
                state.currencies[currency]?.lastAttempt = now
            }
            return state.currencies[currency]
        }
        guard let current else { return .done }
        guard !ids.isEmpty else { return .again(after: .seconds(current.interval)) }
        let requests = Self.requests(for: ids.count)
        await calls.load()
        if let budget = calls.budget, budget.left < requests {
            return .again(after: .seconds(setInterval(of: currency)))
        }
        if refresher.status(of: question).failures > 0 { feed.publish(topic(in: currency), Topic.allPrices) }
        var isAnswered = false
        for start in stride(from: 0, to: ids.count, by: CoinGeckoAPI.pageSize) {
            let part = Array(ids[start..<min(start + CoinGeckoAPI.pageSize, ids.count)])
            let answer = try await calls.count(1) { try await self.api.markets(ids: part, in: currency) }
            // A single coin may be gone, but an answer without any of several coins is not plausible.
            guard isAnswered || part.count < 2 || !answer.quotes.isEmpty || answer.refused != .init() else {
                throw CoinGeckoAPI.Failure(
                    error: .invalidResponse(statusCode: 200), detail: "none of \(part.count) coins")
            }
            isAnswered = isAnswered || !answer.quotes.isEmpty
            let fetchedAt = clock.steady()
            state.withLock {
                $0.currencies[currency]?.table.store(
                    answer.quotes, requested: part, refused: answer.refused, at: fetchedAt)
                // Pages get the prices of this part even if another one fails.
                $0.currencies[currency]?.hasNewPrices = true
            }
        }
        let interval = setInterval(of: currency)
        let updatedAt = clock.steady()
        state.withLock { state in
            state.currencies[currency]?.table.keep(only: Set(ids))
            state.currencies[currency]?.updatedAt = updatedAt
        }
        return .again(after: .seconds(interval))
    }

    /// Computes a currency's interval again, since all currencies share the month's and the minute's limits.
    private func setInterval(of currency: String) -> TimeInterval {
        let (now, budget) = (clock.now(), calls.budget)
        return state.withLock { state in
            let requests = totalRequests(state.currencies, with: currency)
            let interval = schedule.interval(at: now, calls: requests, budget: budget)
            state.currencies[currency]?.interval = interval
            return interval
        }
    }

    private func idsToRequest(in currency: String, at now: ContinuousClock.Instant) async throws -> [String] {
        let listed = try await watched()[currency] ?? []
        let requested = state.withLock { state -> [String] in
            guard var current = state.currencies[currency] else { return [] }
            // A page names its coins when it is rendered, which is after each refresh.
            current.requested = current.requested.filter {
                $0.value > current.lastEnd || $0.value + Self.demandLifetime > now
            }
            state.currencies[currency] = current
            return Array(current.requested.keys)
        }
        return listed.union(requested).sorted()
    }

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        guard case .prices(let currency) = question else { return }
        let now = clock.steady()
        let ended = state.withLock {
            state -> (isIdle: Bool, hasMissingCoins: Bool, hasNewPrices: Bool)? in
            guard let current = state.currencies[currency] else { return nil }
            state.currencies[currency]?.lastEnd = now
            state.currencies[currency]?.hasNewPrices = false
            let hasMissingCoins = current.requested.keys.contains { !current.ids.contains($0) }
            return (current.ids.isEmpty, hasMissingCoins, current.hasNewPrices)
        }
        guard let ended else { return }
        if let failure {
            log.warning(
                "Prices could not be fetched", metadata: ["why": "\(failure)", "currency": "\(currency)"])
            // The requested wait applies to all of CoinGecko, including the coin list.
            calls.block(until: refresher.status(of: question).blockedUntil)
        } else if ended.hasMissingCoins {
            // A coin was requested during the refresh: fetch it soon instead of after an interval.
            refresher.advance(question, to: clock.steady() + Self.spacing)
        }
        guard !ended.isIdle || failure != nil else { return }
        if ended.hasNewPrices { yield(snapshot(in: currency)) }
        feed.publish(topic(in: currency), Topic.allPrices)
    }

    private func yield(_ snapshot: PriceSnapshot) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(snapshot) }
    }
}
