import Market
import RoostSupport
import RoostWeb

struct AlertFormView: Sendable {
    /// Makes element ids unique on a page: "alert", "alert-7".
    let id: String
    let back: String
    let state: FormState
    /// The coin, if the page or the alert determines it.
    let coin: Coin?
    let coinChoices: [String]
    let currency: String
    let kinds, conversations: [SelectOption]

    struct Coin: Sendable {
        let id, name: String
    }

    init(
        id: String = "alert", back: String, state: FormState = .empty, coin: Coin? = nil,
        coinChoices: [String] = [], currency: String, conversations: [AlertConversation]
    ) {
        self.id = id
        self.back = back
        self.state = state
        self.coin = coin
        self.coinChoices = coinChoices
        self.currency = currency.uppercased()
        let kind = state.typed["kind"] ?? CoinAlert.Kind.above.rawValue
        kinds = CoinAlert.Kind.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.choiceText, isChosen: $0.rawValue == kind)
        }
        let chosen = state.typed["conversationId"] ?? ""
        self.conversations =
            [SelectOption(value: "", text: "No conversation", isChosen: chosen.isEmpty)]
            + conversations.map { SelectOption(value: $0.id, text: $0.name, isChosen: $0.id == chosen) }
    }

    var isRefused: Bool { state.error != nil || !state.fieldErrors.isEmpty }
    var coinField: FieldView? {
        guard coin == nil else { return nil }
        var field = FieldView("coinId", "Coin", in: state, form: id)
        field.placeholder = "bitcoin"
        field.choices = coinChoices
        return field
    }
    var thresholdField: FieldView {
        var field = FieldView("threshold", "Price in \(currency), or percent", in: state, form: id)
        // The example suits only Bitcoin.
        field.placeholder = coin == nil ? "90000" : nil
        field.limit = 40
        return field
    }
    var fields: FormView { FormView([coinField, thresholdField].compactMap(\.self), state) }
}

extension CoinAlert.Kind {
    fileprivate var choiceText: String {
        switch self {
        case .above: "Price rises above"
        case .below: "Price falls below"
        case .change: "Change within 24 hours reaches"
        }
    }
}
