import Market
import RoostWeb

struct CoinSearchView: Sendable {
    let query: String
    let results: [CoinResult]
    let isPending: Bool
    let list: CoinListView
    let error: String?
    let listId: WatchlistID?
    private let hasList: Bool

    /// - Parameters:
    ///   - isPending: whether a request to CoinGecko is in progress that may find more
    ///   - missingList: why the coin list is missing; nil if it has loaded
    ///   - listId: nil for the user's first list
    init(
        query: String = "", results: [CoinResult] = [], isPending: Bool = false,
        missingList: CoinCatalog.ListStatus? = nil, error: String? = nil, listId: WatchlistID? = nil
    ) {
        self.query = query
        self.results = results
        self.isPending = isPending
        self.error = error
        self.listId = listId
        list = CoinListView(missingList)
        hasList = missingList == nil
    }

    var hasResults: Bool { !results.isEmpty }
    var isNothingFound: Bool { !query.isEmpty && results.isEmpty && !isPending && hasList && error == nil }
    var searchList: String? { listId.map(String.init) }
    var searchError: TimedText? { error.map(TimedText.init) }
}

struct CoinResult: Sendable {
    let coinId: String
    let name: String
    let symbol: String
    let rank: Int?
    let isListed: Bool

    /// - Parameter isListed: whether the list already includes the coin
    init(coinId: String, name: String, symbol: String, rank: Int? = nil, isListed: Bool = false) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.rank = rank
        self.isListed = isListed
    }

    var resultPath: String { PathSegment(coinId).description }
}
