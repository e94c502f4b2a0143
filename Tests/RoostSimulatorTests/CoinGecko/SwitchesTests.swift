import Foundation
import Testing

@testable import RoostSimulator

@Suite struct SwitchesTests {
    private let market = TestMarket(coins: 300)

    @Test func `a delisted coin disappears everywhere`() throws {
        let before = market.ask("/coins/list")
        market.simulation.change { $0.delisted = ["dogecoin"] }
        #expect(try market.coin("dogecoin") == nil)
        #expect(try !market.ask("/coins/list").ids.contains("dogecoin"))
        #expect(market.ask("/coins/list").header("ETag") != before.header("ETag"))
        #expect(!market.ask("/search?query=dogecoin").text.contains("\"dogecoin\""))
        #expect(market.ask("/simple/price?ids=dogecoin&vs_currencies=usd").text == "{}")
        #expect(market.ask("/coins/dogecoin/market_chart?vs_currency=usd&days=1").status == 404)
        #expect(try !market.markets("per_page=250").contains { $0.text("id") == "dogecoin" })
    }

    @Test func `a renamed coin keeps its id`() throws {
        market.simulation.change { $0.renamed = ["ripple": "Ripple Reborn"] }
        #expect(try market.coin("ripple")?.text("name") == "Ripple Reborn")
        #expect(market.ask("/coins/list").text.contains("Ripple Reborn"))
        market.simulation.change { $0 = CoinGeckoControls() }
        #expect(try market.coin("ripple")?.text("name") == "XRP")
    }

    @Test(arguments: CoinGeckoControls.Malformation.allCases)
    func `an item is broken as ordered while the others stay intact`(
        _ malformation: CoinGeckoControls.Malformation
    ) throws {
        market.simulation.change { $0.malformed = ["ethereum": malformation] }
        let answer = market.ask("/coins/markets?vs_currency=usd&ids=bitcoin,ethereum,solana")
        let elements = try #require(RawJSON(answer.body[...])?.elements)
        #expect(elements.count == 3)
        #expect(elements.last?["id"]?.string == "solana")
        let broken = elements[1]
        switch malformation {
        case .missingID: #expect(broken["id"] == nil)
        case .numericID: #expect(broken["id"]?.text == "1")
        case .negativePrice: #expect((broken["current_price"]?.number ?? 0) < 0)
        case .textPrice: #expect(broken["current_price"]?.string == "n/a")
        case .nullName: #expect(broken["name"]?.isNull == true)
        case .missingPrice: #expect(broken["current_price"] == nil)
        case .objectDate: #expect(broken["last_updated"]?.members?.first?.key == "when")
        case .notAnObject: #expect(broken.text == "42")
        }
    }

    @Test func `stray items are mixed into every page`() throws {
        market.simulation.change { $0.strayItems = true }
        let elements = try #require(
            RawJSON(market.ask("/coins/markets?vs_currency=usd&ids=bitcoin").body[...])?.elements)
        #expect(elements.count == 5)
        #expect(elements.last?["id"]?.string == "bitcoin")
        #expect(elements[0]["id"] == nil && elements[1]["id"]?.isNull == true)
    }
}
