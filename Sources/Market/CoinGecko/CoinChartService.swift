import Foundation
package import Logging
package import RoostSupport
import Synchronization
import TextFormats

/// Charts of coins that someone views: kept in memory, and refreshed at their range's age.
///
/// Makes one request at a time for each coin, range and currency. Every request counts in the month's budget and leaves
/// a reserve for prices. Publishes `Topic.chart` on each change.
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

    private struct Entry {
        var points: [CoinChart.Point] = []
        var fetchedAt: ContinuousClock.Instant?
        /// The last view; `lastEnd` is when the last refresh ended and published its topic.
        var viewedAt: ContinuousClock.Instant
        var lastEnd = ContinuousClock.Instant.distantPast
        /// The number of the last view, since two may have the same time.
        var viewNumber = 0
        var lastAttempt = ContinuousClock.Instant.distantPast
    }

    private struct State {
        var entries: [Question: Entry] = [:]
        var lastViewNumber = 0
    }

    /// Beyond it, the least recently viewed chart is dropped.
    static let maximumCharts = 100
    package static let demandLifetime = PriceRefresher.demandLifetime
    private static let clickSpacing = Duration.seconds(2)
    private static let maximumConcurrent = 2
    private static let backoff = Backoff(
        initial: .seconds(15), maximum: .seconds(600), minimumAfterLimit: .seconds(60))

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
        refresher = Refresher(
            clock: clock, backoff: Self.backoff, minimumInterval: .seconds(api.plan.chartSpacing)
        ) {
            _, running in running.count < maximum
        }
    }

    /// Returns the chart in memory. It has no points until a `watch` has fetched them.
    package func chart(of coinId: String, range: ChartRange, in currency: String) -> CoinChart {
        let question = Question(coinId, range, currency)
        let now = clock.now()
        let status = refresher.status(of: question)
        let entry = state.withLock { state in
            recordView(of: question, in: &state)
            return state.entries[question]
        }
        let isWatched = refresher.isWatched(question)
        return CoinChart(
            coinId: coinId, range: range, currency: question.currency, points: entry?.points ?? [],
            fetchedAt: entry?.fetchedAt.map(clock.date),
            isLoading: status.isRunning || status.isClicked || isWatched && status.isLoading,
            error: status.error, nextTryAt: status.nextTryAt.map(clock.date), now: now)
    }

    /// Notes a view of this chart, which is fetched if it is missing or older than its range allows.
    package func watch(_ coinId: String, _ range: ChartRange, in currency: String) {
        let question = Question(coinId, range, currency)
        let dropped = state.withLock { state -> [Question] in
            if state.entries[question] == nil { state.entries[question] = Entry(viewedAt: clock.steady()) }
            recordView(of: question, in: &state)
            let excess = state.entries.count - Self.maximumCharts
            guard excess > 0 else { return [] }
            let oldest = state.entries.sorted { $0.value.viewNumber < $1.value.viewNumber }
                .prefix(excess).map(\.key)
            for question in oldest { state.entries[question] = nil }
            return oldest
        }
        for question in dropped { refresher.forget(question) }
        refresher.watch(question, for: Self.demandLifetime)
    }

    private func recordView(of question: Question, in state: inout State) {
        guard state.entries[question] != nil else { return }
        state.lastViewNumber += 1
        state.entries[question]?.viewNumber = state.lastViewNumber
        state.entries[question]?.viewedAt = clock.steady()
    }

    /// Notes that a page with charts of this coin is still open. Charts that were viewed since their last change stay
    /// fresh.
    package func keepWatching(_ coinId: String) {
        let now = clock.steady()
        let shown = state.withLock { state in
            state.entries.filter { question, entry in
                question.coinId == coinId
                    && (entry.viewedAt > entry.lastEnd || entry.viewedAt + Self.demandLifetime > now)
            }.map(\.key)
        }
        for question in shown where refresher.isWatched(question) {
            refresher.watch(question, for: Self.demandLifetime)
        }
    }

    /// Requests the chart now, on a reader's click. A wait that CoinGecko asked for still applies.
    package func retry(_ coinId: String, _ range: ChartRange, in currency: String) -> RetryOutcome {
        let question = Question(coinId, range, currency)
        let until = max(calls.blockedUntil, refresher.status(of: question).blockedUntil)
        if until > clock.steady() { return .mustWait(until: clock.date(of: until)) }
        watch(coinId, range, in: currency)
        let lastAttempt = state.withLock { $0.entries[question]?.lastAttempt } ?? .distantPast
        refresher.request(question, .click, notBefore: lastAttempt + Self.clickSpacing)
        feed.publish(Topic.chart(coinId))
        return .started
    }

    package var count: Int { state.withLock { $0.entries.count } }

    package func run() async { await refresher.run(self) }

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
        return .again(after: .seconds(max(question.range.lifetime, Double(api.plan.edgeCache))))
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
