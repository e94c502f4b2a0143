package import Foundation
package import Logging
package import RoostSupport
import Synchronization
import TextFormats

/// All coins that CoinGecko lists. Reads them from SQLite at the start, and fetches them again in the background after
/// 7 days.
package final class CoinCatalog: Service, RefreshSource {
    package enum Question: Hashable, Sendable {
        case list
        case search(String)
    }

    /// The result of a search. `isPending` is true while CoinGecko is asked too, since it knows newer coins and other
    /// spellings.
    package struct SearchResults: Sendable {
        package let coins: [RankedCoin]
        package let isPending: Bool
    }

    package struct ListStatus: Sendable, Equatable {
        package let error: APIError?
        package let isTrying: Bool
        package let nextTryAt: Date?
        package let now: Date
    }

    private struct RecentSearch {
        var until: ContinuousClock.Instant
        var found: [String] = []
    }

    private struct State {
        var index = CoinIndex()
        var loading: LoadingState<Date> = .idle
        var listing: CoinListStore.State?
        var searches: [String: RecentSearch] = [:]
        /// When the list was last requested.
        var lastAttempt = ContinuousClock.Instant.distantPast
    }

    /// How old the list may get (mission), in seconds.
    package static let lifetime: TimeInterval = 7 * 86_400
    /// How long a search at CoinGecko is not repeated; shorter if it failed.
    private static let answerLifetime = (answered: Duration.seconds(600), unanswered: Duration.seconds(60))
    /// The minimum time between the last request and a click's.
    private static let clickSpacing = Duration.seconds(2)
    /// Long enough that a lasting failure does not use up the month's calls.
    private static let backoff = Backoff(initial: .seconds(15), maximum: .seconds(1_800))

    private let api: CoinGeckoAPI
    private let database: Database
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let refresher: Refresher<Question>
    private let state = Mutex(State())

    package init(
        api: CoinGeckoAPI, database: Database, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.api = api
        self.database = database
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
        refresher = Refresher(clock: clock, backoff: Self.backoff, capacity: 100) { _, running in
            running.isEmpty
        }
    }

    package var loading: LoadingState<Date> { state.withLock { $0.loading } }

    package var count: Int { state.withLock { $0.index.count } }

    package func coin(id: String) -> CoinListItem? {
        state.withLock { $0.index }.coin(id: id)?.coin
    }

    /// All coins with these symbols, which are in lower case. Several coins may share a symbol; the largest is first.
    package func coins(symbols: Set<String>) -> [String: [RankedCoin]] {
        let index = state.withLock { $0.index }
        return Dictionary(grouping: index.coins(symbols: symbols), by: \.coin.symbol)
    }

    /// The best matches in the list, as in `search`, without asking CoinGecko.
    package func listed(like text: String, limit: Int) -> [CoinListItem] {
        let index = state.withLock { $0.index }
        return index.search(text.trimmed.lowercased(), limit: limit).coins.map(\.coin)
    }

    package var missingList: ListStatus? {
        guard count == 0 else { return nil }
        let status = refresher.status(of: .list)
        return ListStatus(
            error: status.error, isTrying: status.isRunning || status.isClicked,
            nextTryAt: status.nextTryAt.map(clock.date), now: clock.now())
    }

    /// Requests the list now, on a reader's click. A wait that CoinGecko asked for still applies.
    package func retry() -> RetryOutcome {
        guard isOld else { return .started }
        let until = max(calls.blockedUntil, refresher.status(of: .list).blockedUntil)
        if until > clock.steady() { return .mustWait(until: clock.date(of: until)) }
        let lastAttempt = state.withLock { $0.lastAttempt }
        refresher.request(.list, .click, notBefore: lastAttempt + Self.clickSpacing)
        feed.publish(Topic.coins)
        return .started
    }

    /// Finds coins by name, symbol or id, best match first. Unless the match is certain, also asks CoinGecko in the
    /// background, whose results are added later; `Topic.coins` is then published.
    package func search(_ query: String, limit: Int = 20) -> SearchResults {
        let text = query.trimmed.lowercased()
        let (index, named) = state.withLock { ($0.index, $0.searches[text]?.found ?? []) }
        let (coins, isSure) = index.search(text, named: named, limit: limit)
        if isOld { refresher.request(.list) }
        guard !isSure, (2...60).contains(text.count), count > 0 else {
            return SearchResults(coins: coins, isPending: false)
        }
        return SearchResults(coins: coins, isPending: requestSearch(text))
    }

    /// Waits until the list is loaded or has failed to load, for `limit` at most. Needed only for a write in the first
    /// seconds of a first start.
    package func waitUntilLoaded(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while count == 0, loading.error == nil, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    package func run() async {
        await readStored()
        // A search before the stored list was read has requested the missing list.
        refresher.forget(.list)
        if count == 0 { refresher.keep(.list) } else if isOld { refresher.request(.list) }
        await refresher.run(self)
    }

    private func readStored() async {
        do {
            let stored = try await database.read { reads in
                try reads.coinListState().map { (listing: $0, coins: try reads.listedCoins()) }
            }
            guard let (listing, coins) = stored else { return }
            let index = CoinIndex(coins)
            state.withLock { state in
                state.index = index
                state.listing = listing
                state.loading = index.count > 0 ? .loaded(min(listing.fetchedAt, clock.now())) : .idle
            }
        } catch {
            log.databaseFailure("The stored coin list could not be read", error)
        }
    }

    private var isOld: Bool {
        let now = clock.now()
        return state.withLock { state in
            guard let fetchedAt = state.listing?.fetchedAt, state.index.count > 0 else { return true }
            return ClockSkew.isExpired(fetchedAt, lifetime: Self.lifetime, now: now)
        }
    }

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
        case .search(let text): try await fetchSearch(text)
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
        case (.search(let text), let failure?):
            log.info("CoinGecko's search failed", metadata: ["why": "\(failure)"])
            let now = clock.steady()
            state.withLock { $0.searches[text] = RecentSearch(until: now + Self.answerLifetime.unanswered) }
        }
        feed.publish(Topic.coins)
    }

    private func fetch(after old: CoinListStore.State?) async throws {
        let answer = try await api.coinList(etag: old?.etag)
        let listing = CoinListStore.State(fetchedAt: clock.now(), etag: answer.etag)
        guard let coins = answer.coins else {
            try await database.write { try $0.setCoinListState(listing) }
            return state.withLock { state in
                state.listing = listing
                state.loading = .loaded(listing.fetchedAt)
            }
        }
        let previous = state.withLock { $0.index }
        let ranked = coins.map { RankedCoin(coin: $0, rank: previous.coin(id: $0.id)?.rank) }
        put(CoinIndex(ranked), listing)
        let ranks = await self.ranks()
        let complete = ranks.map { ranks in coins.map { RankedCoin(coin: $0, rank: ranks[$0.id]) } } ?? ranked
        try await database.write { writes in
            try writes.replaceListedCoins(with: complete)
            try writes.setCoinListState(listing)
        }
        put(CoinIndex(complete), listing)
    }

    private func put(_ index: CoinIndex, _ listing: CoinListStore.State) {
        state.withLock { state in
            state.index = index
            state.listing = listing
            state.loading = .loaded(listing.fetchedAt)
        }
    }

    /// The market value ranks of the largest coins, or nil on failure, which keeps the old ranks.
    private func ranks() async -> [String: Int]? {
        do {
            let largest = try await calls.count(1) { try await self.api.largest() }
            return Dictionary(largest.compactMap { quote in quote.rank.map { (quote.coin.id, $0) } }) {
                one, _ in one
            }
        } catch {
            log.info("The coin list's ranks could not be fetched", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func requestSearch(_ text: String) -> Bool {
        let now = clock.steady()
        let hasBudget = calls.hasBudget(for: 1, leaving: CallBudget.searchReserve)
        let isNew = state.withLock { state in
            state.searches = state.searches.filter { $0.value.until > now }
            guard hasBudget, state.searches[text] == nil, state.searches.count < 30 else { return false }
            state.searches[text] = RecentSearch(until: now + Self.answerLifetime.answered)
            return true
        }
        if isNew { refresher.request(.search(text)) }
        return refresher.status(of: .search(text)).isLoading
    }

    private func fetchSearch(_ text: String) async throws {
        let found = try await calls.count(1, leaving: CallBudget.searchReserve) {
            try await self.api.search(text)
        }
        state.withLock { $0.searches[text]?.found = found.map(\.coin.id) }
        // Coins that the list lacks, or lists without a rank: only the largest have one there.
        let current = state.withLock { $0.index }
        let fresh = found.filter { ranked in
            guard let old = current.coin(id: ranked.coin.id) else { return true }
            return old.rank == nil && ranked.rank != nil
        }
        guard !fresh.isEmpty else { return }
        try await database.write { try $0.addListedCoins(fresh) }
        let index = current.merging(fresh)
        state.withLock { $0.index = index }
    }
}

extension CoinCatalog {
    /// The coin with this id, or else the largest coin with this symbol or name.
    func likelyCoin(named text: String) -> CoinListItem? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        if let coin = coin(id: text) ?? coin(id: text.lowercased()) { return coin }
        let folded = FoldedText.fold(text, ignoresAccents: true)
        return listed(like: text, limit: 20).first { coin in
            [coin.symbol, coin.name].contains { FoldedText.fold($0, ignoresAccents: true) == folded }
        }
    }
}
