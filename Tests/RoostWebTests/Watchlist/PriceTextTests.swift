import Foundation
import Testing

@testable import RoostWeb

@Suite struct PriceTextTests {
    @Test func `every digit of ten thousand prices of all sizes is right`() throws {
        for _ in 0..<10_000 {
            let significand = Decimal(UInt64.random(in: 1...(1 << Int.random(in: 0...63))))
            let price = Decimal(sign: .plus, exponent: .random(in: -30...12), significand: significand)
            #expect(try #require(PriceText(price)).number == "\(price)")
        }
    }

    @Test(arguments: [
        "1", "65535", "65536", "4294967296.5", "18446744073709551615", "18446744073709551616",
        "123456789012345678901234567890.12345678", "0.00000000000000000000000000000000001",
    ])
    func `every digit of short and long prices is right`(price: String) throws {
        #expect(try #require(PriceText(decimal(price))).number == price)
    }

    @Test(arguments: -127...90)
    func `every digit is right at every power of ten, from one digit to 38`(power: Int) throws {
        for count in 1...38 {
            let first = "\(Int.random(in: 1...9))"
            let digits =
                count == 1
                ? first : first + (2..<count).map { _ in "\(Int.random(in: 0...9))" }.joined() + "7"
            let price = try Decimal(sign: .plus, exponent: power, significand: decimal(digits))
            let zeros = String(repeating: "0", count: max(0, -power - count + 1))
            let padded = Array(zeros + digits + String(repeating: "0", count: max(0, power)))
            let point = padded.count - max(0, -power)
            let number =
                power >= 0 ? String(padded) : String(padded[..<point]) + "." + String(padded[point...])
            #expect(try #require(PriceText(price)).number == number)
            let grouped = AmountText.exact(-price)
            #expect(grouped.filter { $0 != "," } == "−" + number)
        }
    }

    @Test(arguments: [Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi])
    func `every digit of extreme prices is right`(price: Decimal) throws {
        #expect(try #require(PriceText(price)).number == "\(price)")
    }

    @Test(arguments: [
        ("94318.27", "$94,318.27"), ("3412.8", "$3,412.80"), ("1000", "$1,000.00"),
        ("1234567.891", "$1,234,567.89"),
        ("187.45", "$187.45"), ("214.9", "$214.90"), ("17.0261", "$17.026"), ("14.388", "$14.388"),
        ("1", "$1.0000"),
        ("9.99994", "$9.9999"), ("0.154823", "$0.15482"), ("0.4211", "$0.42110"), ("0.01", "$0.010000"),
        ("0.0099994", "$0.009999"), ("0.0001234", "$0.0001234"), ("0.00006012", "$0.0₄6012"),
        ("0.0000081994", "$0.0₅8199"), ("0.000000000000000000012345", "$0.0₁₉1235"),
        ("123456789012345.67", "$123,456,789,012,345.67"),
    ])
    func `a price has as many digits as its size needs`(price: String, text: String) throws {
        #expect(try #require(PriceText(decimal(price))).text == text)
    }

    @Test(arguments: [
        ("999.995", "$1,000.00"), ("999.9949", "$999.99"), ("99.9996", "$100.00"), ("9.99996", "$10.000"),
        ("0.999996", "$1.0000"), ("0.0099996", "$0.010000"), ("0.000099999", "$0.0001000"),
        ("0.0000099996", "$0.0₄1000"), ("187.445", "$187.45"), ("0.00001234500001", "$0.0₄1235"),
        ("0.000012345", "$0.0₄1235"), ("0.000012344999", "$0.0₄1234"), ("94318.274999", "$94,318.27"),
    ])
    func `a price is rounded half up and carries over into the next size`(price: String, text: String) throws
    {
        #expect(try #require(PriceText(decimal(price))).text == text)
    }

    @Test func `counted zeros come in three parts, and the full price can be read aloud`() throws {
        let price = try #require(PriceText(decimal("0.0000081990")))
        #expect(price.digits == "0.0")
        #expect(price.zeros == 5)
        #expect(price.afterZeros == "8199")
        #expect(price.full == "$0.000008199")
        #expect(price.number == "0.000008199")
    }

    @Test(arguments: [
        ("94318.270000", "94318.27"), ("1e30", "1000000000000000000000000000000"),
        ("1.5e-20", "0.000000000000000000015"),
        ("0.10", "0.1"), ("1200", "1200"),
        ("12345678901234567890.123456789", "12345678901234567890.123456789"),
    ])
    func `the full number keeps every digit, without exponent or trailing zeros`(
        price: String, number: String
    ) throws {
        #expect(try #require(PriceText(decimal(price))).number == number)
    }

    @Test(arguments: [
        ("eur", "1234.5", "€1,234.50"), ("gbp", "0.5", "£0.50000"), ("jpy", "14151234.56", "¥14,151,235"),
        ("jpy", "1000.4", "¥1,000"), ("jpy", "150.256", "¥150.26"), ("USD", "2", "$2.0000"),
        ("chf", "1234.5", "1,234.50 CHF"),
        ("btc", "0.0000123", "0.0₄1230 BTC"), ("jpy", "999.996", "¥1,000"), ("<b>", "2", "2.0000 B"),
        ("cad", "1234.5", "CA$1,234.50"), ("krw", "94318000.4", "₩94,318,000"), ("inr", "7", "₹7.0000"),
        ("clp", "1234567.5", "1,234,568 CLP"), ("btc", "0.00123", "0.001230 BTC"),
        ("sats", "1234.567", "1,235 SATS"), ("idr", "1130400000", "1,130,400,000 IDR"),
        ("xau", "14.5", "14.500 XAU"),
        ("zzz", "1234.5", "1,234.50 ZZZ"),
    ])
    func `a currency has its sign before the number or its code after it`(
        currency: String, price: String, text: String
    ) throws {
        #expect(try #require(PriceText(decimal(price), currency: currency)).text == text)
    }

    @Test func `a missing price has no text`() {
        #expect(PriceText(0) == nil)
        #expect(PriceText(-1) == nil)
        #expect(PriceText(.nan) == nil)
    }

    @Test(arguments: [("94318.27", 9), ("187.45", 6), ("0.0000081994", 8), ("1234567.891", 12)])
    func `a price's width is the width of its digits on a display`(price: String, width: Int) throws {
        #expect(try #require(PriceText(decimal(price))).width == width)
    }

    @Test func `a sign of several letters makes the price wider by its letters`() throws {
        let dollars = try #require(PriceText(decimal("187.45")))
        let canadian = try #require(PriceText(decimal("187.45"), currency: "cad"))
        #expect(canadian.width == dollars.width + 2)
    }

    private func decimal(_ text: String) throws -> Decimal {
        try #require(Decimal(string: text))
    }
}
