import Market

/// The box that adds a coin, and what it has found.
struct CoinSearchView: Sendable {
    let query: String
    let results: [CoinResult]
    let isAsking: Bool
    let list: CoinListView
    let error: String?
    let listId: WatchlistID?
    private let hasList: Bool

    /// - Parameters:
    ///   - query: what was typed; "" before anything is
    ///   - isAsking: CoinGecko is being asked too, and may find more
    ///   - missingList: why there is no coin list, without which nothing can be found; nil: there is one
    ///   - error: why the coin was not added, a sentence; stands beside the box
    ///   - listId: the list that coins are added to; nil: the user's first
    init(
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

    var hasResults: Bool { !results.isEmpty }
    var isNothingFound: Bool { !query.isEmpty && results.isEmpty && !isAsking && hasList && error == nil }
    var searchList: String? { listId.map(String.init) }
    var searchError: TimedText? { error.map(TimedText.init) }
}

/// A coin that could be added.
struct CoinResult: Sendable {
    let coinId: String
    let name: String
    let symbol: String
    let rank: Int?
    let isListed: Bool

    /// - Parameter isListed: it is on the list already
    init(coinId: String, name: String, symbol: String, rank: Int? = nil, isListed: Bool = false) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.rank = rank
        self.isListed = isListed
    }

    var resultPath: String { PathSegment(coinId).description }
}
