import Foundation
import Market
import TextFormats

/// One coin of the watchlist.
struct WatchlistRow: Priced, CoinPictured, Sendable {
    /// What is to be said of a coin besides its price.
    enum Note: Sendable, Equatable {
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

    let coinId: String
    let name: String
    let symbol: String
    let price: PriceText?
    let change: ChangeText
    let sparkline: Sparkline?
    let isOld: Bool
    let isFirst: Bool
    let isLast: Bool
    let isMyOrder: Bool
    /// Roost's own address of the coin's picture; nil where a letter stands for it.
    let logo: String?
    let category: String?
    let hasNote: Bool
    let cells: [WatchlistCell]
    /// What says that the coin has alerts.
    let bell: RenderedView?
    let notes: [NoteText]
    let mark, coinPath: String
    /// The colour of the letter, see `Tone`.
    let tone: Int
    let shareAddress: String

    /// - Parameters:
    ///   - symbol: in any case; shown in upper case
    ///   - change: in percent
    ///   - week: prices of the last seven days, oldest first; for drawing only
    ///   - isOld: the price is out of date and shown grey
    ///   - isFirst: it cannot move up; likewise `isLast`
    ///   - isMyOrder: it can be moved at all
    ///   - note: what the user has written to the coin
    ///   - cells: the figures besides the price
    ///   - bell: what says that the coin has alerts
    ///   - now: what the notes' ages count from
    init(
        coinId: String, name: String, symbol: String, price: Decimal?, currency: String = "usd",
        change: Decimal?,
        week: [Double] = [], notes: [Note] = [], isOld: Bool = false, isFirst: Bool = false,
        isLast: Bool = false,
        isMyOrder: Bool = true, logo: String? = nil, note: CoinNote = .none, cells: [WatchlistCell] = [],
        bell: RenderedView? = nil, now: Date
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
        self.notes = notes.map { NoteText($0, now: now) }
        self.logo = logo
        category = note.category.isEmpty ? nil : note.category
        hasNote = !note.note.isEmpty
        self.cells = cells
        self.bell = bell
        mark = Initials(name, limit: 1).text
        tone = Tone.of(coinId)
        coinPath = PathSegment(coinId).description
        shareAddress = ShareAddress.of("\(name) /coins/\(coinPath)")
    }

    var points: String? { sparkline?.points }
    var weekDirection: ChangeText.Direction { sparkline?.direction ?? .unknown }

    struct NoteText {
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
            ago = since.map { RelativeTime.ago($0, now: now) }
        }

        var note: String { text }
        var noteSince: String? { since.map(ISO8601.seconds) }
    }
}

extension PriceText {
    var hasZeros: Bool { zeros != nil }
    var isLong: Bool { width > 14 }
    /// The price without counted zeros; nil where they are counted.
    var plain: String? { zeros == nil ? sign + figures + unit : nil }
}

/// Shown with a price: `watchlist/price`.
protocol Priced {
    var price: PriceText? { get }
}

/// Shown with a coin's picture, or a letter in its own colour: `watchlist/logo`.
protocol CoinPictured {
    /// Roost's own address of the picture.
    var logo: String? { get }
    var mark: String { get }
    /// Which of the letters' colours.
    var tone: Int { get }
}
