import Foundation
import Testing

@testable import Market

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

    @Test(arguments: [
        ("btc bitcoin", "bitcoin"), ("cash bitcoin", "bitcoin-cash"), ("sv bitcoin", "bitcoin-cash-sv"),
        ("bitcoin wrapped", "wrapped-bitcoin"), ("eth  ethereum", "ethereum"),
    ])
    func `words are found in any order, in the name, the symbol and the id`(query: String, id: String) throws
    {
        #expect(found(query, in: try sample()).first == id)
    }

    @Test func `a coin without one of the words is not found`() throws {
        #expect(found("bitcoin zebra", in: try sample()).isEmpty)
    }

    @Test func `the order depends on both the match and the coin's rank`() throws {
        let coins = try sample()
        #expect(
            found("bitcoin", in: coins) == [
                "bitcoin", "bitcoin-cash", "wrapped-bitcoin", "bitcoin-cash-sv", "harrypotter",
            ])
    }

    @Test func `a large coin that starts with the query comes before a small exact match`() throws {
        let coins = [
            try coin("shiba", "shiba", "Shiba"), try coin("shiba-inu", "shib", "Shiba Inu", rank: 12),
            try coin("bit", "bit", "Bit", rank: 76), try coin("bitcoin", "btc", "Bitcoin", rank: 1),
        ]
        #expect(found("shiba", in: coins) == ["shiba-inu", "shiba"])
        #expect(found("bit", in: coins) == ["bitcoin", "bit"])
    }

    @Test func `an unranked exact match comes before a large coin that contains the query`() throws {
        let coins = [try coin("cash", "cash", "Cash"), try coin("ecash", "xec", "eCash", rank: 200)]
        #expect(found("cash", in: coins) == ["cash", "ecash"])
    }

    @Test(arguments: [
        ("$btc", "bitcoin"), ("#BTC", "bitcoin"), ("bitcoincash", "bitcoin-cash"),
        ("bitcoin-cash", "bitcoin-cash"), ("ether eum", "ethereum"), ("w.btc", "wrapped-bitcoin"),
        ("bitcoin_sv", "bitcoin-cash-sv"),
    ])
    func `spaces and punctuation make no difference`(query: String, id: String) throws {
        let coins = try sample()
        #expect(found(query, in: coins).first == id)
    }

    @Test func `of coins that differ only in spaces and punctuation, the exact spelling comes first`() throws
    {
        let coins = [try coin("one", "btcb", "One"), try coin("other", "btc.b", "Another")]
        #expect(found("btc.b", in: coins) == ["other", "one"])
        #expect(found("btcb", in: coins) == ["one", "other"])
    }

    @Test(arguments: [
        ("etherium", "another letter"), ("etherum", "one less"), ("etherreum", "one more"),
        ("ehtereum", "two swapped"), ("dthereum", "the first one"), ("ethereun", "the last one"),
        ("etehre", "in what is still being typed"),
    ])
    func `one typing error is forgiven`(query: String, edit: String) throws {
        let coins = try sample()
        #expect(found(query, in: coins) == ["ethereum"])
        #expect(!CoinIndex(coins).search(query).isSure)
    }

    @Test(arguments: ["etherimu1", "ethxxeum", "hteereum", "ehtereun"])
    func `two typing errors are not`(query: String) throws {
        let coins = try sample()
        #expect(found(query, in: coins).isEmpty)
    }

    @Test
    func `typing errors are not tried when the match is certain, and rank after exact matches`()
        throws
    {
        let coins = [
            try coin("pepe", "pepe", "Pepe", rank: 30), try coin("pepa", "pepa", "Pepa"),
            try coin("pepo", "pepo", "Pepo"),
        ]
        #expect(found("pepe", in: coins) == ["pepe"])
        #expect(found("pepa", in: coins) == ["pepa", "pepe", "pepo"])
    }

    @Test func `short words are codes: one error may change the code, and their prefixes are not corrected`()
        throws
    {
        let coins = try sample()
        #expect(found("bx", in: coins).isEmpty)
        #expect(found("btx", in: coins) == ["bitcoin"])
        #expect(found("bitx", in: coins).isEmpty)
    }

    @Test func `coins that CoinGecko names are found between the good and the weak matches`()
        throws
    {
        let coins = try sample() + [try coin("gold", "gold", "Digital Gold")]
        let index = CoinIndex(coins)
        let named = ["bitcoin", "bitcoin-cash", "stranger"]
        #expect(
            index.search("digital g", named: named).coins.map(\.coin.id) == [
                "bitcoin", "bitcoin-cash", "gold",
            ])
        #expect(
            index.search("eth", named: ["bitcoin-cash"]).coins.map(\.coin.id) == ["ethereum", "bitcoin-cash"])
    }

    @Test func `id, symbol and name are searched, in any case and surrounded by any white space`() throws {
        let coins = try sample()
        #expect(found("  BCH ", in: coins) == ["bitcoin-cash"])
        #expect(found("Bitcoin SV", in: coins) == ["bitcoin-cash-sv"])
        #expect(found("cash-sv", in: coins) == ["bitcoin-cash-sv"])
        #expect(found("\tETHER", in: coins) == ["ethereum"])
    }

    @Test func `a match never spans two fields or two coins`() throws {
        let coins = try sample()
        for query in ["bitcoinbtc", "btcbitcoin", "bitcoin\u{0}btc", "ethethereum"] {
            #expect(found(query, in: coins).isEmpty)
        }
    }

    @Test(arguments: ["", " ", "\n\t", "\u{0}", "\u{0}\u{0}\u{0}"])
    func `an empty query and a zero byte find nothing`(query: String) throws {
        let coins = try sample()
        #expect(found(query, in: coins).isEmpty)
        #expect(!CoinIndex(coins).search(query).isSure)
    }

    @Test func `a name with a zero byte does not affect other names`() throws {
        let coins = [try coin("a\u{0}b", "z\u{0}", "Zero\u{0}Byte"), try coin("bitcoin", "btc", "Bitcoin")]
        #expect(found("bitcoin", in: coins) == ["bitcoin"])
        #expect(found("zerobyte", in: coins) == ["a\u{0}b"])
    }

    @Test func `an empty index finds nothing`() {
        let index = CoinIndex()
        #expect(index.count == 0 && index.coin(id: "bitcoin") == nil)
        #expect(index.search("bitcoin").coins.isEmpty)
    }

    @Test func `a query longer than the whole index finds nothing`() throws {
        let coins = try sample()
        #expect(found(String(repeating: "bitcoin", count: 10_000), in: coins).isEmpty)
    }

    @Test func `the last byte of the last name can be found`() throws {
        let coins = try sample()
        #expect(found("reum", in: coins) == ["ethereum"])
    }

    @Test func `at most the limit is returned, best matches first`() throws {
        let coins = try sample()
        #expect(found("bitcoin", in: coins, limit: 2) == ["bitcoin", "bitcoin-cash"])
        #expect(found("bitcoin", in: coins, limit: 0).isEmpty)
    }

    @Test func `a symbol shared by many coins finds them all, the largest first and the unranked last`()
        throws
    {
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

    @Test func `coins of the same rank are sorted by the shorter name, then by id`() throws {
        let coins = [
            try coin("c", "x1", "Pepe Classic"), try coin("b", "x2", "Pepe Two"),
            try coin("a", "x3", "Pepe One"),
        ]
        #expect(found("pepe", in: coins) == ["a", "b", "c"])
    }

    @Test func `a coin with several matches appears once, by its best match`() throws {
        let coins = [try coin("my-eth", "myeth", "eth"), try coin("eth-x", "y", "z")]
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

    @Test
    func `a match is certain only at the start of a ranked coin's name or symbol`()
        throws
    {
        let index = CoinIndex(
            try sample() + [try coin("ethos", "vgx", "Ethos"), try coin("zeta", "zz", "Zeta")])
        #expect(!index.search("itcoi").isSure && !index.search("cash").isSure)
        #expect(index.search("bitc").isSure && index.search("eth").isSure && index.search("bch").isSure)
        #expect(!index.search("zeta").isSure)
    }

    @Test func `a coin is found only by its exact id`() throws {
        let index = CoinIndex(try sample())
        #expect(index.coin(id: "bitcoin")?.rank == 1)
        #expect(index.coin(id: "Bitcoin") == nil && index.coin(id: "btc") == nil)
    }
}
