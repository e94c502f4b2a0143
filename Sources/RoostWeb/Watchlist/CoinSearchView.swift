/// The box that adds a coin, and what it has found.
package struct CoinSearchView: Sendable {
    package let query: String
    package let results: [CoinResult]
    package let isPending: Bool
    package let error: String?

    /// - Parameters:
    ///   - query: what was typed; "" before anything is
    ///   - isPending: the coin list is not there yet, so nothing can be found
    ///   - error: why the coin was not added, a sentence; stands beside the box
    package init(
        query: String = "", results: [CoinResult] = [], isPending: Bool = false, error: String? = nil
    ) {
        self.query = query
        self.results = results
        self.isPending = isPending
        self.error = error
    }

    package static let sample = CoinSearchView()

    var hasResults: Bool { !results.isEmpty }
    var isNothingFound: Bool { !query.isEmpty && results.isEmpty && !isPending && error == nil }
    var searchError: String? { error }
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
