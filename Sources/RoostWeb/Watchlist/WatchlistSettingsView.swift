import Market

/// `/watchlist/settings`: the user's lists, and which columns, currency and colours they have.
struct WatchlistSettingsView: PageView, Sendable {
    let layout: LayoutView
    let columns: [SelectOption]
    let densities: [SelectOption]
    let currencies: [SelectOption]
    let lists: [ListSettings]
    let redIsUp: Bool
    let newName: String
    private let errors: [String: String]

    /// - Parameters:
    ///   - standard: the server's own currency
    ///   - errors: sentences by the number of the list that they are about, "new" or "currency"
    ///   - typed: the name that was refused
    init(
        layout: LayoutView, choices: WatchlistChoices, lists: [Watchlist], currencies: [Currency],
        standard: String, errors: [String: String] = [:], typed: String? = nil
    ) {
        self.layout = layout
        self.errors = errors
        redIsUp = choices.redIsUp
        columns = WatchlistColumn.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.text, isChosen: choices.columns.contains($0))
        }
        densities = WatchlistChoices.Density.allCases.map {
            SelectOption(
                value: $0.rawValue, text: $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst(),
                isChosen: $0 == choices.density)
        }
        self.currencies =
            [
                SelectOption(
                    value: "", text: "As the server has it (\(standard.uppercased()))",
                    isChosen: choices.currency == nil)
            ]
            + currencies.map {
                SelectOption(
                    value: $0.code,
                    text: $0.name == $0.code.uppercased() ? $0.name : "\($0.name) (\($0.code.uppercased()))",
                    isChosen: $0.code == choices.currency)
            }
        self.lists = lists.enumerated().map { place, list in
            let error = errors["\(list.id)"]
            return ListSettings(
                list: list, name: error == nil ? list.name : typed ?? list.name, error: error,
                isFirst: place == 0, isLast: place == lists.count - 1, isOnly: lists.count == 1)
        }
        newName = errors["new"] == nil ? "" : typed ?? ""
    }

    var currencyError: String? { errors["currency"] }
    var newError: String? { errors["new"] }
}

/// One list with its forms.
struct ListSettings {
    let list: Watchlist
    let name: String
    let error: String?
    let isFirst, isLast, isOnly: Bool

    var listId: String { "\(list.id)" }
    var listName: String { list.name }
    var typedName: String { name }
    var listAddress: String { WatchlistQuery(list: list.id).address }
    var showsTotals: Bool { list.showsTotals }
    /// What the button makes of it.
    var totalsValue: String { list.showsTotals ? "0" : "1" }
}
