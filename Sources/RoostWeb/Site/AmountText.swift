package import Foundation
import RoostSupport
import TextFormats

/// Formats amounts of money and coins other than prices: market values, supplies, holdings, profits.
package enum AmountText {
    /// Returns a short amount, with three digits from a million up: "$1.38T", "$402M", "$94,318", "0.52 BTC". Returns a
    /// dash if the amount is nil.
    ///
    /// - Parameter currency: CoinGecko's code in lower case, or nil for an amount of coins
    package static func short(_ amount: Decimal?, currency: String? = nil) -> String {
        guard let amount, amount.isFinite else { return "–" }
        guard let digits = DecimalDigits(amount) else { return written("0", amount, currency) }
        guard digits.exponent >= 6 else {
            return written(
                digits.rounded(decimals: smallDecimals).groupedText(smallDecimals), amount, currency)
        }
        for (power, letter) in [(6, "M"), (9, "B"), (12, "T")] {
            var scaled = digits
            scaled.exponent -= power
            let rounded = scaled.rounded { max(0, 2 - $0) }
            guard rounded.exponent < 3 || power == 12 else { continue }
            return written(rounded.groupedText { max(0, 2 - $0) } + letter, amount, currency)
        }
        return "–"
    }

    /// Returns two decimals from 1 up, and the precision of a price below: "$41,208.77", "−$0.15482". Currencies
    /// without parts have no decimals from 100 up: "¥41,208".
    package static func money(_ amount: Decimal, currency: String) -> String {
        guard amount.isFinite else { return "–" }
        guard let digits = DecimalDigits(amount) else { return written("0", 0, currency) }
        let currencyInfo = Currency(code: currency)
        if digits.exponent >= 2, !currencyInfo.hasParts {
            return written(digits.rounded { _ in 0 }.text(decimals: 0, grouped: true), amount, currency)
        }
        // A hundredth of a bitcoin is too much to round off.
        guard digits.exponent < 0 || !currencyInfo.hasParts || currencyInfo.kind != .money else {
            return written(digits.rounded { _ in 2 }.text(decimals: 2, grouped: true), amount, currency)
        }
        let price = PriceText(amount.magnitude, currency: currency)
        return (amount < 0 ? "−" : "") + (price?.text ?? "")
    }

    /// Returns `money` with a plus sign for gains: "+$6,121.00".
    package static func signedMoney(_ amount: Decimal, currency: String) -> String {
        (amount > 0 ? "+" : "") + money(amount, currency: currency)
    }

    /// Returns every digit, grouped: "0.328", "1,234.5".
    package static func exact(_ amount: Decimal) -> String {
        guard amount.isFinite, let digits = DecimalDigits(amount) else { return "0" }
        return (amount < 0 ? "−" : "") + digits.text(decimals: digits.decimals, grouped: true)
    }

    /// Returns "+36.4 %": signed, with one decimal from 10 up and two below. Returns nil if the value is nil.
    package static func percent(_ percent: Decimal?) -> String? {
        guard let percent, percent.isFinite else { return nil }
        guard let digits = DecimalDigits(percent) else {
            return "0\(Formats.current.numbers.decimalMark)00 %"
        }
        let decimals = digits.rounded { _ in 2 }.exponent > 0 ? 1 : 2
        let number = digits.rounded { _ in decimals }.text(decimals: decimals, grouped: true)
        let isZero = !number.utf8.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        return (isZero ? "" : percent < 0 ? "−" : "+") + number + " %"
    }

    /// Labels of a price axis, all with as many decimals as the most precise one needs.
    package static func axis(_ prices: [Decimal], currency: String) -> [String] {
        let digits = prices.map { DecimalDigits($0) }
        let decimals = digits.map { $0?.decimals ?? 0 }.max() ?? 0
        return zip(prices, digits).map { price, digits in
            guard let digits else { return written("0", 0, currency) }
            if decimals > 7, let text = PriceText(price, currency: currency)?.text { return text }
            return written(digits.text(decimals: decimals, grouped: true), price, currency)
        }
    }

    /// Two decimals below 1,000, none from there up, four significant digits below 1.
    private static func smallDecimals(_ exponent: Int) -> Int {
        switch exponent {
        case 3...: 0
        case 0...: 2
        default: 3 - exponent
        }
    }

    private static func written(_ number: String, _ amount: Decimal, _ code: String?) -> String {
        let minus = amount < 0 ? "−" : ""
        guard let code else { return minus + number }
        let currency = Currency(code: code)
        return currency.sign.map { minus + $0 + number } ?? "\(minus)\(number) \(code.uppercased())"
    }
}

extension DecimalDigits {
    fileprivate func groupedText(_ decimals: (_ exponent: Int) -> Int) -> String {
        text(decimals: decimals(exponent), grouped: true)
    }
}

/// "1 review", "1,204 reviews".
package enum CountText {
    /// - Parameter noun: its plural ends in "s"
    package static func of(_ count: Int, _ noun: String) -> String {
        "\(NumberText.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}

/// Whole numbers with thousands separators: "4,812".
package enum NumberText {
    package static func grouped(_ number: Int) -> String {
        // 19 digits, 6 marks of up to two bytes and a minus of three.
        let capacity = 40
        let mark = Formats.current.numbers.groupMark
        return String(unsafeUninitializedCapacity: capacity) { text in
            var start = capacity
            func put(_ byte: UInt8) {
                start -= 1
                text[start] = byte
            }
            var rest = number.magnitude
            var digits = 0
            repeat {
                if digits > 0, digits % 3 == 0 { for byte in mark.utf8.reversed() { put(byte) } }
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
                digits += 1
            } while rest > 0
            if number < 0 { for byte in "−".utf8.reversed() { put(byte) } }
            for index in start..<capacity { text[index - start] = text[index] }
            return capacity - start
        }
    }
}
