import Testing

@testable import RoostSimulator

@Suite struct SearchTests {
    private let market = TestMarket(coins: 2000)

    private func search(_ text: String) throws -> [[String: Any]] {
        try market.ask("/search?query=\(text)").object["coins"] as? [[String: Any]] ?? []
    }

    @Test func `results are sorted by market cap, with capital symbols and their rank`() throws {
        let coins = try search("bitcoin")
        #expect(coins.first?.text("id") == "bitcoin")
        #expect(coins.first?.text("symbol") == "BTC")
        #expect(coins.first?.text("api_symbol") == "bitcoin")
        let ranks = coins.compactMap { $0.number("market_cap_rank") }
        #expect(ranks.count > 2)
        #expect(ranks == ranks.sorted())
    }

    @Test func `coins without a rank come last`() throws {
        let coins = try search("unranked")
        #expect(coins.last?.isNull("market_cap_rank") == true)
    }

    @Test func `name, symbol and id are searched, ignoring case`() throws {
        #expect(try search("XRP").first?.text("id") == "ripple")
        #expect(try search("Binancecoin").first?.text("id") == "binancecoin")
        #expect(try search("shiba%20inu").first?.text("id") == "shiba-inu")
        #expect(try search("%E9%BE%99").first?.text("id") == "long-2")
    }

    @Test func `a coin is found by words that are in none of its names`() throws {
        #expect(try search("Etherium").first?.text("id") == "ethereum")
        #expect(try search("digital%20gold").first?.text("id") == "bitcoin")
    }

    @Test func `a coin too new for the list is found`() throws {
        #expect(try search("yesterday").map { $0.text("id") } == ["born-yesterday"])
        #expect(try !market.ask("/coins/list").ids.contains("born-yesterday"))
        #expect(try market.coin("born-yesterday")?.number("current_price") != nil)
    }

    @Test func `at most 25 coins are returned, none for nonsense, and the other kinds are present`() throws {
        #expect(try search("a").count == 25)
        #expect(try search("xqzxqzxqz").isEmpty)
        #expect(try search("").count == 25)
        let answer = try market.ask("/search?query=bitcoin").object
        #expect(answer.keys.sorted() == ["categories", "coins", "exchanges", "icos", "nfts"])
    }
}
