import Foundation
import Testing

@testable import Market
@testable import MarketWeb

@Suite struct WallPricesTests {
    /// Digits (d) and marks (m): commas, a decimal point, the currency's sign, the count of zeros.
    @Test(arguments: [
        ("1", "usd", "d5 m2"), ("94318.27", "usd", "d7 m3"), ("187.45", "usd", "d5 m2"),
        ("94318.27", "btc", "d7 m6"), ("0.0000000000012", "usd", "d6 m4"), ("0.000008199", "usd", "d6 m3"),
        ("12345678901234567890", "usd", "d22 m8"), ("1234567890123456789012345678", "usd", "d24 m11"),
    ])
    func `a price's size depends on its digits and its marks`(price: String, currency: String, size: String) {
        #expect(size == sizeClasses(of: screen([price], currency: currency)))
    }

    @Test func `all prices of a page have the size of the longest one`() {
        let text = screen(["1", "94318.27", "2.5"])
        #expect(sizeClasses(of: text) == "d7 m3 extra-2")
        #expect(text.components(separatedBy: "<p class=\"figure\">").count == 4)
    }

    @Test func `a page without prices has a size`() {
        #expect(sizeClasses(of: rendered(DisplayScreenView(freshness: .sample, cells: [.none]))) == "d1 m0")
    }

    @Test func `a shorter number is padded to the longest, so that decimal points align`() {
        let text = screen(["1", "94318.27", "1953.92"])
        #expect(pads(in: text) == ["00,00", "0"])
    }

    @Test func `the padding is not part of the price`() throws {
        let text = screen(["1", "94318.27"])
        let data = try #require(text.range(of: "<data value=\"1\""))
        let price = text[data.lowerBound...].prefix { $0 != "\n" }
        // The padding is before the sign, which stays next to its number.
        #expect(
            price.contains(
                "data-pad=\"00,00\"></span><span class=\"sign\">$</span>1.0000<span class=\"unit\">"))
    }

    @Test func `numbers of the same length are not padded`() {
        #expect(pads(in: screen(["10.5", "94.318"])).isEmpty)
        #expect(sizeClasses(of: screen(["10.5", "94.318"])) == "d5 m2")
    }

    @Test(arguments: [("1382000000000", "$1.38T"), (nil, "–")])
    func `a market cap is abbreviated, or a dash`(amount: String?, text: String) throws {
        let cell = DisplayCell(
            coinId: "a", name: "A", symbol: "a", price: 1, change: nil,
            marketCap: amount.flatMap { Decimal(string: $0) })
        let page = rendered(
            DisplayScreenView(freshness: .sample, cells: [cell], settings: DisplaySettings(style: .cap)))
        let start = try #require(page.range(of: "<p class=\"cap\">"))
        #expect(page[start.upperBound...].prefix { $0 != "\n" }.hasSuffix("\(text)</p>"))
    }

    private func screen(_ prices: [String], currency: String = "usd") -> String {
        let cells = prices.enumerated().map { index, price in
            DisplayCell(
                coinId: "c\(index)", name: "C", symbol: "c", price: Decimal(string: price),
                currency: currency, change: nil)
        }
        return rendered(DisplayScreenView(freshness: .sample, cells: cells))
    }

    /// The page's classes for the size of its prices.
    private func sizeClasses(of text: String) -> String {
        let page = text.components(separatedBy: "class=\"page ").dropFirst().first ?? ""
        return page.prefix { $0 != "\"" }.split(separator: " ").prefix { !$0.hasPrefix("wide") }
            .joined(separator: " ")
    }

    private func pads(in text: String) -> [String] {
        text.components(separatedBy: "data-pad=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }
}

extension DisplayCell {
    fileprivate static let none = DisplayCell(
        coinId: "n", name: "None", symbol: "n", price: nil, change: nil)
}
