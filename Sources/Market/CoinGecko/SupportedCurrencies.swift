package import Foundation
package import Logging
package import RoostSupport
import Synchronization

/// The currencies that CoinGecko gives prices in: a built-in list, refreshed once a week while somebody chooses one.
package final class SupportedCurrencies: Service, RefreshSource {
    package enum Question: Sendable { case codes }

    private struct State {
        var codes: Set<String>?
    }

    /// How old the answer may grow, in seconds.
    package static let lifetime: TimeInterval = 7 * 86_400
    private static let demandLifetime: TimeInterval = 45
    private static let backoff = Backoff(initial: 60, maximum: 3_600)

    private let api: CoinGeckoAPI
    private let calls: CallCounter
    private let feed: ChangeFeed
    private let log: Logger
    private let refresher: Refresher<Question>
    private let state = Mutex(State())

    package init(api: CoinGeckoAPI, calls: CallCounter, feed: ChangeFeed, clock: WallClock, log: Logger) {
        self.api = api
        self.calls = calls
        self.feed = feed
        self.log = log
        refresher = Refresher(clock: clock, backoff: Self.backoff)
    }

    /// All that can be chosen, money first; asking costs nothing.
    package var all: [Currency] {
        guard let codes = state.withLock({ $0.codes }) else { return Currency.builtIn }
        let known = Currency.builtIn.filter { codes.contains($0.code) }
        let others = codes.subtracting(known.map(\.code))
        return known + others.sorted().map { Currency(code: $0) }
    }

    /// Whether prices can be asked for in it, as far as is known; in any letter case.
    package func contains(_ code: String) -> Bool {
        let code = Currency.code(code)
        return all.contains { $0.code == code }
    }

    /// Says that somebody chooses a currency: CoinGecko is asked unless it was within the week. `Topic.currencies` tells
    /// when the answer has come.
    package func want() { refresher.watch(.codes, for: Self.demandLifetime) }

    package func run() async { await refresher.run(self) }

    /// Asks now, whatever is known.
    package func refresh() async { await refresher.perform(.codes, self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        let codes = try await calls.count(1, leaving: CallBudget.searchReserve) {
            try await self.api.supportedCurrencies()
        }
        state.withLock { $0.codes = Set(codes.prefix(Self.maximumCodes)) }
        return .again(after: Self.lifetime)
    }

    /// CoinGecko knows 63; a list of thousands would fill every page that offers the choice.
    private static let maximumCodes = 300

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        if let failure {
            log.info("CoinGecko did not name its currencies", metadata: ["why": "\(failure)"])
        } else {
            feed.publish(Topic.currencies)
        }
    }
}
