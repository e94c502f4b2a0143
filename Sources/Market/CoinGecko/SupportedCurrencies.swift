import Foundation
package import Logging
package import RoostSupport
import Synchronization
package import TextFormats

/// The currencies that CoinGecko has prices in: a built-in list, refreshed once a week when someone chooses one.
package final class SupportedCurrencies: Service, RefreshSource {
    package enum Question: Sendable { case codes }

    private struct State {
        var codes: Set<String>?
    }

    package static let lifetime = Duration.seconds(7 * 86_400)
    private static let demandLifetime = Duration.seconds(45)
    private static let backoff = Backoff(initial: .seconds(60), maximum: .seconds(3_600))

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

    /// All currencies that can be chosen, money first. Makes no request.
    package var all: [Currency] {
        guard let codes = state.withLock({ $0.codes }) else { return Currency.builtIn }
        let builtIn = Currency.builtIn.filter { codes.contains($0.code) }
        let additional = codes.subtracting(builtIn.map(\.code))
        return builtIn + additional.sorted().map { Currency(code: $0) }
    }

    /// Whether CoinGecko has prices in this currency, as far as is known; in any letter case.
    package func contains(_ code: String) -> Bool {
        let code = Currency.code(code)
        return all.contains { $0.code == code }
    }

    /// Notes that someone is choosing a currency. Asks CoinGecko unless it did within the week, then publishes
    /// `Topic.currencies`.
    package func watch() { refresher.watch(.codes, for: Self.demandLifetime) }

    package func run() async { await refresher.run(self) }

    package func refresh() async { await refresher.perform(.codes, self) }

    package func refresh(_ question: Question) async throws -> RefreshOutcome {
        let codes = try await calls.count(1, leaving: CallBudget.searchReserve) {
            try await self.api.supportedCurrencies()
        }
        state.withLock { $0.codes = Set(codes.prefix(Self.maximumCodes)) }
        return .again(after: Self.lifetime)
    }

    /// CoinGecko has 63; thousands would fill every page that offers the choice.
    private static let maximumCodes = 300

    package func ended(_ question: Question, _ failure: (any UpstreamFailure)?) {
        if let failure {
            log.info("CoinGecko's currencies could not be fetched", metadata: ["why": "\(failure)"])
        } else {
            feed.publish(Topic.currencies)
        }
    }
}
