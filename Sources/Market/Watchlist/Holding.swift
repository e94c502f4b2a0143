package import Foundation
package import RoostSupport
import TextFormats

package typealias HoldingID = Int64

/// An amount of a coin that a user owns, from one purchase or several.
package struct Holding: Equatable, Sendable, Identifiable {
    package private(set) var id: HoldingID
    package private(set) var details: NewHolding

    package var coinId: String { details.coinId }
    package var amount: Decimal { details.amount }
    package var price: Decimal? { details.price }
    package var currency: String? { details.currency }
    package var boughtOn: String? { details.boughtOn }
    package var note: String { details.note }
}

extension Holding: ColumnRecord {
    package init() { self.init(id: 0, details: NewHolding()) }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("id", &id)
        try details.columns(&columns)
    }
}

package struct NewHolding: Hashable, Sendable {
    package private(set) var coinId: String
    /// Above 0, with at most 18 digits before and after the point.
    package private(set) var amount: Decimal
    /// Paid per coin, in `currency`; 0 for a gift, nil if unknown.
    package private(set) var price: Decimal?
    /// CoinGecko's code in lower case, such as "eur"; set if there is a price.
    package private(set) var currency: String?
    /// "2025-03-31".
    package private(set) var boughtOn: String?
    /// At most 500 characters, "" for none.
    package private(set) var note: String

    /// In code points.
    package static let maximumNote = 500

    /// Throws `WatchlistError.invalidCoinId`, or `RoostError.invalid` with the field.
    ///
    /// - Parameter currency: the currency of `price`; ignored without one
    package init(
        coinId: String, amount: Decimal, price: Decimal? = nil, currency: String? = nil,
        boughtOn: String? = nil, note: String = ""
    ) throws {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        guard amount > 0, Self.isStorable(amount) else {
            throw RoostError.invalid(field: "amount", why: "Enter an amount above 0, such as 0.5.")
        }
        guard price.map({ $0 >= 0 && Self.isStorable($0) }) ?? true else {
            throw RoostError.invalid(field: "price", why: "Enter a price of 0 or more.")
        }
        self.coinId = coinId
        self.amount = amount
        self.price = price
        self.currency = price == nil ? nil : try Self.code(currency)
        self.boughtOn = try boughtOn.map(Self.day)
        self.note = try OwnText.line(note, field: "note", limit: Self.maximumNote)
    }

    /// The same from the texts of a form, a file or JSON; blank texts count as missing.
    package init(
        coinId: String, amountText: String, priceText: String?, currency: String?, boughtOn: String?,
        note: String?
    ) throws {
        func text(_ value: String?) -> String? { value?.trimmed.nonEmpty }
        guard let amount = Decimal(plain: amountText.trimmed) else {
            throw RoostError.invalid(
                field: "amount", why: "Enter the amount in digits with a point, such as 1234.5.")
        }
        let price = try text(priceText).map { plain in
            guard let price = Decimal(plain: plain) else {
                throw RoostError.invalid(
                    field: "price", why: "Enter the price in digits with a point, such as 1234.5.")
            }
            return price
        }
        try self.init(
            coinId: coinId, amount: amount, price: price, currency: text(currency),
            boughtOn: text(boughtOn), note: note ?? "")
    }

    private static func isStorable(_ number: Decimal) -> Bool {
        number.isFinite && Decimal(plain: number.plainText) == number
    }

    private static func code(_ currency: String?) throws -> String {
        let code = Currency.code(currency?.trimmed ?? "")
        guard Currency.isCode(code) else {
            throw RoostError.invalid(
                field: "currency", why: "Enter the currency of the price, such as usd.")
        }
        return code
    }

    private static func day(_ text: String) throws -> String {
        guard let time = ISO8601.parse(text + "T00:00:00Z"), ISO8601.seconds(time).hasPrefix(text + "T")
        else {
            throw RoostError.invalid(field: "boughtOn", why: "Enter a day such as 2025-03-31.")
        }
        return text
    }
}

extension NewHolding: ColumnRecord {
    package init() { (coinId, amount, price, currency, boughtOn, note) = ("", 0, nil, nil, nil, "") }

    package mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("coin_id", &coinId)
        try columns.column("amount", &amount)
        try columns.column("price", &price)
        try columns.column("currency", &currency)
        try columns.column("bought_on", &boughtOn)
        try columns.column("note", &note)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
