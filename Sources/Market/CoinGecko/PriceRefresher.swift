package import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// The one refresher of prices: for each currency that somebody looks at, a batched request for all that its people
/// watch.
///
/// Single flight for each currency, spread over the plan's budget, backing off with jitter; a currency's failure leaves
/// the others as they are. Each change of a currency's state publishes its topic. Its owner runs `run()` in a task and
/// cancels it.
package final class PriceRefresher: Service, RefreshSource {
    package enum Question: Hashable, Sendable {
        case prices(in: String)
    }

    /// The prices in one currency. Its times are the steady clock's; the board's and those of an error are dates.
    private struct CurrencyState {
        var board = PriceTable()
        /// Seconds between two refreshes.
        var interval: Double
        var updatedAt: Date?
        /// The coins of the last request.
        var ids: Set<String> = []
        var lastAttempt = Date.distantPast
        /// When the last refresh ended, and pages were told to look again.
        var lastEnd = Date.distantPast
        /// Whether the refresh under way brought prices.
        var hasNews = false
        /// When somebody looked last.
        var lookedAt = Date.distantPast
        /// Coins that a client asked for by name, beside those on lists, and when.
        var asked: [String: Date] = [:]
    }

    private struct State {
        var currencies: [String: CurrencyState] = [:]
        /// By which the dates are to be read.
        var shift: TimeInterval
        var observers: [Int: AsyncStream<PriceSnapshot>.Continuation] = [:]
        var lastObserver = 0
    }

    /// How long one look counts as demand, in seconds: longer than a long poll, so that an open page never lapses.
    package static let demandLifetime: TimeInterval = 45
    /// New coins are asked for at once, but not more often than this, in seconds.
    private static let spacing: TimeInterval = 5
    /// And a click asks again no sooner than this after the last request, in seconds.
    private static let clickSpacing: TimeInterval = 2
    /// The prices in a currency that no page shows are dropped after so many seconds: a reader who comes back sooner sees
    /// them with their age.
    private static let tableLifetime: TimeInterval = 600
    /// CoinGecko knows 63.
    private static let maximumCurrencies = 100
    /// Coins asked for by name in one currency: two full lists.
    private static let maximumAsked = 1_000

    /// The server's own currency: that of everybody who chose none.
    package let currency: String
    private let api: CoinGeckoAPI
    private let schedule: PriceSchedule
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let isCurrency: @Sendable (String) -> Bool
    private let watched: @Sendable () async throws -> [String: Set<String>]
    private let refresher: Refresher<Question>
    private let state: Mutex<State>

    /// - Parameter watched: the coins that people watch, by the currency that they see them in
    package init(
        api: CoinGeckoAPI, schedule: PriceSchedule, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger, isCurrency: @escaping @Sendable (String) -> Bool,
        watched: @escaping @Sendable () async throws -> [String: Set<String>]
    ) {
        self.api = api
        self.schedule = schedule
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
        self.isCurrency = isCurrency
        self.watched = watched
        currency = Currency.code(api.currency)
        let interval = schedule.interval(at: clock.now(), calls: 1, budget: calls.budget)
        state = Mutex(
            State(currencies: [currency: CurrencyState(interval: interval)], shift: clock.shift))
        refresher = Refresher(clock: clock, backoff: PriceSchedule.backoff)
    }

    /// The name that messages carry.
    package static let source = "CoinGecko"

    /// Why the operator's own interval is unwise, if it is.
    package var warning: String? { schedule.warning }

    /// The prices in the server's own currency.
    package var snapshot: PriceSnapshot { snapshot(in: currency) }

    /// The prices in a currency; empty where no page has asked for it for a while, until `want(in:)` brings them.
    package func snapshot(in currency: String) -> PriceSnapshot {
        followClock()
        let now = clock.now()
        let budget = calls.budget
        let currency = Currency.code(currency)
        let refreshStatus = refresher.status(of: .prices(in: currency))
        let shift = clock.shift
        let known = state.withLock { $0.currencies[currency] }
        let state = known ?? CurrencyState(interval: schedule.interval(at: now, calls: 1, budget: budget))
        var status = PriceStatus(interval: state.interval)
        // Of the same reading of the clock as the board's dates.
        status.updatedAt = state.updatedAt.map { $0 + shift }
        status.error = refreshStatus.failure?.error
        status.callsLeft = budget?.left
        if let budget, budget.left < Self.requests(for: state.ids.count) {
            status.usedUpUntil = CallBudget.month(of: now).end
            status.monthlyCalls = budget.monthlyCalls
        }
        // Without a watched coin there is no next request.
        if !state.ids.isEmpty {
            status.isLoading = refreshStatus.isRunning || refreshStatus.isClicked
            status.nextTryAt = refreshStatus.nextTryAt.map { $0 + shift }
            status.refreshTimeout = timeout(of: refreshStatus, state).map { $0 + shift }
        }
        return PriceSnapshot(currency: currency, board: state.board, status: status, now: now)
    }

    /// When the refresh under way, or due at this moment, times out; nil where it comes too late to be in time.
    private func timeout(of refreshStatus: Refresher<Question>.Status, _ state: CurrencyState) -> Date? {
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

    /// How many requests a round of all currencies that somebody looks at takes.
    private func requestsOfAll(_ currencies: [String: CurrencyState], with currency: String) -> Int {
        let counted = currencies.filter { code, state in
            code == currency || !state.ids.isEmpty && refresher.isWatched(.prices(in: code))
        }
        return counted.values.map { Self.requests(for: $0.ids.count) }.reduce(0, +)
    }

    /// The clock may have been set since the last look: what is shown moves with it, and a wait that was reckoned with
    /// the wrong month is reckoned again.
    private func followClock() {
        let (now, shift) = (clock.steady(), clock.shift)
        let budget = calls.budget
        let intervals = state.withLock { state -> [String: TimeInterval] in
            guard shift != state.shift else { return [:] }
            var intervals: [String: TimeInterval] = [:]
            for (code, known) in state.currencies {
                state.currencies[code]?.board.move(by: shift - state.shift)
                guard !known.ids.isEmpty else { continue }
                let requests = requestsOfAll(state.currencies, with: code)
                let interval = schedule.interval(at: now + shift, calls: requests, budget: budget)
                state.currencies[code]?.interval = interval
                intervals[code] = interval
            }
            state.shift = shift
            return intervals
        }
        for (code, interval) in intervals { refresher.advance(.prices(in: code), to: now + interval) }
    }

    /// Says that somebody looks at prices in the server's own currency, so that they are kept fresh for a while.
    package func want() { want(in: currency) }

    /// Says that somebody looks at prices in this currency.
    package func want(in currency: String) {
        followClock()
        guard let currency = looked(at: currency) else { return }
        refresher.watch(.prices(in: currency), for: Self.demandLifetime)
    }

    /// Says that somebody looks at these coins in the server's own currency, as `want(_:in:)`.
    package func want(_ ids: [String]) { want(ids, in: currency) }

    /// Says that somebody looks at these coins, and has those fetched at once that were not asked for yet.
    ///
    /// What CoinGecko was asked for and had no answer to, or none that makes sense, waits for its turn as all others. A
    /// page that shows coins from no list of its currency's people says so each time it is rendered: what no page named since
    /// the last refresh is forgotten.
    package func want(_ ids: [String], in currency: String) {
        want(in: currency)
        let (now, currency) = (clock.steady(), Currency.code(currency))
        let soon = state.withLock { state -> Date? in
            guard let known = state.currencies[currency] else { return nil }
            var asked = known.asked
            for id in ids { asked[id] = now }
            if asked.count > Self.maximumAsked {
                let latest = asked.sorted { $0.value > $1.value }.prefix(Self.maximumAsked)
                asked = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
            }
            state.currencies[currency]?.asked = asked
            guard !known.ids.isSuperset(of: ids) else { return nil }
            // On a counted plan only what was saved up pays for an early request.
            let isPaidFor = calls.budget?.hasSavings(at: clock.now()) ?? true
            let spacing = isPaidFor ? Self.spacing : known.interval
            return max(now, known.lastAttempt + spacing, calls.blockedUntil)
        }
        if let soon { refresher.advance(.prices(in: currency), to: soon) }
    }

    /// Notes a look, and drops the currencies that had none for long. Answers the code; nil for what can be none.
    private func looked(at currency: String) -> String? {
        let now = clock.steady()
        let currency = Currency.code(currency)
        // An unknown code would cost calls, and take the place of a known one.
        let isSupported = currency == self.currency || Currency.isCode(currency) && isCurrency(currency)
        let (isKnown, gone) = state.withLock { state -> (Bool, [String]) in
            state.currencies[currency]?.lookedAt = now
            let gone = state.currencies.filter { code, known in
                code != self.currency && known.lookedAt + max(Self.tableLifetime, 2 * known.interval) < now
            }.map(\.key)
            for code in gone { state.currencies[code] = nil }
            guard state.currencies[currency] == nil else { return (true, gone) }
            guard isSupported, state.currencies.count < Self.maximumCurrencies else {
                return (false, gone)
            }
            let interval = schedule.interval(at: clock.now(), calls: 1, budget: calls.budget)
            state.currencies[currency] = CurrencyState(interval: interval, lookedAt: now)
            return (true, gone)
        }
        for code in gone { refresher.forget(.prices(in: code)) }
        return isKnown ? currency : nil
    }

    /// The topic that changes with the prices in a currency: "prices" for the server's own, else "prices/CODE".
    package func topic(in currency: String) -> String {
        let code = Currency.code(currency)
        return code == self.currency ? Topic.prices : Topic.pricesPrefix + code
    }

    /// The currency that a topic of `topic(in:)` is about; nil for other names.
    package func currency(ofTopic name: String) -> String? {
        if name == Topic.prices { return currency }
        guard name.hasPrefix(Topic.pricesPrefix) else { return nil }
        let code = String(name.dropFirst(Topic.pricesPrefix.count))
        return Currency.isCode(code) && code != currency ? code : nil
    }

    /// A reader's wish to try now; a wait that CoinGecko asked for is kept.
    package func retry() -> RetryOutcome { retry(in: currency) }

    package func retry(in currency: String) -> RetryOutcome {
        if let until = snapshot(in: currency).status.usedUpUntil { return .mustWait(until: until) }
        let blockedUntil = calls.blockedUntil
        if blockedUntil > clock.steady() { return .mustWait(until: clock.date(of: blockedUntil)) }
        want(in: currency)
        let code = Currency.code(currency)
        guard let lastAttempt = state.withLock({ $0.currencies[code]?.lastAttempt }) else { return .started }
        refresher.request(.prices(in: code), .click, notBefore: lastAttempt + Self.clickSpacing)
        // So that pages show that it is being tried.
        feed.publish(topic(in: code), Topic.allPrices)
        return .started
    }

    func invalidate(_ id: String) {
        state.withLock { state in
            for code in state.currencies.keys { state.currencies[code]?.board.invalidate(id) }
        }
    }

    func invalidateAll() {
        state.withLock { state in
            for code in state.currencies.keys { state.currencies[code]?.board.invalidateAll() }
        }
    }

    /// What CoinGecko last said of a coin, in whichever currency: for what is the same in all of them.
    package func quote(of id: String) -> MarketQuote? {
        state.withLock { state in
            if let entry = state.currencies[currency]?.board[id] { return entry.quote }
            return state.currencies.values.lazy.compactMap { $0.board[id]?.quote }.first
        }
    }

    /// The prices after each refresh that went well, of every currency, until the reader of the stream stops.
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

    /// Refreshes what is due while somebody looks, until cancelled.
    package func run() async { await refresher.run(self) }

    /// Asks for all that is watched, once, and takes the answer or the failure in.
    package func refresh() async { await refresh(in: currency) }

    package func refresh(in currency: String) async {
        guard let currency = looked(at: currency) else { return }
        await refresher.perform(.prices(in: currency), self)
    }

    /// Asks for all that is due, one currency after the other.
    package func runUntilIdle() async { await refresher.runUntilIdle(self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        guard case .prices(let currency) = question else { return .done }
        let now = clock.steady()
        let ids = try await idsToAsk(in: currency, at: now)
        let known = state.withLock { state -> CurrencyState? in
            state.currencies[currency]?.ids = Set(ids)
            if ids.isEmpty {
                state.currencies[currency]?.board.keep(only: [])
            } else {
                state.currencies[currency]?.lastAttempt = now
            }
            return state.currencies[currency]
        }
        guard let known else { return .done }
        guard !ids.isEmpty else { return .again(after: known.interval) }
        let requests = Self.requests(for: ids.count)
        await calls.load()
        if let budget = calls.budget, budget.left < requests {
            return .again(after: setInterval(of: currency))
        }
        if refresher.status(of: question).failures > 0 { feed.publish(topic(in: currency), Topic.allPrices) }
        var isAnswered = false
        for start in stride(from: 0, to: ids.count, by: CoinGeckoAPI.pageSize) {
            let part = Array(ids[start..<min(start + CoinGeckoAPI.pageSize, ids.count)])
            let answer = try await calls.count(1) { try await self.api.markets(ids: part, in: currency) }
            // One coin may be gone; that all of several are is no answer to believe.
            guard isAnswered || part.count < 2 || !answer.quotes.isEmpty || answer.refused != .init() else {
                throw CoinGeckoAPI.Failure(
                    error: .invalidResponse(statusCode: 200), detail: "none of \(part.count) coins")
            }
            isAnswered = isAnswered || !answer.quotes.isEmpty
            let fetchedAt = clock.steady()
            state.withLock {
                $0.currencies[currency]?.board.take(
                    answer.quotes, asked: part, refused: answer.refused, at: fetchedAt + $0.shift)
                // Pages get the prices of this part, also when another one fails.
                $0.currencies[currency]?.hasNews = true
            }
        }
        let interval = setInterval(of: currency)
        let updatedAt = clock.steady()
        state.withLock { state in
            state.currencies[currency]?.board.keep(only: Set(ids))
            state.currencies[currency]?.updatedAt = updatedAt
        }
        return .again(after: interval)
    }

    /// Calculates a currency's interval again: the month and the minute serve all currencies.
    private func setInterval(of currency: String) -> TimeInterval {
        let (now, budget) = (clock.now(), calls.budget)
        return state.withLock { state in
            let requests = requestsOfAll(state.currencies, with: currency)
            let interval = schedule.interval(at: now, calls: requests, budget: budget)
            state.currencies[currency]?.interval = interval
            return interval
        }
    }

    private func idsToAsk(in currency: String, at now: Date) async throws -> [String] {
        let listed = try await watched()[currency] ?? []
        let asked = state.withLock { state -> [String] in
            guard var known = state.currencies[currency] else { return [] }
            // A page names its coins when it is made, which is after each refresh.
            known.asked = known.asked.filter {
                $0.value > known.lastEnd || $0.value + Self.demandLifetime > now
            }
            state.currencies[currency] = known
            return Array(known.asked.keys)
        }
        return listed.union(asked).sorted()
    }

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        guard case .prices(let currency) = question else { return }
        let now = clock.steady()
        let ended = state.withLock {
            state -> (isResting: Bool, isBehind: Bool, hasNews: Bool)? in
            guard let known = state.currencies[currency] else { return nil }
            state.currencies[currency]?.lastEnd = now
            state.currencies[currency]?.hasNews = false
            let isBehind = known.asked.keys.contains { !known.ids.contains($0) }
            return (known.ids.isEmpty, isBehind, known.hasNews)
        }
        guard let ended else { return }
        if let failure {
            log.warning(
                "Prices could not be fetched", metadata: ["why": "\(failure)", "currency": "\(currency)"])
            // What asked to be left alone is left alone by the coin list too.
            calls.block(until: refresher.status(of: question).blockedUntil)
        } else if ended.isBehind {
            // A coin was wished for while the request was on its way: its turn is soon, not in an interval.
            refresher.advance(question, to: clock.steady() + Self.spacing)
        }
        guard !ended.isResting || failure != nil else { return }
        if ended.hasNews { yield(snapshot(in: currency)) }
        feed.publish(topic(in: currency), Topic.allPrices)
    }

    private func yield(_ snapshot: PriceSnapshot) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(snapshot) }
    }
}
