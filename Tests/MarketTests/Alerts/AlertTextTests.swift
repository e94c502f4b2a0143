import Foundation
import Testing

@testable import Market

@Suite struct AlertTextTests {
    @Test(arguments: [
        ("90000", "90,000 USD"), ("90120.55", "90,120.55 USD"), ("100", "100 USD"), ("1000", "1,000 USD"),
        ("1234567.1", "1,234,567.1 USD"),
        ("0.00000001234567890123456789", "0.00000001234567890123456789 USD"),
    ])
    func `an amount shows every digit`(_ number: String, _ text: String) throws {
        #expect(AlertText.amount(try #require(Decimal(string: number)), "usd") == text)
    }

    @Test(arguments: [
        ("64250.123456789", "64250.123"), ("64250.12", "64250.12"), ("1.23456789012", "1.2345679"),
        ("0.000012345678912", "0.000012345679"), ("123456789.987", "123456789.99"), ("7", "7"),
    ])
    func `a price is rounded to eight digits and shows at least two decimals`(
        _ price: String, _ rounded: String
    ) throws {
        #expect(AlertText.rounded(try #require(Decimal(string: price))) == Decimal(string: rounded))
    }

    @Test(arguments: [("90000", "90000"), (" 0.0125 ", "0.0125"), (".5", "0.5"), ("5.", "5"), ("007", "7")])
    func `a typed number is read to its last digit`(_ typed: String, _ number: String) {
        #expect(AlertText.number(typed) == Decimal(string: number))
    }

    @Test(arguments: [
        "", " ", ".", "-5", "+5", "1,000", "1e5", "1.2.3", "5 %", "٣", "NaN", "0x10",
        String(repeating: "9", count: 39),
    ])
    func `anything but a plain number is refused`(_ typed: String) { #expect(AlertText.number(typed) == nil) }
}
