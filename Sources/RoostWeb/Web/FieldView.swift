/// One field of a form: its label, what is in it, and what is wrong with it.
struct FieldView {
    enum Kind: String {
        case text, email, number, password, date
    }

    let name: String
    let label: String
    let kind: Kind
    let value: String
    let error: String?
    var id: String
    var hint: String?
    var placeholder: String?
    /// The `autocomplete` attribute for browsers and password managers (HTML standard, section 4.10.18.7).
    var autocomplete = "off"
    var isRequired = true
    /// In UTF-16 units. A browser cuts off what is longer, so it must be well above Roost's own limit.
    var limit = 256
    /// Passwords only; browsers count UTF-16 units, which are never fewer than code points.
    var minimum: Int?
    /// Numbers only.
    var range: ClosedRange<Int>?
    var isFocused = false
    /// What a browser offers to fill in; anything else may be typed as well.
    var choices: [String] = []

    /// - Parameter form: what makes the id unique on a page with several forms; "" on one with a single form
    init(_ name: String, _ label: String, _ kind: Kind = .text, in state: FormState, form: String = "") {
        self.name = name
        self.label = label
        self.kind = kind
        value = kind == .password ? "" : state.typed[name] ?? ""
        error = state.fieldErrors[name]
        id = form.isEmpty ? name : "\(form)-\(name)"
    }
    var fieldName: String { self.name }
    var fieldError: TimedText? { error.map(TimedText.init) }
    var isPassword: Bool { kind == .password }
    var isVerbatim: Bool { kind == .password || autocomplete == "username" || autocomplete == "off" }
    var fieldLimit: Int? { kind == .number ? nil : limit }
    var lowerBound: Int? { range?.lowerBound }
    var upperBound: Int? { range?.upperBound }
    var hasFieldChoices: Bool { !choices.isEmpty }

    var describedBy: String? {
        let ids = [error.map { _ in "\(id)-error" }, hint.map { _ in "\(id)-hint" }].compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }
}

/// One choice of several in a form.
struct SelectOption {
    let value, text: String
    let isChosen: Bool
    /// The name of the form's field, if the template does not write it.
    var name = ""
    var choiceText: String { text }
}
