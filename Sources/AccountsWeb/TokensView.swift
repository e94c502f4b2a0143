import RoostWeb

struct TokensView: PageView, Sendable {
    static let scripts = ["accounts"]

    /// 0 is never.
    static let choicesOfDays = [30, 90, 365, 0]

    let layout: LayoutView
    let isOwner: Bool
    let list: TokensListView
    let newToken: NewTokenView?
    let form: FormState
    let tabs: SettingsTabs
    let tokenForm: FormView
    let dayChoices: [SelectOption]

    /// - Parameters:
    ///   - newToken: the new token, shown only once
    ///   - form: fields name, scope ("read", "write" or "metrics"), days (of `choicesOfDays`)
    init(
        layout: LayoutView, isOwner: Bool, list: TokensListView, newToken: NewTokenView? = nil,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.isOwner = isOwner
        self.list = list
        self.newToken = newToken
        self.form = form
        tabs = SettingsTabs(.tokens, in: layout, isOwner: isOwner)
        var name = FieldView("name", "Name", in: form, form: "token")
        name.placeholder = "Backup script"
        tokenForm = FormView([name], form)
        let chosen = form.typed["days"].flatMap(Int.init) ?? 90
        dayChoices = Self.choicesOfDays.map {
            SelectOption(value: "\($0)", text: Self.text(days: $0), isChosen: $0 == chosen)
        }
    }

    private static func text(days: Int) -> String {
        switch days {
        case 0: "never"
        case 365: "in a year"
        default: "in \(days) days"
        }
    }

    var isWriteChosen: Bool { form.typed["scope"] == "write" }
    var isMetricsChosen: Bool { form.typed["scope"] == "metrics" }
    var isReadChosen: Bool { !isWriteChosen && !isMetricsChosen }
}

/// `/settings/tokens/list`: the list, fetched again when a token is made, revoked or expired.
struct TokensListView: Sendable {
    let tokenRows: [TokenRow]

    /// - Parameter rows: the newest first
    init(rows: [TokenRow]) {
        tokenRows = rows
    }

    var hasTokens: Bool { !tokenRows.isEmpty }
}
