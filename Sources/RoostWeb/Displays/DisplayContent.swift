import Market
import RoostServices
import RoostSupport

/// What a display shows, and what it may be set to show: all that displays ask of watchlists.
struct DisplayContent: Sendable {
    let entries: [WatchlistEntry]
    let prices: PriceSnapshot
    /// The currency of the prices.
    let currency: String
    private let list: WatchlistService.List

    /// What the owner has of the coins on the list; nil unless he shows it on walls.
    let totals: DisplayTotals?

    /// The coins of the display's list that its settings choose, in their order.
    init(of display: Display, settings: DisplaySettings, in services: Services) async throws {
        currency = Self.currency(of: display, settings: settings, in: services)
        list = try await Self.list(of: display.userId, settings, currency, in: services)
        let chosen = Set(settings.coins)
        entries = chosen.isEmpty ? list.entries : list.entries.filter { chosen.contains($0.item.coinId) }
        prices = list.prices
        totals =
            list.list.showsTotals
            ? list.totals.flatMap { [currency] in DisplayTotals($0, currency: currency) } : nil
    }

    /// The display's own, its owner's, or the server's.
    static func currency(of display: Display, settings: DisplaySettings, in services: Services) -> String {
        settings.currency ?? display.ownerCurrency ?? services.currency
    }

    /// The first list where the chosen one is gone.
    private static func list(
        of user: UserID, _ settings: DisplaySettings, _ currency: String?, in services: Services
    ) async throws -> WatchlistService.List {
        let order = settings.sort.flatMap { WatchlistOrder(rawValue: $0.rawValue) }
        if let id = settings.listId {
            do {
                return try await services.watchlist.list(of: user, id, sort: order, currency: currency)
            } catch RoostError.notFound {}
        }
        return try await services.watchlist.list(of: user, sort: order, currency: currency)
    }

    var cells: [DisplayCell] { entries.map { DisplayCell($0, in: list, currency: currency) } }

    /// The lists that a display of this user may show, if there is a choice: id and name.
    static func lists(of user: UserID, in services: Services) async throws -> [(id: String, name: String)] {
        let lists = try await services.watchlist.lists(of: user)
        return lists.count > 1 ? lists.map { ("\($0.id)", $0.name) } : []
    }

    /// The coins that a display of this user may choose among: id and name.
    static func coins(
        of user: UserID, settings: DisplaySettings, in services: Services
    ) async throws -> [(id: String, name: String)] {
        try await list(of: user, settings, nil, in: services).entries.map { ($0.item.coinId, $0.name) }
    }
}

extension DisplayTotals {
    /// Nil where no value is known.
    init?(_ totals: ListTotals, currency: String) {
        guard let value = totals.value else { return nil }
        self.init(
            value: AmountText.money(value, currency: currency),
            change: ChangeText(totals.changeToday?.percent))
    }
}
