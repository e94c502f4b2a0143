package struct FieldView {
    package enum Kind: String {
        case text, email, number, password, date
    }

    package let name: String
    package let label: String
    package let kind: Kind
    package let value: String
    package let error: String?
    package var id: String
    package var hint: String?
    package var placeholder: String?
    /// The `autocomplete` attribute for browsers and password managers (HTML standard, section 4.10.18.7).
    package var autocomplete = "off"
    package var isRequired = true
    /// In UTF-16 units. Browsers cut off longer input, so this must be well above Roost's own limit.
    package var limit = 256
    /// For passwords. Browsers count UTF-16 units, which are never fewer than code points.
    package var minimum: Int?
    /// For numbers.
    package var range: ClosedRange<Int>?
    var isFocused = false
    /// Suggestions of the browser; the user may type anything else.
    package var choices: [String] = []

    /// - Parameter form: makes the id unique on a page with several forms; "" on a page with one
    package init(
        _ name: String, _ label: String, _ kind: Kind = .text, in state: FormState, form: String = ""
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        value = kind == .password ? "" : state.typed[name] ?? ""
        error = state.fieldErrors[name]
        id = form.isEmpty ? name : "\(form)-\(name)"
    }
    var fieldError: TimedText? { error.map(TimedText.init) }
    var isPassword: Bool { kind == .password }
    var isVerbatim: Bool { kind == .password || autocomplete == "username" || autocomplete == "off" }
    /// Numbers and dates have no length (HTML standard, section 4.10.5).
    var fieldLimit: Int? { kind == .number || kind == .date ? nil : limit }
    package var lowerBound: Int? { range?.lowerBound }
    package var upperBound: Int? { range?.upperBound }
    var hasFieldChoices: Bool { !choices.isEmpty }

    package var describedBy: String? {
        let ids = [error.map { _ in "\(id)-error" }, hint.map { _ in "\(id)-hint" }].compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }
}

package struct SelectOption {
    package let value, text: String
    package let isChosen: Bool
    /// The form field's name, if the template does not write it.
    package let name: String

    package init(value: String, text: String, isChosen: Bool, name: String = "") {
        self.value = value
        self.text = text
        self.isChosen = isChosen
        self.name = name
    }
}
