import Synchronization

/// Simulates CoinGecko: 17,000 coins and their prices, a pure function of seed, step and clock.
///
/// The data is generated on the first request. Source of the rules: docs.coingecko.com (v3 reference) and
/// recorded responses.
final class CoinGeckoSimulation: CoinGeckoSource {
    private let seed: UInt64
    private let listedCoins: Int
    private let walk: PriceWalk
    private let clock: SimulatorClock
    let errors: CoinGeckoErrors
    private let state = Mutex(State())

    private struct State {
        var controls = CoinGeckoControls()
        var catalogue: CoinCatalogue?
        var ranking: MarketRanking?
        var list: SimulatedResponse?
    }

    /// - Parameters:
    ///   - step: milliseconds between two prices.
    ///   - listedCoins: the number of coins in `/coins/list`; a small one makes tests faster.
    init(
        seed: UInt64, step: Int = 20_000, clock: SimulatorClock = .system, listedCoins: Int = 17_000,
        errors: CoinGeckoErrors = CoinGeckoErrors()
    ) {
        self.seed = seed
        self.listedCoins = listedCoins
        self.clock = clock
        self.errors = errors
        walk = PriceWalk(seed: seed, step: step)
    }

    func change(_ edit: @Sendable (inout CoinGeckoControls) -> Void) {
        state.withLock { state in
            edit(&state.controls)
            state.list = nil
        }
    }

    var controls: CoinGeckoControls {
        state.withLock { $0.controls }
    }

    /// Responds to a request whose User-Agent and keys have already been checked.
    func answer(_ request: SimulatedRequest) -> SimulatedResponse {
        switch request.path {
        case ["ping"]: .json(Array(#"{"gecko_says":"(V3) To the Moon!"}"#.utf8))
        case ["simple", "supported_vs_currencies"]: SimplePrice.currencies
        case ["simple", "price"]: SimplePrice(market: market()).answer(request, errors)
        case ["coins", "list"]: list()
        case ["coins", "markets"]: MarketsPage(market: market()).answer(request, errors)
        case ["search"]: CoinSearch(market: market()).answer(request)
        default: coinPage(request)
        }
    }

    private func coinPage(_ request: SimulatedRequest) -> SimulatedResponse {
        guard request.path.count == 3, request.path[0] == "coins", request.path[2] == "market_chart" else {
            return .failure(404, #"{"error":"Incorrect path. Please check https://www.coingecko.com/api/"}"#)
        }
        return MarketChart(market: market()).answer(request, errors)
    }

    private func list() -> SimulatedResponse {
        if let list = state.withLock({ $0.list }) { return list }
        let market = market()
        let list = CoinList(market: market).answer
        // A control may have changed in the meantime. Then this list is returned but not kept.
        state.withLock { if $0.controls == market.controls { $0.list = list } }
        return list
    }

    private func market() -> Market {
        let now = clock.now()
        return state.withLock { state in
            let catalogue = state.catalogue ?? CoinCatalogue(seed: seed, listed: listedCoins)
            state.catalogue = catalogue
            let hour = now / Timestamp.hour
            let ranking =
                state.ranking.flatMap { $0.hour == hour ? $0 : nil }
                ?? MarketRanking(catalogue: catalogue, walk: walk, hour: hour)
            state.ranking = ranking
            return Market(
                catalogue: catalogue, history: PriceHistory(walk: walk, now: now), ranking: ranking,
                controls: state.controls)
        }
    }
}

protocol CoinGeckoSource: Sendable {
    func answer(_ request: SimulatedRequest) -> SimulatedResponse
    var errors: CoinGeckoErrors { get }
}

/// Changes that tests can make to the simulated coins at run time.
struct CoinGeckoControls: Sendable, Equatable {
    var delisted: Set<String> = []
    var renamed: [String: String] = [:]
    /// Coins with a malformed item in `/coins/markets`, by id.
    var malformed: [String: Malformation] = [:]
    /// Adds four malformed items (without id, with a null id, a number, `null`) to every `/coins/markets`.
    var strayItems = false

    init() {}

    enum Malformation: String, Sendable, CaseIterable, Codable {
        case missingID, numericID, negativePrice, textPrice, nullName, missingPrice, objectDate, notAnObject
    }
}

/// `GET /coins/list`: every listed coin in one response of about a megabyte, without paging.
struct CoinList {
    let market: Market

    var answer: SimulatedResponse {
        var json = JSONWriter(capacity: market.catalogue.coins.count * 72)
        json.array { json in
            for coin in market.catalogue.coins where !coin.traits.contains(.newcomer) && market.isListed(coin)
            {
                json.object { json in
                    json.key("id")
                    json.string(coin.id)
                    json.key("symbol")
                    json.string(coin.symbol)
                    json.key("name")
                    json.string(market.name(of: coin))
                }
            }
        }
        return .json(json.bytes, isStable: true)
    }
}
