package import Foundation

/// One coin of the watchlist.
package struct WatchlistRow: TemplateView {
    package static let template = "watchlist/row"
    package static var sample: WatchlistRow { samples[0] }

    /// What is to be said of a coin besides its price.
    package enum Note: Sendable, Equatable {
        /// The first answer is still awaited.
        case loading
        /// CoinGecko knows no price.
        case noPrice
        /// CoinGecko lists it no longer.
        case delisted
        /// It had another name when it was added.
        case renamed(from: String)
        /// Its price is older than the others'.
        case asOf(Date)
        /// What was asked for this coin failed: a sentence.
        case trouble(String)
    }

    package let coinId: String
    package let name: String
    package let symbol: String
    package let price: PriceText?
    package let change: ChangeText
    package let sparkline: Sparkline?
    package let isOld: Bool
    package let isFirst: Bool
    package let isLast: Bool
    package let isMyOrder: Bool
    private let notes: [Part]
    private let pricePart: Part?
    private let initials: String
    private let path: String

    /// - Parameters:
    ///   - symbol: in any case; shown in upper case
    ///   - change: in percent
    ///   - week: prices of the last seven days, oldest first; for drawing only
    ///   - isOld: the price is out of date and shown grey
    ///   - isFirst: it cannot move up; likewise `isLast`
    ///   - isMyOrder: it can be moved at all
    ///   - now: what the notes' ages count from
    package init(
        coinId: String, name: String, symbol: String, price: Decimal?, currency: String = "usd",
        change: Decimal?,
        week: [Double?] = [], notes: [Note] = [], isOld: Bool = false, isFirst: Bool = false,
        isLast: Bool = false,
        isMyOrder: Bool = true,
        now: Date
    ) {
        self.coinId = coinId
        self.name = name
        self.symbol = symbol.uppercased()
        self.price = price.flatMap { PriceText($0, currency: currency) }
        self.change = ChangeText(change)
        self.sparkline = Sparkline(week)
        self.isOld = isOld
        self.isFirst = isFirst
        self.isLast = isLast
        self.isMyOrder = isMyOrder
        self.notes = notes.map { Part(NoteText($0, now: now)) }
        pricePart = self.price.map(Part.init)
        initials = Initials(name, limit: 1).text
        path = PathSegment(coinId).description
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "coinId": coinId
        case "coinPath": path
        case "name": self.name
        case "symbol": symbol
        case "mark": initials
        case "price": pricePart
        case "direction": change.direction.rawValue
        case "changeText": change.text
        case "changeWords": change.words
        case "points": sparkline?.points
        case "notes": notes
        case "isRowOld": isOld
        case "isFirst": isFirst
        case "isLast": isLast
        case "isMyOrder": isMyOrder
        default: nil
        }
    }

    private struct NoteText: ViewFields {
        let text: String
        let since: Date?
        let ago: String?
        let isTrouble: Bool

        init(_ note: Note, now: Date) {
            var since: Date?
            var isTrouble = false
            switch note {
            case .loading: text = "loading"
            case .noPrice: text = "no price"
            case .delisted: (text, isTrouble) = ("no longer listed on CoinGecko", true)
            case .renamed(let old): text = "renamed, was \(old)"
            case .asOf(let date): (text, since) = ("as of", date)
            case .trouble(let sentence): (text, isTrouble) = (sentence, true)
            }
            self.since = since
            self.isTrouble = isTrouble
            ago = since.map { AgeText.ago($0, now: now) }
        }

        func field(_ name: String) -> Any? {
            switch name {
            case "note": text
            case "noteSince": since.map(AgeText.iso)
            case "noteAgo": ago
            case "isNoteTrouble": isTrouble
            default: nil
            }
        }
    }
}

extension PriceText: ViewFields {
    package func field(_ name: String) -> Any? {
        switch name {
        case "sign": sign
        case "figures": figures
        case "hasZeros": zeros != nil
        case "zeros": zeros
        case "afterZeros": afterZeros
        case "unit": unit
        case "isLong": width > 14
        case "number": number
        case "plain": zeros == nil ? sign + figures + unit : ""
        case "full": full
        default: nil
        }
    }
}
