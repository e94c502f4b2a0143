package import Foundation
import RoostSupport
import TextFormats

package typealias HoldingID = Int64

/// So much of a coin that a user owns, as one purchase or all at once.
package struct Holding: Equatable, Sendable, Identifiable {
    package let id: HoldingID
    package let details: NewHolding

    package init(id: HoldingID, details: NewHolding) {
        self.id = id
        self.details = details
    }

    package var coinId: String { details.coinId }
    package var amount: Decimal { details.amount }
    package var price: Decimal? { details.price }
    package var currency: String? { details.currency }
    package var boughtOn: String? { details.boughtOn }
    package var note: String { details.note }
}

/// What is to be noted as a holding.
package struct NewHolding: Hashable, Sendable {
    package let coinId: String
    /// More than 0, with 18 digits before the point and behind it at most.
    package let amount: Decimal
    /// Paid per coin, in `currency`; 0 for what was given. Nil where it is not known.
    package let price: Decimal?
    /// CoinGecko's code in lower case, such as "eur"; there where a price is.
    package let currency: String?
    /// "2025-03-31".
    package let boughtOn: String?
    /// At most 500 characters, "" for none.
    package let note: String

    /// Throws `WatchlistError.invalidCoinId`, or `RoostError.invalid` for the field that is wrong.
    ///
    /// - Parameter currency: the one of `price`; of no meaning without it
    package init(
        coinId: String, amount: Decimal, price: Decimal? = nil, currency: String? = nil,
        boughtOn: String? = nil, note: String = ""
    ) throws {
        guard WatchlistItem.isPossible(coinId) else { throw WatchlistError.invalidCoinId }
        guard amount > 0, Self.canBeKept(amount) else {
            throw RoostError.invalid(field: "amount", why: "The amount is a number above 0, such as 0.5.")
        }
        guard price.map({ $0 >= 0 && Self.canBeKept($0) }) ?? true else {
            throw RoostError.invalid(field: "price", why: "The price is a number, 0 or more.")
        }
        self.coinId = coinId
        self.amount = amount
        self.price = price
        self.currency = price == nil ? nil : try Self.code(currency)
        self.boughtOn = try boughtOn.map(Self.day)
        self.note = try OwnText.line(note, field: "note", limit: 500)
    }

    /// The same of what a form, a file or JSON carries; blank texts stand for nothing.
    package init(
        coinId: String, amountText: String, priceText: String?, currency: String?, boughtOn: String?,
        note: String?
    ) throws {
        func text(_ value: String?) -> String? { value?.trimmed.nonEmpty }
        guard let amount = Decimal(plain: amountText.trimmed) else {
            throw RoostError.invalid(
                field: "amount", why: "Write the amount in digits with a point, such as 1234.5.")
        }
        let price = try text(priceText).map { words in
            guard let price = Decimal(plain: words) else {
                throw RoostError.invalid(
                    field: "price", why: "Write the price in digits with a point, such as 1234.5.")
            }
            return price
        }
        try self.init(
            coinId: coinId, amount: amount, price: price, currency: text(currency),
            boughtOn: text(boughtOn), note: note ?? "")
    }

    /// Not more digits than are read back.
    private static func canBeKept(_ number: Decimal) -> Bool {
        number.isFinite && Decimal(plain: number.plainText) == number
    }

    private static func code(_ currency: String?) throws -> String {
        let code = Currency.code(currency?.trimmed ?? "")
        guard Currency.isCode(code) else {
            throw RoostError.invalid(
                field: "currency", why: "Say in which currency the price was paid, such as usd.")
        }
        return code
    }

    private static func day(_ text: String) throws -> String {
        guard let time = ISO8601.parse(text + "T00:00:00Z"), ISO8601.seconds(time).hasPrefix(text + "T")
        else {
            throw RoostError.invalid(field: "boughtOn", why: "Write the day as 2025-03-31.")
        }
        return text
    }
}

extension String {
    /// Nil where there is nothing.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
