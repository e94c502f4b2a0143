package import Foundation
import Logging
import Synchronization

/// All coins that CoinGecko knows: read from SQLite at start, fetched anew in the background after 7 days.
package final class CoinCatalog: Service {
    /// What a search found. `isAsking`: CoinGecko itself is being asked too, for coins newer than the list.
    package struct Found: Sendable {
        package let coins: [RankedCoin]
        package let isAsking: Bool
    }

    private struct State {
        var index = CoinIndex()
        var loading: LoadingState<Date> = .idle
        var listing: CoinListStore.State?
        var nextTry = Date.distantPast
        var failures = 0
        var asked: [String: Date] = [:]
        /// Words that CoinGecko is still to be asked, in turn.
        var asking: [String] = []
    }

    /// The mission's figure: how old the list may grow.
    package static let lifetime: TimeInterval = 7 * 86_400
    /// Words asked of CoinGecko are not asked again for this long, in seconds.
    private static let memory: TimeInterval = 600
    /// After a failure: 15, 30, 60 ... seconds, at most this, so that a lasting one does not eat the month's calls.
    private static let longestBackOff: TimeInterval = 1_800

    private let api: CoinGeckoAPI
    private let store: CoinListStore
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let bell = WakeUp()
    private let state = Mutex(State())

    init(
        api: CoinGeckoAPI, store: CoinListStore, calls: CallCounter, feed: ChangeFeed, clock: WallClock,
        log: Logger
    ) {
        self.api = api
        self.store = store
        self.calls = calls
        self.feed = feed
        self.clock = clock
        self.log = log
    }

    /// When the list was fetched, or why there is none.
    package var loading: LoadingState<Date> { state.withLock { $0.loading } }

    package var count: Int { state.withLock { $0.index.count } }

    package func coin(id: String) -> CoinListItem? {
        state.withLock { $0.index }.coin(id: id)?.coin
    }

    /// Coins by name, symbol or id; when only chance matches are here, CoinGecko is asked in the background, and
    /// `Topic.coins` is published when its answer has come.
    package func search(_ query: String, limit: Int = 20) -> Found {
        let words = query.trimmed.lowercased()
        let (coins, isGood) = state.withLock { $0.index }.search(words, limit: limit)
        bell.ring()
        guard !isGood, (2...60).contains(words.count), count > 0 else {
            return Found(coins: coins, isAsking: false)
        }
        return Found(coins: coins, isAsking: askLater(words))
    }

    /// Waits until the list is here or has failed to come, `limit` at most: only a write in the first seconds of
    /// a first start has to.
    package func settle(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        while count == 0, loading.error == nil, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Reads the stored list, then keeps it fresh until cancelled.
    package func run() async {
        await readStored()
        while !Task.isCancelled {
            await refreshIfDue()
            while let words = state.withLock({ $0.asking.first }), !Task.isCancelled { await ask(words) }
            let wait = state.withLock { state in
                state.index.count == 0 ? max(0.05, state.nextTry.timeIntervalSince(clock.steady())) : nil
            }
            await bell.wait(atMost: wait.map { .seconds($0) })
        }
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

    private func refreshIfDue() async {
        let (now, steady) = (clock.now(), clock.steady())
        let isDue = state.withLock { state in
            let isOld = state.listing.map {
                ModelTime.isOver($0.fetchedAt, lifetime: Self.lifetime, now: now)
            }
            return (isOld ?? true || state.index.count == 0) && state.nextTry <= steady
        }
        if isDue { await refresh() }
    }

    /// Fetches the list now and stores it; a failure leaves the old list as it is.
    package func refresh() async {
        let old = state.withLock { state in
            if state.index.count == 0 { state.loading = .loading }
            return state.index.count == 0 ? nil : state.listing
        }
        do {
            try await calls.count(1) { try await self.fetch(after: old) }
        } catch {
            let failure =
                (error as? CoinGeckoAPI.Failure) ?? .init(error: .unknown("\(error)"), detail: "\(error)")
            log.warning("The coin list could not be fetched", metadata: ["why": "\(failure.detail)"])
            state.withLock { state in
                state.failures += 1
                let grown = min(15 * pow(2, Double(state.failures - 1)), Self.longestBackOff)
                state.nextTry = clock.steady() + max(grown * .random(in: 0.8...1.2), failure.retryAfter ?? 0)
                if state.index.count == 0 { state.loading = .failed(failure.error) }
            }
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
                state.failures = 0
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
            state.failures = 0
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
        let asks = state.withLock { state in
            state.asked = state.asked.filter { now.timeIntervalSince($0.value) < Self.memory }
            if state.asked[words] != nil || state.asked.count >= 30 { return state.asking.contains(words) }
            state.asked[words] = now
            state.asking.append(words)
            return true
        }
        if asks { bell.ring() }
        return asks
    }

    private func ask(_ words: String) async {
        do {
            let found = try await calls.count(1) { try await self.api.search(words) }
            let known = state.withLock { $0.index }
            let fresh = found.filter { known.coin(id: $0.coin.id) == nil }
            if !fresh.isEmpty {
                try await store.add(fresh)
                let index = CoinIndex(try await store.coins())
                state.withLock { $0.index = index }
            }
        } catch {
            log.info("CoinGecko's search did not answer", metadata: ["error": "\(error)"])
            // Not answered is not answered: the next search may ask again, in a minute.
            state.withLock { $0.asked[words] = clock.steady() - Self.memory + 60 }
        }
        state.withLock { $0.asking.removeAll { $0 == words } }
        feed.publish(Topic.coins)
    }
}
