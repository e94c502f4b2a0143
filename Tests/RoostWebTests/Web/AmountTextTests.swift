import Foundation
import Testing

@testable import RoostWeb

@Suite struct AmountTextTests {
    @Test(arguments: [
        ("1382947561234.5", "$1.38T"), ("402000000", "$402M"), ("999950000", "$1.00B"), ("1000000", "$1.00M"),
        ("999999.6", "$1,000,000"), ("94318.27", "$94,318"), ("12.345", "$12.35"), ("0.012345", "$0.01235"),
        ("0", "$0"), ("1234567000000000", "$1,235T"),
    ])
    func `a large amount has three digits and a unit`(amount: String, text: String) {
        #expect(AmountText.short(Decimal(string: amount), currency: "usd") == text)
    }

    @Test func `an unknown amount is a dash`() {
        #expect(AmountText.short(nil, currency: "usd") == "–")
        #expect(AmountText.short(.nan) == "–")
        #expect(AmountText.percent(nil) == nil)
    }

    @Test func `other currencies show their sign or code, and coin amounts neither`() {
        #expect(AmountText.short(19_790_000) == "19.8M")
        #expect(AmountText.short(19_790_000, currency: "btc") == "19.8M BTC")
        #expect(AmountText.short(19_790_000, currency: "eur") == "€19.8M")
    }

    @Test(arguments: [
        ("41208.765", "usd", "$41,208.77"), ("-41208.765", "usd", "−$41,208.77"),
        ("0.154823", "usd", "$0.15482"),
        ("0", "usd", "$0"), ("12.5", "btc", "12.500 BTC"), ("-0.5", "eur", "−€0.50000"),
        ("41208.5", "idr", "41,209 IDR"), ("150.2", "jpy", "¥150"), ("-2500", "sats", "−2,500 SATS"),
    ])
    func `money is rounded to hundredths, and below one it is shown as a price`(
        amount: String, currency: String, text: String
    ) throws {
        #expect(AmountText.money(try #require(Decimal(string: amount)), currency: currency) == text)
    }

    @Test func `a gain or loss has a sign`() {
        #expect(AmountText.signedMoney(6_121, currency: "usd") == "+$6,121.00")
        #expect(AmountText.signedMoney(-6_121, currency: "usd") == "−$6,121.00")
        #expect(AmountText.signedMoney(0, currency: "usd") == "$0")
    }

    @Test(arguments: [
        ("9.999", "+10.0 %"), ("-0.001", "0.00 %"),
        ("36.44", "+36.4 %"), ("-36.45", "−36.5 %"), ("1.234", "+1.23 %"), ("0", "0.00 %"),
        ("-0.1", "−0.10 %"), ("12345.6", "+12,345.6 %"),
    ])
    func `a percentage has a sign`(percent: String, text: String) {
        #expect(AmountText.percent(Decimal(string: percent)) == text)
    }

    @Test func `an exact amount keeps every digit`() {
        #expect(
            AmountText.exact(Decimal(string: "1234567.00000000000089") ?? 0) == "1,234,567.00000000000089")
        #expect(AmountText.exact(Decimal(string: "-0.328") ?? 0) == "−0.328")
    }

    @Test func `an axis has as many decimals as the longest of its labels`() {
        let prices = ["62500", "65000", "67500.5"].compactMap { Decimal(string: $0) }
        #expect(AmountText.axis(prices, currency: "usd") == ["$62,500.0", "$65,000.0", "$67,500.5"])
        let tiny = ["0", "0.0000081", "0.00000815"].compactMap { Decimal(string: $0) }
        #expect(AmountText.axis(tiny, currency: "usd") == ["$0", "$0.0₅8100", "$0.0₅8150"])
    }
}
