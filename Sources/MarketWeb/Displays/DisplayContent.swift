import Market
import RoostSupport
import RoostWeb

/// A display's coins and prices, and the choices for its settings.
struct DisplayContent: Sendable {
    let entries: [WatchlistEntry]
    let prices: PriceSnapshot
    let currency: String
    private let list: WatchlistService.List

    /// The value of the owner's holdings on the list; nil unless the list shows totals.
    let totals: DisplayTotals?

    init(_ reads: Reads, of display: Display, settings: DisplaySettings, in services: MarketServices) throws {
        currency = Self.currency(of: display, settings: settings, in: services)
        list = try Self.list(reads, of: display.userId, settings, currency, in: services)
        let chosen = Set(settings.coins)
        entries = chosen.isEmpty ? list.entries : list.entries.filter { chosen.contains($0.item.coinId) }
        prices = list.prices
        totals =
            list.list.showsTotals
            ? list.totals.flatMap { [currency] in DisplayTotals($0, currency: currency) } : nil
    }

    /// Returns the display's currency, else its owner's, else the server's.
    static func currency(of display: Display, settings: DisplaySettings, in services: MarketServices)
        -> String
    {
        settings.currency ?? display.ownerCurrency ?? services.currency
    }

    /// Falls back to the first list if the chosen one was deleted.
    private static func list(
        _ reads: Reads, of user: UserID, _ settings: DisplaySettings, _ currency: String?,
        in services: MarketServices
    ) throws -> WatchlistService.List {
        let order = settings.sort.flatMap { WatchlistOrder(rawValue: $0.rawValue) }
        if let id = settings.listId {
            do {
                return try services.watchlist.list(reads, of: user, id, sort: order, currency: currency)
            } catch RoostError.notFound {}
        }
        return try services.watchlist.list(reads, of: user, sort: order, currency: currency)
    }

    var cells: [DisplayCell] { entries.map { DisplayCell($0, in: list, currency: currency) } }

    /// Returns the lists that the display may show; empty if there is only one.
    static func lists(_ reads: Reads, of user: UserID, in services: MarketServices) throws -> [Watchlist] {
        let lists = try services.watchlist.lists(reads, of: user)
        return lists.count > 1 ? lists : []
    }

    static func coins(
        _ reads: Reads, of user: UserID, settings: DisplaySettings, in services: MarketServices
    ) throws -> [(id: String, name: String)] {
        try list(reads, of: user, settings, nil, in: services).entries.map { ($0.item.coinId, $0.name) }
    }
}

extension DisplayTotals {
    /// Returns nil if the value is unknown.
    init?(_ totals: ListTotals, currency: String) {
        guard let value = totals.value else { return nil }
        self.init(
            value: AmountText.money(value, currency: currency),
            change: ChangeText(totals.changeToday?.percent))
    }
}
