import Foundation
import Market
import RoostSupport

/// `/coins/COIN`: a coin's price, chart and figures, and what the user has noted of it.
struct CoinView: PageView, Sendable {
    /// What the user has written and owns, with the forms as they were typed.
    struct Own: Sendable {
        var note: CoinNote
        var categories: [String] = []
        var holdings: [Holding] = []
        var wallets: [Wallet] = []
        /// The user's lists, and which of them hold the coin.
        var lists: [(list: Watchlist, holds: Bool)] = []
        /// The holding and the wallet that are being edited; nil: the forms add new ones.
        var edited: HoldingID?
        var editedWallet: WalletID?
        var noteForm = FormState.empty
        var holdingForm = FormState.empty
        var walletForm = FormState.empty

        init(note: CoinNote = .none) { self.note = note }
    }

    let layout: LayoutView
    let live: CoinLiveView
    let alerts: RenderedView?
    private let own: Own
    private let currency: String
    private let range: ChartRange
    private let priceTopic: String
    let holdingForm: FormView
    let walletForm: FormView

    /// - Parameters:
    ///   - currency: in which a price that was paid is written, unless the user says otherwise
    ///   - priceTopic: of the currency that the prices are in
    ///   - alerts: the part of the page about alerts; nil for none
    init(
        layout: LayoutView, live: CoinLiveView, own: Own, range: ChartRange, currency: String,
        priceTopic: String = "prices", alerts: RenderedView? = nil
    ) {
        self.layout = layout
        self.live = live
        self.own = own
        self.range = range
        self.currency = currency
        self.priceTopic = priceTopic
        self.alerts = alerts
        holdingForm = FormView(Self.holdingFields(own, currency), own.holdingForm)
        walletForm = FormView(Self.walletFields(own), own.walletForm)
    }

    private static func holdingFields(_ own: Own, _ currency: String) -> [FieldView] {
        var state = own.holdingForm
        if state == .empty, let holding = own.holdings.first(where: { $0.id == own.edited }) {
            state.typed = [
                "amount": plain(holding.amount), "price": holding.price.map(plain) ?? "",
                "currency": holding.currency ?? "", "boughtOn": holding.boughtOn ?? "",
                "note": holding.note,
            ]
        }
        if state.typed["currency"] == nil { state.typed["currency"] = currency }
        return [
            input("amount", "Amount", state, form: "holding"),
            input("price", "Paid per coin", state, form: "holding", isRequired: false),
            input(
                "currency", "In", state, form: "holding", isRequired: false, hint: "Such as usd, eur or btc."),
            input("boughtOn", "On", as: .date, state, form: "holding", isRequired: false),
            input("note", "Note", state, form: "holding", isRequired: false),
        ]
    }

    private static func walletFields(_ own: Own) -> [FieldView] {
        var state = own.walletForm
        if state == .empty, let wallet = own.wallets.first(where: { $0.id == own.editedWallet }) {
            state.typed = ["address": wallet.address, "label": wallet.label]
        }
        return [
            input("address", "Address", state, form: "wallet"),
            input("label", "Label", state, form: "wallet", isRequired: false),
        ]
    }

    private static func input(
        _ name: String, _ label: String, as kind: FieldView.Kind = .text, _ state: FormState, form: String,
        isRequired: Bool = true, hint: String? = nil
    ) -> FieldView {
        var field = FieldView(name, label, kind, in: state, form: form)
        field.isRequired = isRequired
        field.hint = hint
        field.limit = 1_000
        return field
    }

    /// As it is typed: without grouping.
    private static func plain(_ amount: Decimal) -> String { "\(amount)" }

    var coinName: String { live.coin.name }
    var path: String { PathSegment(live.coin.id).description }
    var coinId: String { live.coin.id }
    var liveQuery: String { "?range=\(range.rawValue)" }
    var topics: String { "\(priceTopic) watchlist pictures \(Topic.chart(live.coin.id))" }
    var noteText: String { own.noteForm.typed["note"] ?? own.note.note }
    var category: String { own.noteForm.typed["category"] ?? own.note.category }
    var noteError: String? { own.noteForm.fieldErrors["note"] ?? own.noteForm.error }
    var categoryError: String? { own.noteForm.fieldErrors["category"] }
    var categories: [String] { own.categories }
    var hasHoldings: Bool { !own.holdings.isEmpty }
    var holdings: [HoldingRow] { own.holdings.map { HoldingRow(holding: $0, path: path) } }
    var hasWallets: Bool { !own.wallets.isEmpty }
    var wallets: [WalletRow] { own.wallets.map { WalletRow(wallet: $0, path: path) } }
    var lists: [ListMembership] {
        own.lists.map { ListMembership(list: $0.list, holds: $0.holds, path: path) }
    }
    /// Open while it is used: with an error in it, or one of the rows in it.
    var isHoldingOpen: Bool { own.edited != nil || own.holdingForm != .empty }
    var isWalletOpen: Bool { own.editedWallet != nil || own.walletForm != .empty }
    var holdingAddress: String {
        "/coins/\(path)/holdings" + (own.edited.map { "/\($0)" } ?? "")
    }
    var walletAddress: String { "/coins/\(path)/wallets" + (own.editedWallet.map { "/\($0)" } ?? "") }
    var holdingTitle: String { own.edited == nil ? "Add a holding" : "Change the holding" }
    var walletTitle: String { own.editedWallet == nil ? "Add a wallet" : "Change the wallet" }
    var pageAddress: String { "/coins/\(path)" }
    var shareAddress: String { ShareAddress.of("\(live.coin.name) /coins/\(path)") }
}

/// One purchase in the list of the user's holdings.
struct HoldingRow {
    let holding: Holding
    let path: String

    var holdingAmount: String { AmountText.exact(holding.amount) }
    var holdingFacts: String {
        let price = holding.price.flatMap { price in
            holding.currency.map { "at \(AmountText.money(price, currency: $0))" }
        }
        return [price, holding.boughtOn.map { "on \($0)" }, holding.note.isEmpty ? nil : holding.note]
            .compactMap(\.self).joined(separator: " · ")
    }
    var editAddress: String { "/coins/\(path)?holding=\(holding.id)#holdings" }
    var removeAddress: String { "/coins/\(path)/holdings/\(holding.id)/remove" }
}

/// One address at which the user keeps the coin.
struct WalletRow {
    let wallet: Wallet
    let path: String

    var walletAddress: String { wallet.address }
    var walletLabel: String? { wallet.label.isEmpty ? nil : wallet.label }
    var editAddress: String { "/coins/\(path)?wallet=\(wallet.id)#wallets" }
    var removeAddress: String { "/coins/\(path)/wallets/\(wallet.id)/remove" }
}

/// Whether one of the user's lists holds the coin.
struct ListMembership {
    let list: Watchlist
    let holds: Bool
    let path: String

    var listId: String { "\(list.id)" }
    var listName: String { list.name }
    var listAddress: String { WatchlistQuery(list: list.id).address }
    var removeAddress: String { "/watchlist/\(path)/remove" }
}
