import Foundation
import Market
import RoostSupport
import RoostWeb

struct CoinView: PageView, Sendable {
    static let scripts = ["coin-chart", "alert-notifications"]

    /// The user's own data for the coin, and the state of its forms.
    struct Own: Sendable {
        var note: CoinNote = .none
        var categories: [String] = []
        var holdings: [Holding] = []
        var wallets: [Wallet] = []
        var lists: [(list: Watchlist, hasCoin: Bool)] = []
        /// The holding and the wallet being edited; nil if the forms add new ones.
        var editedHolding: HoldingID?
        var editedWallet: WalletID?
        var noteForm = FormState.empty
        var holdingForm = FormState.empty
        var walletForm = FormState.empty
    }

    let layout: LayoutView
    let live: CoinLiveView
    let alerts: RenderedView?
    let own: Own
    private let currency: String
    private let range: ChartRange
    private let priceTopic: String
    let holdingForm: FormView
    let walletForm: FormView

    /// - Parameters:
    ///   - currency: the default currency of purchase prices
    ///   - priceTopic: the topic of prices in the shown currency
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
        if state == .empty, let holding = own.holdings.first(where: { $0.id == own.editedHolding }) {
            state.typed = [
                "amount": plain(holding.amount), "price": holding.price.map(plain) ?? "",
                "currency": holding.currency ?? "", "boughtOn": holding.boughtOn ?? "",
                "note": holding.note,
            ]
        }
        if state.typed["currency"] == nil { state.typed["currency"] = currency }
        return [
            input("amount", "Amount", state, form: "holding"),
            input("price", "Price paid per coin", state, form: "holding", isRequired: false),
            input(
                "currency", "Currency", state, form: "holding", isRequired: false,
                hint: "Such as usd, eur or btc."),
            input("boughtOn", "Bought on", as: .date, state, form: "holding", isRequired: false),
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

    /// Formats without grouping, for a text field.
    private static func plain(_ amount: Decimal) -> String { "\(amount)" }

    var path: String { PathSegment(live.coin.id).description }
    var liveQuery: String { "?range=\(range.rawValue)" }
    var topics: String { "\(priceTopic) watchlist pictures \(Topic.chart(live.coin.id))" }
    var noteText: String { own.noteForm.typed["note"] ?? own.note.note }
    var category: String { own.noteForm.typed["category"] ?? own.note.category }
    var noteError: String? { own.noteForm.fieldErrors["note"] ?? own.noteForm.error }
    var categoryError: String? { own.noteForm.fieldErrors["category"] }
    var savedNote: String? { own.note.note.isEmpty ? nil : own.note.note }
    var savedCategory: String? { own.note.category.isEmpty ? nil : own.note.category }
    var isNoteOpen: Bool { own.noteForm != .empty }
    var noteTitle: String { own.note.isEmpty ? "Add note" : "Edit note" }
    var hasHoldings: Bool { !own.holdings.isEmpty }
    var holdings: [HoldingRow] { own.holdings.map { HoldingRow(holding: $0, path: path) } }
    var hasWallets: Bool { !own.wallets.isEmpty }
    var wallets: [WalletRow] { own.wallets.map { WalletRow(wallet: $0, path: path) } }
    var lists: [ListMembership] {
        own.lists.map { ListMembership(list: $0.list, hasCoin: $0.hasCoin, path: path) }
    }
    /// A single list needs no heading.
    var isOnlyList: Bool { own.lists.count == 1 }
    var isHoldingOpen: Bool { own.editedHolding != nil || own.holdingForm != .empty }
    var isWalletOpen: Bool { own.editedWallet != nil || own.walletForm != .empty }
    var holdingAddress: String {
        "/coins/\(path)/holdings" + (own.editedHolding.map { "/\($0)" } ?? "")
    }
    var walletAddress: String { "/coins/\(path)/wallets" + (own.editedWallet.map { "/\($0)" } ?? "") }
    var holdingTitle: String { own.editedHolding == nil ? "Add holding" : "Edit holding" }
    var walletTitle: String { own.editedWallet == nil ? "Add wallet" : "Edit wallet" }
    var pageAddress: String { "/coins/\(path)" }
    var shareAddress: String { ShareAddress.of("\(live.coin.name) /coins/\(path)") }
}

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

struct WalletRow {
    let wallet: Wallet
    let path: String

    var walletLabel: String? { wallet.label.isEmpty ? nil : wallet.label }
    var editAddress: String { "/coins/\(path)?wallet=\(wallet.id)#wallets" }
    var removeAddress: String { "/coins/\(path)/wallets/\(wallet.id)/remove" }
}

struct ListMembership {
    let list: Watchlist
    let hasCoin: Bool
    let path: String

    var listId: String { "\(list.id)" }
    var listAddress: String { WatchlistQuery(list: list.id).address }
    var removeAddress: String { "/watchlist/\(path)/remove" }
}
