import Market
import RoostWeb
import TextFormats

/// `/watchlist/settings`: the user's lists, columns, currency and colours.
struct WatchlistSettingsView: PageView, Sendable {
    let layout: LayoutView
    let columns: [SelectOption]
    let densities: [SelectOption]
    let currencies: [SelectOption]
    let lists: [ListSettings]
    let redIsUp: Bool
    let newName: String
    private let errors: [String: String]

    /// - Parameter errors: by list id, "new" or "currency"
    init(
        layout: LayoutView, preferences: WatchlistPreferences, lists: [Watchlist], currencies: [Currency],
        standard: String, errors: [String: String] = [:], typed: String? = nil
    ) {
        self.layout = layout
        self.errors = errors
        redIsUp = preferences.redIsUp
        columns = WatchlistColumn.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.text, isChosen: preferences.columns.contains($0))
        }
        densities = WatchlistPreferences.Density.allCases.map {
            SelectOption(
                value: $0.rawValue, text: $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(),
                isChosen: $0 == preferences.density)
        }
        self.currencies =
            [
                SelectOption(
                    value: "", text: "Server default (\(standard.uppercased()))",
                    isChosen: preferences.currency == nil)
            ]
            + currencies.map {
                SelectOption(
                    value: $0.code,
                    text: $0.name == $0.code.uppercased() ? $0.name : "\($0.name) (\($0.code.uppercased()))",
                    isChosen: $0.code == preferences.currency)
            }
        self.lists = lists.enumerated().map { index, list in
            let error = errors["\(list.id)"]
            return ListSettings(
                list: list, name: error == nil ? list.name : typed ?? list.name, error: error,
                isFirst: index == 0, isLast: index == lists.count - 1, isOnly: lists.count == 1)
        }
        newName = errors["new"] == nil ? "" : typed ?? ""
    }

    var currencyError: String? { errors["currency"] }
    var newError: String? { errors["new"] }
}

struct ListSettings {
    let list: Watchlist
    let name: String
    let error: String?
    let isFirst, isLast, isOnly: Bool

    var listId: String { "\(list.id)" }
    var listAddress: String { WatchlistQuery(list: list.id).address }
    var totalsValue: String { list.showsTotals ? "0" : "1" }
}
