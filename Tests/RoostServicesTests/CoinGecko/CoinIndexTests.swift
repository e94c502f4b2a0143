import Foundation
import RoostServices
import Testing

@Suite struct CoinIndexTests {
    private func coin(_ id: String, _ symbol: String, _ name: String, rank: Int? = nil) throws -> RankedCoin {
        RankedCoin(coin: try CoinListItem(id: id, symbol: symbol, name: name), rank: rank)
    }

    private func found(_ query: String, in coins: [RankedCoin], limit: Int = 20) -> [String] {
        CoinIndex(coins).search(query, limit: limit).coins.map(\.coin.id)
    }

    private func sample() throws -> [RankedCoin] {
        [
            try coin("wrapped-bitcoin", "wbtc", "Wrapped Bitcoin", rank: 15),
            try coin("bitcoin-cash", "bch", "Bitcoin Cash", rank: 20),
            try coin("bitcoin", "btc", "Bitcoin", rank: 1),
            try coin("bitcoin-cash-sv", "bsv", "Bitcoin SV", rank: 60),
            try coin("harrypotter", "bitcoin", "HarryPotterObamaSonic10Inu", rank: 700),
            try coin("ethereum", "eth", "Ethereum", rank: 2),
        ]
    }

    @Test func `exact hits come first, then prefixes, then the rest, each by rank`() throws {
        let coins = try sample()
        #expect(
            found("bitcoin", in: coins) == [
                "bitcoin", "harrypotter", "bitcoin-cash", "bitcoin-cash-sv", "wrapped-bitcoin",
            ])
    }

    @Test func `id, symbol and name are all searched, in any case and within white space`() throws {
        let coins = try sample()
        #expect(found("  BCH ", in: coins) == ["bitcoin-cash"])
        #expect(found("Bitcoin SV", in: coins) == ["bitcoin-cash-sv"])
        #expect(found("cash-sv", in: coins) == ["bitcoin-cash-sv"])
        #expect(found("\tETHER", in: coins) == ["ethereum"])
    }

    @Test func `a hit never runs from one field or one coin into the next`() throws {
        let coins = try sample()
        for query in ["bitcoinbtc", "btcbitcoin", "bitcoin\u{0}btc", "ethethereum", "bitcoincash"] {
            #expect(found(query, in: coins).isEmpty)
        }
    }

    @Test(arguments: ["", " ", "\n\t", "\u{0}", "\u{0}\u{0}\u{0}"])
    func `an empty query and one of zero bytes find nothing`(query: String) throws {
        let coins = try sample()
        #expect(found(query, in: coins).isEmpty)
        #expect(!CoinIndex(coins).search(query).isGood)
    }

    @Test func `a name with a zero byte in it harms no other`() throws {
        let coins = [try coin("a\u{0}b", "z\u{0}", "Zero\u{0}Byte"), try coin("bitcoin", "btc", "Bitcoin")]
        #expect(found("bitcoin", in: coins) == ["bitcoin"])
        #expect(found("zerobyte", in: coins) == ["a\u{0}b"])
    }

    @Test func `an empty index finds nothing`() {
        let index = CoinIndex()
        #expect(index.count == 0 && index.coin(id: "bitcoin") == nil)
        #expect(index.search("bitcoin").coins.isEmpty)
    }

    @Test func `a query longer than all text finds nothing`() throws {
        let coins = try sample()
        #expect(found(String(repeating: "bitcoin", count: 10_000), in: coins).isEmpty)
    }

    @Test func `the last byte of the last name is found`() throws {
        let coins = try sample()
        #expect(found("reum", in: coins) == ["ethereum"])
    }

    @Test func `no more than the limit come, the best of them`() throws {
        let coins = try sample()
        #expect(found("bitcoin", in: coins, limit: 2) == ["bitcoin", "harrypotter"])
        #expect(found("bitcoin", in: coins, limit: 0).isEmpty)
    }

    @Test func `a symbol shared by many finds them all, the largest first and the unranked last`() throws {
        let coins = try (1...68).map { number in
            try coin(
                "weth-\(number)", "weth", "Wrapped \(number)", rank: number % 3 == 0 ? 100 - number : nil)
        }
        let index = CoinIndex(coins)
        let hits = index.search("weth", limit: 100).coins
        #expect(hits.count == 68)
        let ranks = hits.map { $0.rank ?? .max }
        #expect(ranks == ranks.sorted())
        #expect(hits.first?.coin.id == "weth-66")
    }

    @Test func `coins of one rank come by the shorter name, then by id`() throws {
        let coins = [
            try coin("c", "x1", "Pepe Classic"), try coin("b", "x2", "Pepe Two"),
            try coin("a", "x3", "Pepe One"),
        ]
        #expect(found("pepe", in: coins) == ["a", "b", "c"])
    }

    @Test func `a coin with several hits counts once, by its best one`() throws {
        let coins = [try coin("my-eth", "myeth", "eth"), try coin("eth-x", "y", "z", rank: 1)]
        #expect(found("eth", in: coins) == ["my-eth", "eth-x"])
    }

    @Test(arguments: [
        ("柴犬", "shiba"), ("狗", "shiba"), ("ankaragücü", "anka"), ("ANKARAGÜCÜ", "anka"), ("🤡", "clown"),
        ("boringdao-[old]", "boringdao-[old]"), ("[OLD]", "boringdao-[old]"), ("1move token", "1move token"),
        ("& co", "amp"), ("\"quoted\"", "amp"),
    ])
    func `names of any script, emoji, brackets and spaces are found`(query: String, id: String) throws {
        let coins = [
            try coin("shiba", "sh", "柴犬 狗狗"), try coin("anka", "an", "Ankaragücü Fan Token"),
            try coin("clown", "🤡", "Clown"), try coin("boringdao-[old]", "bor", "BoringDAO [OLD]"),
            try coin("1move token", "1mt", "1Move Token"), try coin("amp", "am", "A & Co \"quoted\""),
        ]
        #expect(found(query, in: coins) == [id])
    }

    @Test func `a chance match inside a word is no good hit, a prefix is`() throws {
        let index = CoinIndex(try sample())
        #expect(!index.search("itcoi").isGood)
        #expect(index.search("bitc").isGood)
        #expect(index.search("eth").isGood)
    }

    @Test func `a coin is found by its exact id and by nothing else`() throws {
        let index = CoinIndex(try sample())
        #expect(index.coin(id: "bitcoin")?.rank == 1)
        #expect(index.coin(id: "Bitcoin") == nil && index.coin(id: "btc") == nil)
    }
}
