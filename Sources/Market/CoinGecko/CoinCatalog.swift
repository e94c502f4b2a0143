package import Foundation
package import Logging
package import RoostSupport
import Synchronization
import TextFormats

/// All coins that CoinGecko knows: read from SQLite at start, fetched anew in the background after 7 days.
package final class CoinCatalog: Service, RefreshSource {
    /// What CoinGecko is asked.
    package enum Question: Hashable, Sendable {
        case list
        case search(String)
    }

    /// What a search found. `isAsking`: CoinGecko itself is being asked too: it knows newer coins, and other spellings.
    package struct Found: Sendable {
        package let coins: [RankedCoin]
        package let isAsking: Bool
    }

    /// How the loading of the list stands, for those who have none yet.
    package struct ListStatus: Sendable, Equatable {
        /// Why the last try failed; nil after a success, and before the first try has ended.
        package let error: APIError?
        package let isTrying: Bool
        package let nextTryAt: Date?
        package let now: Date

        package init(error: APIError?, isTrying: Bool, nextTryAt: Date?, now: Date) {
            self.error = error
            self.isTrying = isTrying
            self.nextTryAt = nextTryAt
            self.now = now
        }
    }

    private struct Asked {
        /// Until when CoinGecko is not asked again.
        var until: Date
        /// The ids of the coins that it answered.
        var found: [String] = []
    }

    private struct State {
        var index = CoinIndex()
        var loading: LoadingState<Date> = .idle
        var listing: CoinListStore.State?
        /// What CoinGecko was asked, by the words.
        var asked: [String: Asked] = [:]
        /// When the list was last asked for, by the steady clock.
        var lastAttempt = Date.distantPast
    }

    /// The mission's figure: how old the list may grow.
    package static let lifetime: TimeInterval = 7 * 86_400
    /// Words asked of CoinGecko are not asked again for this long, in seconds, and for less where it did not answer.
    private static let answerLifetime: (answered: TimeInterval, unanswered: TimeInterval) = (600, 60)
    /// A click asks for the list no sooner than this after the last request, in seconds.
    private static let clickSpacing: TimeInterval = 2
    /// So long that a lasting failure does not eat the month's calls.
    private static let backoff = Backoff(initial: 15, maximum: 1_800)

    private let api: CoinGeckoAPI
    private let store: CoinListStore
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let refresher: Refresher<Question>
    private let state = Mutex(State())

    package init(
        api: CoinGeckoAPI, store: CoinListStore, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.api = api
        self.store = store
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
        // One request after the other.
        refresher = Refresher(clock: clock, backoff: Self.backoff, capacity: 100) { _, running in
            running.isEmpty
        }
    }

    /// When the list was fetched, or why there is none.
    package var loading: LoadingState<Date> { state.withLock { $0.loading } }

    package var count: Int { state.withLock { $0.index.count } }

    package func coin(id: String) -> CoinListItem? {
        state.withLock { $0.index }.coin(id: id)?.coin
    }

    /// All coins with these symbols, which are in lower case: several share one.
    package func coins(symbols: Set<String>) -> [String: [CoinListItem]] {
        let index = state.withLock { $0.index }
        return Dictionary(grouping: index.coins(symbols: symbols), by: \.symbol)
    }

    /// The likeliest coins of the list, as `search` has them, without asking CoinGecko.
    package func listed(like words: String, limit: Int) -> [CoinListItem] {
        let index = state.withLock { $0.index }
        return index.search(words.trimmed.lowercased(), limit: limit).coins.map(\.coin)
    }

    /// How the loading of the list stands; nil once there is one.
    package var missingList: ListStatus? {
        guard count == 0 else { return nil }
        let status = refresher.status(of: .list)
        return ListStatus(
            error: status.failure?.error, isTrying: status.isRunning || status.isClicked,
            nextTryAt: status.nextTryAt.map(clock.date), now: clock.now())
    }

    /// A reader's wish to have the list now; a wait that CoinGecko asked for is kept.
    package func retry() -> RetryOutcome {
        guard isOld else { return .started }
        let until = max(calls.blockedUntil, refresher.status(of: .list).blockedUntil)
        if until > clock.steady() { return .mustWait(until: clock.date(of: until)) }
        let lastAttempt = state.withLock { $0.lastAttempt }
        refresher.request(.list, .click, notBefore: lastAttempt + Self.clickSpacing)
        feed.publish(Topic.coins)
        return .started
    }

    /// Coins by name, symbol or id, the likeliest first; unless it is sure which one is meant, CoinGecko is asked in the
    /// background, its answer counts too, and `Topic.coins` is published when it has come.
    package func search(_ query: String, limit: Int = 20) -> Found {
        let words = query.trimmed.lowercased()
        let (index, named) = state.withLock { ($0.index, $0.asked[words]?.found ?? []) }
        let (coins, isSure) = index.search(words, named: named, limit: limit)
        if isOld { refresher.request(.list) }
        guard !isSure, (2...60).contains(words.count), count > 0 else {
            return Found(coins: coins, isAsking: false)
        }
        return Found(coins: coins, isAsking: askLater(words))
    }

    /// Waits until the list is here or has failed to come, `limit` at most: only a write in the first seconds of
    /// a first start has to.
    package func waitUntilLoaded(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while count == 0, loading.error == nil, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Reads the stored list, then keeps it fresh until cancelled.
    package func run() async {
        await readStored()
        // A search that came before the stored list was read has taken it for missing.
        refresher.forget(.list)
        if count == 0 { refresher.keep(.list) } else if isOld { refresher.request(.list) }
        await refresher.run(self)
    }

    private func readStored() async {
        do {
            guard let listing = try await store.state() else { return }
            let index = CoinIndex(try await store.coins())
            state.withLock { state in
                state.index = index
                state.listing = listing
                state.loading = index.count > 0 ? .loaded(min(listing.fetchedAt, clock.now())) : .idle
            }
        } catch {
            log.error("The stored coin list could not be read", metadata: ["error": "\(error)"])
        }
    }

    private var isOld: Bool {
        let now = clock.now()
        return state.withLock { state in
            guard let fetchedAt = state.listing?.fetchedAt, state.index.count > 0 else { return true }
            return ClockSkew.isOver(fetchedAt, lifetime: Self.lifetime, now: now)
        }
    }

    /// Fetches the list now and stores it; a failure leaves the old list as it is.
    package func refresh() async { await refresher.perform(.list, self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        switch question {
        case .list:
            let now = clock.steady()
            let old = state.withLock { state in
                state.lastAttempt = now
                if state.index.count == 0 { state.loading = .loading }
                return state.index.count == 0 ? nil : state.listing
            }
            if refresher.status(of: .list).failures > 0 { feed.publish(Topic.coins) }
            try await calls.count(1) { try await self.fetch(after: old) }
        case .search(let words): try await ask(words)
        }
        return .done
    }

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        switch (question, failure) {
        case (_, nil): break
        case (.list, let failure?):
            log.warning("The coin list could not be fetched", metadata: ["why": "\(failure)"])
            state.withLock { state in
                if state.index.count == 0 { state.loading = .failed(failure.error) }
            }
        case (.search(let words), let failure?):
            log.info("CoinGecko's search did not answer", metadata: ["why": "\(failure)"])
            let now = clock.steady()
            state.withLock { $0.asked[words] = Asked(until: now + Self.answerLifetime.unanswered) }
        }
        feed.publish(Topic.coins)
    }

    private func fetch(after old: CoinListStore.State?) async throws {
        let answer = try await api.coinList(etag: old?.etag)
        let listing = CoinListStore.State(fetchedAt: clock.now(), etag: answer.etag)
        guard let coins = answer.coins else {
            try await store.renew(listing)
            return state.withLock { state in
                state.listing = listing
                state.loading = .loaded(listing.fetchedAt)
            }
        }
        let known = state.withLock { $0.index }
        let ranked = coins.map { RankedCoin(coin: $0, rank: known.coin(id: $0.id)?.rank) }
        put(CoinIndex(ranked), listing)
        let ranks = await self.ranks()
        let complete = ranks.map { ranks in coins.map { RankedCoin(coin: $0, rank: ranks[$0.id]) } } ?? ranked
        try await store.replace(with: complete, state: listing)
        put(CoinIndex(complete), listing)
    }

    private func put(_ index: CoinIndex, _ listing: CoinListStore.State) {
        state.withLock { state in
            state.index = index
            state.listing = listing
            state.loading = .loaded(listing.fetchedAt)
        }
    }

    /// Places by market value of the largest coins, nil when they cannot be had: the old ones are kept then.
    private func ranks() async -> [String: Int]? {
        do {
            let largest = try await calls.count(1) { try await self.api.largest() }
            return Dictionary(largest.compactMap { quote in quote.rank.map { (quote.coin.id, $0) } }) {
                one, _ in one
            }
        } catch {
            log.info("No ranks for the coin list this time", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// True when CoinGecko is being asked these words, or will be in a moment.
    private func askLater(_ words: String) -> Bool {
        let now = clock.steady()
        let mayAsk = calls.mayAsk(1, leaving: CallBudget.searchReserve)
        let isNew = state.withLock { state in
            state.asked = state.asked.filter { $0.value.until > now }
            guard mayAsk, state.asked[words] == nil, state.asked.count < 30 else { return false }
            state.asked[words] = Asked(until: now + Self.answerLifetime.answered)
            return true
        }
        if isNew { refresher.request(.search(words)) }
        return refresher.status(of: .search(words)).isLoading
    }

    private func ask(_ words: String) async throws {
        let found = try await calls.count(1, leaving: CallBudget.searchReserve) {
            try await self.api.search(words)
        }
        state.withLock { $0.asked[words]?.found = found.map(\.coin.id) }
        // New to the list, or with a rank that only the largest have there.
        let known = state.withLock { $0.index }
        let fresh = found.filter { ranked in
            guard let old = known.coin(id: ranked.coin.id) else { return true }
            return old.rank == nil && ranked.rank != nil
        }
        guard !fresh.isEmpty else { return }
        try await store.add(fresh)
        let index = known.merging(fresh)
        state.withLock { $0.index = index }
    }
}

extension CoinCatalog {
    /// The coin with this id, or else the only likely one with this symbol or name: the largest of them.
    func likelyCoin(named words: String) -> CoinListItem? {
        let words = words.trimmed
        guard !words.isEmpty else { return nil }
        if let coin = coin(id: words) ?? coin(id: words.lowercased()) { return coin }
        let folded = FoldedText.fold(words, ignoresAccents: true)
        return listed(like: words, limit: 20).first { coin in
            [coin.symbol, coin.name].contains { FoldedText.fold($0, ignoresAccents: true) == folded }
        }
    }
}
