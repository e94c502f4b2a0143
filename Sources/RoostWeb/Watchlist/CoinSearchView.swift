package import Market

/// The box that adds a coin, and what it has found.
package struct CoinSearchView: Sendable {
    package let query: String
    package let results: [CoinResult]
    package let isAsking: Bool
    package let list: CoinListView
    package let error: String?
    package let listId: WatchlistID?
    private let hasList: Bool

    /// - Parameters:
    ///   - query: what was typed; "" before anything is
    ///   - isAsking: CoinGecko is being asked too, and may find more
    ///   - missingList: why there is no coin list, without which nothing can be found; nil: there is one
    ///   - error: why the coin was not added, a sentence; stands beside the box
    ///   - listId: the list that coins are added to; nil: the user's first
    package init(
        query: String = "", results: [CoinResult] = [], isAsking: Bool = false,
        missingList: CoinCatalog.ListStatus? = nil, error: String? = nil, listId: WatchlistID? = nil
    ) {
        self.query = query
        self.results = results
        self.isAsking = isAsking
        self.error = error
        self.listId = listId
        list = CoinListView(missingList)
        hasList = missingList == nil
    }

    package static let sample = CoinSearchView()

    var hasResults: Bool { !results.isEmpty }
    var isNothingFound: Bool { !query.isEmpty && results.isEmpty && !isAsking && hasList && error == nil }
    var searchList: String? { listId.map(String.init) }
    var searchError: TimedText? { error.map(TimedText.init) }
}

/// A coin that could be added.
package struct CoinResult: Sendable {
    package let coinId: String
    package let name: String
    package let symbol: String
    package let rank: Int?
    package let isListed: Bool

    /// - Parameter isListed: it is on the list already
    package init(coinId: String, name: String, symbol: String, rank: Int? = nil, isListed: Bool = false) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.rank = rank
        self.isListed = isListed
    }

    var resultPath: String { PathSegment(coinId).description }

    package static let samples = [
        CoinResult(coinId: "bitcoin", name: "Bitcoin", symbol: "btc", rank: 1, isListed: true),
        CoinResult(coinId: "bitcoin-cash", name: "Bitcoin Cash", symbol: "bch", rank: 17),
        CoinResult(
            coinId: "bitcoin-avalanche-bridged-btc-b", name: "Avalanche Bridged BTC", symbol: "btc.b",
            rank: 182),
        CoinResult(coinId: "batcat", name: "Bitcoin", symbol: "btc"),
        CoinResult(coinId: "<b>[fake] coin", name: "Bitcoin <script>alert(1)</script>", symbol: "btc&"),
    ]
}
