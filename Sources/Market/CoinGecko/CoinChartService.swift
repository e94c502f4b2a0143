package import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// The charts of coins that somebody looks at: in memory, each refreshed at the age that its range allows.
///
/// Single flight for each coin, range and currency; every request counts in the month's budget and leaves a reserve for
/// prices. Publishes `Topic.chart` at each change.
package final class CoinChartService: Service, RefreshSource {
    package struct Question: Hashable, Sendable {
        let coinId: String
        let range: ChartRange
        let currency: String

        init(_ coinId: String, _ range: ChartRange, _ currency: String) {
            self.coinId = coinId
            self.range = range
            self.currency = Currency.code(currency)
        }
    }

    /// Times are the steady clock's.
    private struct Entry {
        var points: [CoinChart.Point] = []
        var fetchedAt: Date?
        /// When somebody looked last, and when the last refresh ended and pages were told.
        var lookedAt: Date
        var lastEnd = Date.distantPast
        /// The number of the last look: two may have the same time.
        var turn = 0
        var lastAttempt = Date.distantPast
    }

    private struct State {
        var entries: [Question: Entry] = [:]
        var turn = 0
    }

    /// Beyond it the chart that was looked at longest ago goes.
    static let maximumCharts = 100
    /// How long one look counts as demand, in seconds.
    package static let demandLifetime = PriceRefresher.demandLifetime
    private static let clickSpacing: TimeInterval = 2
    private static let maximumConcurrent = 2
    private static let backoff = Backoff(initial: 15, maximum: 600, minimumAfterLimit: 60)

    private let api: CoinGeckoAPI
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let refresher: Refresher<Question>
    private let state = Mutex(State())

    package init(api: CoinGeckoAPI, calls: CallCounter, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.api = api
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
        let maximum = Self.maximumConcurrent
        refresher = Refresher(clock: clock, backoff: Self.backoff, minimumInterval: api.plan.chartSpacing) {
            _, running in running.count < maximum
        }
    }

    /// The chart as it is here, at once; without points until `want` has brought them.
    package func chart(of coinId: String, range: ChartRange, in currency: String) -> CoinChart {
        let question = Question(coinId, range, currency)
        let (now, shift) = (clock.now(), clock.shift)
        let status = refresher.status(of: question)
        let entry = state.withLock { state in
            look(at: question, in: &state)
            return state.entries[question]
        }
        let isWanted = refresher.isWatched(question)
        return CoinChart(
            coinId: coinId, range: range, currency: question.currency, points: entry?.points ?? [],
            fetchedAt: entry?.fetchedAt.map { $0 + shift },
            isLoading: status.isRunning || status.isClicked || isWanted && status.isLoading,
            error: status.failure?.error, nextTryAt: status.nextTryAt.map { $0 + shift }, now: now)
    }

    /// Says that somebody looks at this chart: it is fetched if it is missing or older than its range allows.
    package func want(_ coinId: String, _ range: ChartRange, in currency: String) {
        let question = Question(coinId, range, currency)
        let gone = state.withLock { state -> [Question] in
            if state.entries[question] == nil { state.entries[question] = Entry(lookedAt: clock.steady()) }
            look(at: question, in: &state)
            let excess = state.entries.count - Self.maximumCharts
            guard excess > 0 else { return [] }
            let oldest = state.entries.sorted { $0.value.turn < $1.value.turn }.prefix(excess).map(\.key)
            for question in oldest { state.entries[question] = nil }
            return oldest
        }
        for question in gone { refresher.forget(question) }
        refresher.watch(question, for: Self.demandLifetime)
    }

    private func look(at question: Question, in state: inout State) {
        guard state.entries[question] != nil else { return }
        state.turn += 1
        state.entries[question]?.turn = state.turn
        state.entries[question]?.lookedAt = clock.steady()
    }

    /// Says that a page with charts of this coin is still open: those that were looked at since they last changed are
    /// kept fresh.
    package func keepWatching(_ coinId: String) {
        let now = clock.steady()
        let shown = state.withLock { state in
            state.entries.filter { question, entry in
                question.coinId == coinId
                    && (entry.lookedAt > entry.lastEnd || entry.lookedAt + Self.demandLifetime > now)
            }.map(\.key)
        }
        for question in shown where refresher.isWatched(question) {
            refresher.watch(question, for: Self.demandLifetime)
        }
    }

    /// A reader's wish to try now; a wait that CoinGecko asked for is kept.
    package func retry(_ coinId: String, _ range: ChartRange, in currency: String) -> RetryOutcome {
        let question = Question(coinId, range, currency)
        let until = max(calls.blockedUntil, refresher.status(of: question).blockedUntil)
        if until > clock.steady() { return .mustWait(until: clock.date(of: until)) }
        want(coinId, range, in: currency)
        let lastAttempt = state.withLock { $0.entries[question]?.lastAttempt } ?? .distantPast
        refresher.request(question, .click, notBefore: lastAttempt + Self.clickSpacing)
        feed.publish(Topic.chart(coinId))
        return .started
    }

    /// How many charts are held.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Fetches what is wanted, until cancelled.
    package func run() async { await refresher.run(self) }

    /// Fetches what is due, one chart after the other.
    package func runUntilIdle() async { await refresher.runUntilIdle(self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        let now = clock.steady()
        state.withLock { $0.entries[question]?.lastAttempt = now }
        let points = try await calls.count(1, leaving: CallBudget.chartReserve) {
            try await self.api.chart(
                of: question.coinId, days: question.range.days, in: question.currency)
        }
        let fetchedAt = clock.steady()
        state.withLock { state in
            state.entries[question]?.points = points
            state.entries[question]?.fetchedAt = fetchedAt
        }
        return .again(after: max(question.range.lifetime, Double(api.plan.edgeCache)))
    }

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        let now = clock.steady()
        state.withLock { $0.entries[question]?.lastEnd = now }
        if let failure {
            log.info(
                "A chart could not be fetched",
                metadata: ["coin": "\(question.coinId)", "why": "\(failure)"])
        }
        feed.publish(Topic.chart(question.coinId))
    }
}
