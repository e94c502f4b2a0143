public import Foundation
public import GRDB
public import RoostSupport

/// Formats amounts for alert messages. Includes the currency's code, since readers may use different currencies.
enum AlertText {
    /// "90,120.55 USD", with all digits.
    package static func amount(_ value: Decimal, _ currency: String) -> String {
        "\(grouped(value)) \(currency.uppercased())"
    }

    /// "90,120.55", with all digits.
    package static func grouped(_ value: Decimal) -> String {
        let parts = "\(abs(value))".splitBytes(at: ".", maxSplits: 1)
        let whole = Array((parts.first ?? "0").utf8)
        let numbers = Formats.current.numbers
        var text = value < 0 ? "−" : ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { text.unicodeScalars.append(numbers.groupMark) }
            text.unicodeScalars.append(UnicodeScalar(digit))
        }
        return parts.count > 1 ? "\(text)\(numbers.decimalMark)\(parts[1])" : text
    }

    /// Rounds to eight significant digits, but to no fewer than two decimals.
    package static func rounded(_ value: Decimal) -> Decimal {
        let parts = "\(abs(value))".splitBytes(at: ".", maxSplits: 1)
        let whole = parts.first ?? "0"
        let zeros = parts.count > 1 ? parts[1].utf8.prefix { $0 == UInt8(ascii: "0") }.count : 0
        let decimals = whole == "0" ? zeros + 8 : max(2, 8 - whole.utf8.count)
        var (value, result) = (value, Decimal())
        NSDecimalRound(&result, &value, decimals, .plain)
        return result
    }

    /// The message of an alert that fires: "Bitcoin rose above 90,000 USD: it is at 90,120.55 USD." It is stored, and
    /// read by users of different formats.
    static func fired(_ alert: CoinAlert, _ coin: Coin) -> String {
        Formats.standard.use { message(alert, coin) }
    }

    private static func message(_ alert: CoinAlert, _ coin: Coin) -> String {
        let name = coin.name.sanitized
        let now = coin.currentPrice.map { ": it is at \(amount(rounded($0), alert.currency))" } ?? ""
        switch alert.kind {
        case .above: return "\(name) rose above \(amount(alert.threshold, alert.currency))\(now)."
        case .below: return "\(name) fell below \(amount(alert.threshold, alert.currency))\(now)."
        case .change:
            let change = coin.priceChange24h ?? 0
            var (exact, shown) = (abs(change), Decimal())
            NSDecimalRound(&shown, &exact, 2, .plain)
            return "\(name) \(change < 0 ? "fell" : "rose") by \(grouped(shown)) % within 24 hours\(now)."
        }
    }

    /// Parses a typed number: digits with at most one point. Nil for anything else.
    package static func number(_ text: String) -> Decimal? {
        let text = text.trimmed
        let parts = text.splitBytes(at: ".", omittingEmptySubsequences: false)
        let digits = parts.reduce(0) { $0 + $1.utf8.count }
        guard parts.count <= 2, (1...38).contains(digits),
            parts.allSatisfy({ part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

/// An amount or a price, stored as its digits.
extension Decimal: ColumnValue {
    @usableFromInline package static func read(_ row: Row, at index: Int) -> Decimal? {
        String.read(row, at: index).flatMap { AlertText.number($0) }
    }

    @usableFromInline package var stored: DatabaseValue { plainText.databaseValue }
}
