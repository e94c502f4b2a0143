import Foundation
import Market
import RoostWeb
import TextFormats

struct WatchlistRow: Priced, CoinPictured, Sendable {
    enum Note: Sendable, Equatable {
        /// The first answer has not arrived.
        case loading
        case noPrice
        case delisted
        /// The coin had another name when it was added.
        case renamed(from: String)
        /// The price is older than the others.
        case asOf(Date)
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
    /// Roost's own address of the coin's picture; nil shows a letter.
    let logo: String?
    let category: String?
    let hasNote: Bool
    let cells: [WatchlistCell]
    let bell: RenderedView?
    let notes: [NoteText]
    let mark, coinPath: String
    /// The colour of the letter; see `Tone`.
    let tone: Int
    let shareAddress: String

    /// What the rows of a list have in common.
    struct ListContext: Sendable {
        let prices: PriceSnapshot
        /// The number of rows.
        let count: Int
        var columns: [ColumnVisibility] = []
        /// Whether coins can be moved.
        var isMyOrder = false
        /// By coin.
        var bells: [String: RenderedView] = [:]
        /// Roost's own address of a coin's picture.
        var logo: @Sendable (MarketQuote) -> String? = { _ in nil }
    }

    init(_ entry: WatchlistEntry, at index: Int, in context: ListContext) {
        let currency = context.prices.currency
        coinId = entry.item.coinId
        name = entry.name
        symbol = entry.symbol.uppercased()
        price = entry.currentPrice.flatMap { PriceText($0, currency: currency) }
        change = ChangeText(entry.priceChange24h)
        sparkline = Sparkline(entry.quote?.sparkline ?? [])
        isOld = entry.isStale || !entry.isListed
        isFirst = index == 0
        isLast = index == context.count - 1
        isMyOrder = context.isMyOrder
        notes = Self.notes(entry, in: context.prices).map { NoteText($0, now: context.prices.now) }
        logo = entry.quote.flatMap(context.logo)
        category = entry.note.category.isEmpty ? nil : entry.note.category
        hasNote = !entry.note.note.isEmpty
        cells = context.columns.map {
            WatchlistCell($0.column, of: entry, currency: currency, visibility: $0)
        }
        bell = context.bells[coinId]
        mark = Initials(name, limit: 1).text
        tone = Tone.of(coinId)
        coinPath = PathSegment(coinId).description
        shareAddress = ShareAddress.of("\(name) /coins/\(coinPath)")
    }

    private static func notes(_ entry: WatchlistEntry, in prices: PriceSnapshot) -> [Note] {
        var notes: [Note] = []
        if !entry.isListed { notes.append(.delisted) }
        if let former = entry.formerName { notes.append(.renamed(from: former)) }
        if let quote = entry.quote {
            if quote.coin.currentPrice == nil {
                notes.append(.noPrice)
            } else if entry.isCoinOld, let lastUpdated = quote.coin.lastUpdated {
                notes.append(.asOf(lastUpdated))
            } else if entry.isOld, let fetchedAt = entry.fetchedAt {
                notes.append(.asOf(fetchedAt))
            }
        } else if entry.isListed {
            notes.append(entry.isAwaited && prices.status.error == nil ? .loading : .noPrice)
        }
        return notes
    }

    var points: String? { sparkline?.points }
    var weekDirection: ChangeText.Direction { sparkline?.direction ?? .unknown }

    struct NoteText {
        let text: String
        let since: Date?
        let ago: String?
        let isProblem: Bool

        init(_ note: Note, now: Date) {
            var since: Date?
            var isProblem = false
            switch note {
            case .loading: text = "loading"
            case .noPrice: text = "no price"
            case .delisted: (text, isProblem) = ("no longer listed on CoinGecko", true)
            case .renamed(let old): text = "renamed, was \(old)"
            case .asOf(let date): (text, since) = ("as of", date)
            }
            self.since = since
            self.isProblem = isProblem
            ago = since.map { RelativeTime.ago($0, now: now) }
        }

        var noteSince: String? { since.map(ISO8601.seconds) }
    }
}

extension PriceText {
    var hasZeros: Bool { zeros != nil }
    var isLong: Bool { width > 14 }
    /// The price in full; nil if its zeros are counted.
    var plain: String? { zeros == nil ? sign + digits + unit : nil }
}

/// Required by the template `watchlist/price`.
protocol Priced {
    var price: PriceText? { get }
}

/// Required by the template `watchlist/logo`: a coin's picture, or a coloured letter.
protocol CoinPictured {
    var logo: String? { get }
    var mark: String { get }
    /// The colour of the letter; see `Tone`.
    var tone: Int { get }
}

extension PriceStatus {
    /// In the format of `TimedText`; nil while calls are left.
    var usedUpReason: String? {
        usedUpUntil.map { until in
            let calls = NumberText.grouped(monthlyCalls)
            return "This month's \(calls) CoinGecko calls are used up. "
                + "No new prices until \(ISO8601.seconds(until))."
        }
    }
}

extension FreshnessView {
    init(_ prices: PriceSnapshot, isEmpty: Bool, retry: String?) {
        let status = prices.status
        let state: State =
            if isEmpty { .idle } else if status.isUpToDate(at: prices.now) {
                .live
            } else if status.updatedAt == nil, status.error == nil, status.usedUpUntil == nil {
                .loading
            } else { .stale }
        let waits = status.usedUpReason ?? (status.error == nil ? "Fetching new prices." : nil)
        self.init(
            state: state, updatedAt: status.updatedAt, nextAt: status.nextTryAt,
            staleAt: status.staleAt,
            reason: status.error?.message(source: PriceRefresher.source) ?? waits,
            suggestion: status.error?.recoverySuggestion, retry: retry, isTrying: status.isLoading,
            source: PriceRefresher.source, now: prices.now)
    }
}
