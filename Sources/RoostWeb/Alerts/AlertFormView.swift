import Market
import RoostSupport

/// The fields of an alert: to make one, or to change one.
struct AlertFormView: Sendable {
    /// Tells the ids of one page's forms apart: "alert", "alert-7".
    let id: String
    /// Where the form leads back to.
    let back: String
    let state: FormState
    /// The coin, where the page is about one or the alert has one.
    let coin: Coin?
    /// To choose from, by their ids.
    let coinChoices: [String]
    let currency: String
    let kinds, conversations: [SelectOption]

    struct Coin: Sendable {
        let id, name: String
    }

    /// - Parameters:
    ///   - id: what tells its ids apart from those of other forms of the page
    ///   - state: what is in the fields, and what is wrong with it
    ///   - coin: nil where it is to be named
    ///   - coinChoices: ids to choose from then
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
        // As an example it is of Bitcoin's size.
        field.placeholder = coin == nil ? "90000" : nil
        field.limit = 40
        return field
    }
    var fields: FormView { FormView([coinField, thresholdField].compactMap(\.self), state) }
}

extension CoinAlert.Kind {
    /// As forms offer it.
    fileprivate var choiceText: String {
        switch self {
        case .above: "Price rises above"
        case .below: "Price falls below"
        case .change: "Change within 24 hours reaches"
        }
    }
}
