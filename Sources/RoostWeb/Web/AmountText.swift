import Foundation
import Market

/// Amounts of money and of coins that are no prices: market values, supplies, holdings, profits.
enum AmountText {
    /// In short, with three figures from a million on: "$1.38T", "$402M", "$94,318", "0.52 BTC"; a dash where it is not
    /// known.
    ///
    /// - Parameter currency: CoinGecko's code in lower case; nil for an amount of coins
    static func short(_ amount: Decimal?, currency: String? = nil) -> String {
        guard let amount, amount.isFinite else { return "–" }
        guard let digits = DecimalDigits(amount) else { return written("0", amount, currency) }
        guard digits.exponent >= 6 else {
            return written(digits.rounded(decimals: smallDecimals).figures(smallDecimals), amount, currency)
        }
        for (power, letter) in [(6, "M"), (9, "B"), (12, "T")] {
            var scaled = digits
            scaled.exponent -= power
            let rounded = scaled.rounded { max(0, 2 - $0) }
            guard rounded.exponent < 3 || power == 12 else { continue }
            return written(rounded.figures { max(0, 2 - $0) } + letter, amount, currency)
        }
        return "–"
    }

    /// To the hundredth from 1 on, and as a price below: "$41,208.77", "−$0.15482".
    static func money(_ amount: Decimal, currency: String) -> String {
        guard amount.isFinite else { return "–" }
        guard let digits = DecimalDigits(amount) else { return written("0", 0, currency) }
        let known = Currency(code: currency)
        // A hundredth of a bitcoin is no small change.
        guard digits.exponent < 0 || !known.hasParts || known.kind != .money else {
            return written(digits.rounded { _ in 2 }.text(decimals: 2, grouped: true), amount, currency)
        }
        let price = PriceText(amount.magnitude, currency: currency)
        return (amount < 0 ? "−" : "") + (price?.text ?? "")
    }

    /// The same with its sign: "+$6,121.00".
    static func gain(_ amount: Decimal, currency: String) -> String {
        (amount > 0 ? "+" : "") + money(amount, currency: currency)
    }

    /// Every digit that is known, grouped: "0.328", "1,234.5".
    static func exact(_ amount: Decimal) -> String {
        guard amount.isFinite, let digits = DecimalDigits(amount) else { return "0" }
        return (amount < 0 ? "−" : "") + digits.text(decimals: digits.decimals, grouped: true)
    }

    /// "+36.4 %", with a sign and one decimal from 10 on; nil where it is not known.
    static func percent(_ percent: Decimal?) -> String? {
        guard let percent, percent.isFinite else { return nil }
        guard let digits = DecimalDigits(percent) else { return "0.00 %" }
        let decimals = digits.exponent > 0 ? 1 : 2
        let figures = digits.rounded { _ in decimals }.text(decimals: decimals, grouped: true)
        return (percent < 0 ? "−" : "+") + figures + " %"
    }

    /// Figures of a price axis: all with as many decimals as the longest of them needs.
    static func axis(_ prices: [Decimal], currency: String) -> [String] {
        let digits = prices.map { DecimalDigits($0) }
        let decimals = digits.map { $0?.decimals ?? 0 }.max() ?? 0
        return zip(prices, digits).map { price, digits in
            guard let digits else { return written("0", 0, currency) }
            // Long rows of zeros are counted below the line, as in the prices.
            if decimals > 7, let text = PriceText(price, currency: currency)?.text { return text }
            return written(digits.text(decimals: decimals, grouped: true), price, currency)
        }
    }

    /// Two decimals below a thousand, none from there on, four figures below 1.
    private static func smallDecimals(_ exponent: Int) -> Int {
        switch exponent {
        case 3...: 0
        case 0...: 2
        default: 3 - exponent
        }
    }

    private static func written(_ figures: String, _ amount: Decimal, _ code: String?) -> String {
        let minus = amount < 0 ? "−" : ""
        guard let code else { return minus + figures }
        let currency = Currency(code: code)
        return currency.sign.map { minus + $0 + figures } ?? "\(minus)\(figures) \(code.uppercased())"
    }
}

extension DecimalDigits {
    /// The number with so many decimals at its magnitude, grouped.
    fileprivate func figures(_ decimals: (_ exponent: Int) -> Int) -> String {
        text(decimals: decimals(exponent), grouped: true)
    }
}

/// Whole numbers with thousands separators: "4,812".
enum NumberText {
    static func grouped(_ number: Int) -> String {
        // Written from the last digit to the first, into the end of a buffer for the longest number.
        let room = 32
        return String(unsafeUninitializedCapacity: room) { text in
            var start = room
            func put(_ byte: UInt8) {
                start -= 1
                text[start] = byte
            }
            var rest = number.magnitude
            var digits = 0
            repeat {
                if digits > 0, digits % 3 == 0 { put(UInt8(ascii: ",")) }
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
                digits += 1
            } while rest > 0
            if number < 0 { for byte in "−".utf8.reversed() { put(byte) } }
            for place in start..<room { text[place - start] = text[place] }
            return room - start
        }
    }
}
